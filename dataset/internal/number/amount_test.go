package number

import (
	"math"
	"testing"
)

// What amounts are with decimals behind points and behind commas: NaN where they are none.
func TestAmounts(t *testing.T) {
	none := math.NaN()
	for text, want := range map[string]struct {
		unit         string
		point, comma float64
	}{
		"$1,200.50": {"$", 1200.5, none}, "€ 12": {"€", 12, 12}, "1.200,50 €": {"€", none, 1200.5}, "(12.00)": {"", -12, none}, "($1,200)": {"$", -1200, -1.2},
		"12%": {"%", 12, 12}, "12.5 %": {"%", 12.5, none}, "-3%": {"%", -3, -3}, "1,234": {"", 1234, 1.234}, "1,234,567": {"", 1234567, none}, "1.234.567": {"", none, 1234567},
		"1\u00a0234\u00a0567,5": {"", none, 1234567.5}, "1\u202f234": {"", 1234, 1234}, "1'234'567.25": {"", 1234567.25, none}, "12,34,567.5": {"", 1234567.5, none},
		"US$5": {"US$", 5, 5}, "-$5": {"$", -5, -5}, "$-5": {"$", -5, -5}, "$ -5": {"$", -5, -5}, "\u22125": {"", -5, -5}, "+7 EUR": {"EUR", 7, 7}, "CHF 1'000": {"CHF", 1000, 1000}, "$.50": {"$", .5, none},
		"0,125": {"", none, .125}, "0.125 €": {"€", .125, none}, "₹1,00,000": {"₹", 100000, none}, "£0": {"£", 0, 0},
		"1,23.5": {"", none, none}, "12,34": {"", none, 12.34}, "1234,567": {"", none, 1234.567}, "1,2345": {"", none, 1.2345}, "1,234.567,8": {"", none, none},
		"": {"", none, none}, "-": {"", none, none}, "$": {"", none, none}, "%5": {"", none, none}, "5 kg": {"", none, none}, "TOP 10": {"", none, none}, "$5%": {"", none, none}, "--5": {"", none, none}, "(-5)": {"", none, none},
		"5-": {"", none, none}, "a5": {"", none, none}, "5.": {"", none, none}, "1 234": {"", none, none}, "1e5": {"", none, none}, "192.168.1.1": {"", none, none}, "2024-01-02": {"", none, none}, "07:45": {"", none, none}, "٣": {"", none, none},
	} {
		a, ok := ParseAmount(text)
		for decimal, want := range map[rune]float64{'.': want.point, ',': want.comma} {
			v, fits := a.Value(decimal)
			if !ok || !fits {
				v = none
			}
			if v != want && !(math.IsNaN(v) && math.IsNaN(want)) {
				t.Errorf("%q with %c: %v, want %v", text, decimal, v, want)
			}
		}
		if ok && (want.point == want.point || want.comma == want.comma) && a.Unit != want.unit {
			t.Errorf("%q: the unit %q", text, a.Unit)
		}
	}
}

func FuzzAmounts(f *testing.F) {
	for _, s := range []string{"$1,200.50", "(1.200,50 €)", "12%", "1'234", "\u00a0", "US$ -5"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a, ok := ParseAmount(s)
		if !ok {
			return
		}
		for _, decimal := range ".," {
			if v, ok := a.Value(decimal); ok && (math.IsNaN(v) || math.IsInf(v, 0)) {
				t.Errorf("%q is %v", s, v)
			}
		}
	})
}
