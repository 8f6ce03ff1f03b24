package answer

import (
	"testing"

	"lapsvm"
	"lapsvm/internal/machines/task"
)

// A sentence begins with what decides. Where the usual row has most of the decision value it is as usual, but a number is told by what differs.
func TestSentence(t *testing.T) {
	classes := &Predictions{Kind: task.Kind{}, Classes: []string{"no", "yes"}, Labels: []int{1}}
	numbers := &Predictions{Kind: task.Numbers(), Values: []float64{3}}
	reasons := func(effects ...float64) (all []lapsvm.Reason) {
		for k, effect := range effects {
			r := lapsvm.Reason{Column: string(rune('a' + k)), Value: "2", Usual: "29", Class: 1, Effect: effect}
			if effect < 0 {
				r.Class = 0
			}
			all = append(all, r)
		}
		return all
	}
	for want, c := range map[string]struct {
		said         *Predictions
		value, usual float64
		reasons      []lapsvm.Reason
	}{
		"yes, mostly because a = 2 (usual 29)":                                                     {classes, 1, -0.5, reasons(1.4, 0.1)},
		"yes, mostly because a = 2 (usual 29) and b = 2 (usual 29)":                                {classes, 1, 0.4, reasons(0.35, 0.25)},
		"yes, mostly because a = 2 (usual 29); b = 2 (usual 29) speaks for no":                     {classes, 1, 0.4, reasons(1.2, -0.6)},
		"yes, as is usual; a = 2 (usual 29) speaks for yes":                                        {classes, 1, 0.9, reasons(0.1)},
		"yes, as is usual, though a = 2 (usual 29) speaks for no":                                  {classes, 0.5, 0.9, reasons(-0.4)},
		"yes, as is usual: no column is unlike the usual row":                                      {classes, 1, 1, nil},
		"yes, as is usual; a = 2 (usual 29) speaks for yes; b = 2 (usual 29) speaks for no":        {classes, 1, 0.9, reasons(0.2, -0.1)},
		"yes, as is usual, though a = 2 (usual 29) speaks for no; b = 2 (usual 29) speaks for yes": {classes, 0.6, 0.9, reasons(-0.7, 0.4)},
		"yes, mostly because colour missing or not seen in training (usual blue)":                  {classes, 1, -0.5, []lapsvm.Reason{{Column: "colour", Usual: "blue", Class: 1, Effect: 1.5}}},
		"3 (usual 2.9), mostly because a = 2 (usual 29)":                                           {numbers, 3, 2.9, reasons(0.1)},
	} {
		e := Explanations{c.said, []lapsvm.Explanation{{Class: 1, Value: c.value, Usual: c.usual, Reasons: c.reasons}}}
		if c.said == numbers {
			e.All[0].Class = 0
		}
		if got := e.Sentence(e.All[0]); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
