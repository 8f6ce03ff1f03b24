package labelpage

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"lapsvm/internal/machines/task"
)

// torn is a machine that takes every point for the middle class, as the two others are equally probable.
type torn struct{ *nearest }

func (m torn) Apply(ctx context.Context, classes []string, changes []Change) (*Answer, error) {
	a, err := m.nearest.Apply(ctx, classes, changes)
	if err != nil || a.Decided == nil {
		return a, err
	}
	a.Thresholds, a.Probabilities = []float64{0.3, 0.3, 0.3}, make([][]float32, 3)
	for i := range a.Decided {
		a.Decided[i] = 1
		for c, p := range []float32{0.45, 0.1, 0.45} {
			a.Probabilities[c] = append(a.Probabilities[c], p)
		}
	}
	return a, nil
}

// Blind labels of ordered classes tell by how many ranks predictions are off, and a set has no gap and the predicted class.
func TestAuditsOfRanks(t *testing.T) {
	p := ofKind(t, 40, task.Ordered("low", "mid", "high"), func(m *nearest) Machine { return torn{m} })
	p.post("anna", sent{Kind: "label", Row: 1, Name: "low"}, sent{Kind: "label", Row: 2, Name: "high"})
	for k := range 10 {
		if s := p.learnt(); len(s.Off) > 0 || s.Audited != k {
			t.Fatalf("%d audits: %+v", k, s)
		}
		p.post("anna", sent{Kind: "label", Row: 3 + k, Name: []string{"low", "mid", "mid", "mid", "high"}[k%5], Blind: true})
	}
	s := p.learnt()
	half := 2.262 * math.Sqrt(0.24/9)
	if one := s.Off[0]; !(math.Abs(one.Off-0.4) <= 1e-12) || !(math.Abs(one.Low-0.4+half) <= 1e-9) || !(math.Abs(one.High-0.4-half) <= 1e-9) || s.Curve[0].Right != 0.6 {
		t.Errorf("%+v, %+v", s.Off, s.Curve)
	}
	if last := s.Advice.Reasons[len(s.Advice.Reasons)-1]; !strings.HasPrefix(last, "predictions were off by 0.4 ranks in the mean (95 % interval ") {
		t.Errorf("%q", s.Advice.Reasons)
	}
	var shown struct{ Points []shownPoint }
	p.get("/api/points?rows=40&predictions=1&person=anna", &shown)
	if got := shown.Points[0].Prediction; got.Class != 1 || fmt.Sprint(got.Set) != "[0 2 1]" {
		t.Errorf("%+v", got)
	}
}
