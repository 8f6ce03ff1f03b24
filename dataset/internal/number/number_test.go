package number

import (
	"testing"
)

func TestCanonical(t *testing.T) {
	for in, want := range map[string]string{
		"+1": "1", "3.0": "3", "-0": "0", "0.50": "0.5", "1e3": "1000", "007": "7", "-07": "-7", "1e-7": "1e-07",
		"12345678901234567890": "12345678901234567890", "+0012345678901234567890": "12345678901234567890",
		"1e21": "1e+21", "0x1p4": "16", "spam": "spam", "": "", "inf": "inf", "1_0": "1_0", "1e999": "1e999",
	} {
		if got := Canonical(in); got != want {
			t.Errorf("Canonical(%q) = %q, want %q", in, got, want)
		}
		if got := Canonical(want); got != want {
			t.Errorf("Canonical(%q) = %q", want, got)
		}
	}
}
