package dataset

import (
	"testing"
	"time"
)

// People see the digits before the point, and the times of a column that has some.
func TestField(t *testing.T) {
	for v, want := range map[float64]string{0: "0", -1.5: "-1.5", 1.2880001: "1.288", 0.000123456789: "0.000123457", 1234799: "1234799", 1234799.504: "1234799.5", -1700000048.25: "-1700000048.25", 12345.678: "12345.68", 1e300: "1e+300"} {
		if got := Brief(v); got != want {
			t.Errorf("%v is %s, want %s", v, got, want)
		}
	}
	at := func(text string) float64 {
		moment, err := time.Parse("2006-01-02 15:04:05", text)
		if err != nil {
			t.Fatal(err)
		}
		return float64(moment.Unix()) / secondsPerDay
	}
	low, noon := at("2024-05-14 00:00:00"), at("2024-05-14 12:30:01")
	for _, c := range []struct {
		high float64
		want string
	}{{low + 30, "2024-05-14"}, {low + 30.25, "2024-05-14 12:30:01"}} {
		e := &Encoding{Columns: []Column{{Name: "day", Kind: Date, Low: low, High: c.high}}}
		if got := e.Field(0, []float64{noon}); got != c.want {
			t.Errorf("up to %v: %s, want %s", c.high, got, c.want)
		}
	}
}
