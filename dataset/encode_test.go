package dataset

import (
	"math"
	"testing"
	"time"
)

func TestDates(t *testing.T) {
	for text, want := range map[string]time.Time{
		"1970-01-01":                     time.Unix(0, 0),
		"2024-02-29":                     time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC),
		"0001-01-01":                     time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC),
		"2024-02-29T23:59":               time.Date(2024, 2, 29, 23, 59, 0, 0, time.UTC),
		"2024-02-29 23:59:58":            time.Date(2024, 2, 29, 23, 59, 58, 0, time.UTC),
		"2024-02-29T23:59:58.25Z":        time.Date(2024, 2, 29, 23, 59, 58, 25e7, time.UTC),
		"2024-02-29 23:59:58.25 UTC":     time.Date(2024, 2, 29, 23, 59, 58, 25e7, time.UTC),
		"2024-02-29T23:59:58+05:30":      time.Date(2024, 2, 29, 18, 29, 58, 0, time.UTC),
		"2024-02-29T00:30-0100":          time.Date(2024, 2, 29, 1, 30, 0, 0, time.UTC),
		"2024-02-29T00:30:00.000001-01":  time.Date(2024, 2, 29, 1, 30, 0, 1000, time.UTC),
		"9999-12-31T23:59:59.999999999Z": time.Date(9999, 12, 31, 23, 59, 59, 999999999, time.UTC),
	} {
		got, ok := date(text)
		days := float64(want.Unix())/86400 + float64(want.Nanosecond())/86400e9
		if !ok || math.Abs(got-days) > 1e-9 {
			t.Errorf("%s: %v, %v, want %v", text, got, ok, days)
		}
	}
	for _, text := range []string{"", "2024", "2024-02", "2024-02-30", "20240229", "29.02.2024", "2024/02/29", "2024-02-29T", "2024-02-29T24:00", "2024-02-29x12:00",
		"2024-02-29T12", "2024-02-29T12:00+", "2024-W09-4", "2024-02-29T12:00:00 Z", "2024-02-29 UTC", "2024-02-29 12:00+01:00 UTC", "2024-02-29 12:00 CET", "-2024-02-29"} {
		if got, ok := date(text); ok {
			t.Errorf("%q is read as the day %v", text, got)
		}
	}
}
