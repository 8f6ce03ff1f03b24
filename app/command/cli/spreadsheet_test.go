package cli

import (
	"testing"
)

func TestIsFormula(t *testing.T) {
	for field, want := range map[string]bool{
		"": false, "a": false, "1": false, "-1.5": false, "+3e-7": false, "-Inf": false, "a=b": false, "'=1": false, "é": false,
		"=cmd()": true, "=1": true, "+1+cmd|' /C calc'!A0": true, "-2+3": true, "-": true, "@SUM(A1)": true, "\t=1": true, "\r=1": true, "-1,5": true,
	} {
		if got := isFormula(field); got != want {
			t.Errorf("%q: %v", field, got)
		}
	}
}
