package solve

import (
	"strings"
	"testing"
)

// The defaults of every condition are those of the documentation, each is found
// by its name, and the error of an unknown one lists them all.
func TestRules(t *testing.T) {
	tolerances := map[Condition]float64{Auto: 0.015, Stability: 0.015, Validation: 1e-3, Mixed: 0.015,
		Gradient: 1e-3, Preconditioned: 1e-3, Product: 1e-3, Objective: 1e-6, None: 1e-3}
	_, unknown := Options{Stop: "never"}.WithDefaults(100)
	if unknown == nil {
		t.Fatal("no error of an unknown condition")
	}
	names := ConditionNames()
	if len(names) != len(tolerances) || names[0] != string(Auto) {
		t.Errorf("conditions %v", names)
	}
	for _, name := range names {
		c := Condition(name)
		if !strings.Contains(unknown.Error(), name) {
			t.Errorf("%q is not in the error %q", name, unknown)
		}
		r, found := ruleOf(c)
		if !found || r.name != c || r.reached != nil && r.checker != nil {
			t.Errorf("%q: found %v, rule %q, or two tests", name, found, r.name)
		}
		o := Options{Stop: c, ValidationSize: 1, ValidationErrors: func([][]float64, []float64) int { return 0 }}
		o, err := o.WithDefaults(100)
		if err != nil || o.Tolerance != tolerances[c] {
			t.Errorf("%q: tolerance %v, want %v (%v)", name, o.Tolerance, tolerances[c], err)
		}
		_, err = Options{Stop: c}.WithDefaults(100)
		if needs := c == Validation || c == Mixed; needs != (err != nil) {
			t.Errorf("%q without validation points: error %v", name, err)
		}
	}
}

// A product ∇̂ᵀ∇ made negative by rounding does not count as small.
func TestNegativeProductIsNotReached(t *testing.T) {
	r := productRule()
	for gPg, want := range map[float64]bool{-1e-30: false, 0: true, 1e-30: true} {
		col := &column{gPg: gPg, start: ColumnStep{Product: 1}}
		if got := r.reached(col, &ColumnStep{}, 0, r.tolerance); got != want {
			t.Errorf("∇̂ᵀ∇ = %v: reached %v", gPg, got)
		}
	}
}
