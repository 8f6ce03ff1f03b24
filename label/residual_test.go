package label

import (
	"math"
	"testing"

	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
)

// Labels that machines without them predict exactly have the most evidence, and it is a number.
func TestEvidenceOfNoResidual(t *testing.T) {
	for _, by := range []train.Criterion{train.MeanSquared, train.MeanAbsolute} {
		var e []float64
		for _, off := range []float64{0, 1e-150, 0.5} {
			l := &Labelling{asked: train.Recipe{Kind: task.Numbers()}, ground: &train.Ground{Recipe: train.Recipe{Criterion: by}}}
			l.answer = &Answer{Values: []float64{1, 2}, LeftOut: make([]LeftOut, 2), left: [][]float64{{1, 2 + off}},
				task: &task.Task{Kind: task.Numbers(), Unit: task.Unit{Scale: 1}, Values: []float64{1, 2}}}
			one, err := l.Evidence(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			e = append(e, one)
		}
		want := -2 / by.Power() * math.Log(math.Pow(0.5, by.Power())/2)
		if !(e[0] > 700/by.Power()) || math.IsInf(e[0], 1) || !(e[0] >= e[1] && e[1] > e[2]) || !(math.Abs(e[2]-want) <= 1e-12) {
			t.Errorf("%s: evidence %v, the last is to be %v", by, e, want)
		}
	}
}
