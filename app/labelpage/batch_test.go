package labelpage

import (
	"context"
	"fmt"
	"testing"

	"lapsvm/dataset"
)

// doubting is a machine with a certainty that grows with the number of the point.
type doubting struct{ Machine }

func (m *doubting) Apply(ctx context.Context, classes []string, changes []Change) (*Answer, error) {
	a, err := m.Machine.Apply(ctx, classes, changes)
	if err == nil && a.Decided != nil {
		for i, c := range a.Decided {
			sure := (float32(i) + 0.5) / float32(len(a.Decided))
			a.Probabilities[0][i], a.Probabilities[1][i] = 1-sure, 1-sure
			a.Probabilities[c][i] = sure
		}
	}
	return a, err
}

// A batch has the surest points first, and says how many of them are sure.
func TestBatchesBeginWithTheSurest(t *testing.T) {
	p := served(t, NewContent(table(t, 20), nil, nil), func(c *Config, _ *control) {
		open := c.Open
		c.Open = func(ctx context.Context, d *dataset.Dataset, labels []int, classes []string, stage func(string, float64)) (Machine, error) {
			m, err := open(ctx, d, labels, classes, stage)
			return &doubting{m}, err
		}
	})
	p.post("anna", sent{Kind: "class-add", Name: "low"}, sent{Kind: "class-add", Name: "high"}, sent{Kind: "label", Row: 1, Class: class(0)}, sent{Kind: "label", Row: 2, Class: class(1)})
	p.learnt()
	var similar struct{ Rows, Sure any }
	// Of the nearest that are predicted alike, those from row 15 on have a probability of 0.7 or more.
	if p.get("/api/similar?row=1&n=9", &similar); fmt.Sprint(similar) != "{[19 17 15 13 11 9 7 5 3] 3}" {
		t.Error(similar)
	}
}
