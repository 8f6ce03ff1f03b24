package labelpage

import (
	"context"
	"math/rand/v2"
	"slices"

	"lapsvm"
	"lapsvm/dataset"
)

// Retrained opens machines that train anew by a trainer's recipe whenever labels come.
func Retrained(d *dataset.Dataset, t lapsvm.Trainer) Opener {
	return func(ctx context.Context, labels []int, classes []string, stage func(string, float64)) (Machine, error) {
		m := &retrained{data: d, trainer: t, labels: slices.Clone(labels)}
		m.trainer.Calibrate = true
		return m, nil
	}
}

type retrained struct {
	data    *dataset.Dataset
	trainer lapsvm.Trainer
	labels  []int
	answer  *Answer
}

func (m *retrained) Recipe() string { return "trained anew" }
func (m *retrained) Close()         {}

func (m *retrained) Apply(ctx context.Context, classes []string, changes []Change) (*Answer, error) {
	for _, c := range changes {
		m.labels[c.Point] = c.Class
	}
	d := *m.data
	d.Y = make([]int, len(m.labels))
	index := make([]int, len(classes))
	for c := range index {
		index[c] = -1
	}
	var used []int
	for i, c := range m.labels {
		if d.Y[i] = -1; c < 0 {
			continue
		}
		if index[c] < 0 {
			index[c] = len(used)
			used = append(used, c)
		}
		d.Y[i] = index[c]
	}
	d.Classes = nil
	for k := range used {
		d.Classes = append(d.Classes, string(rune('a'+k)))
	}
	if len(used) < 2 {
		m.answer = &Answer{}
		return m.answer, nil
	}
	t := m.trainer
	t.RulesOfThumb = true
	model, err := t.Fit(ctx, &d)
	if err != nil {
		return nil, err
	}
	p, err := model.Probabilities(ctx, d.Points)
	if err != nil {
		return nil, err
	}
	a := &Answer{Decided: make([]int, len(p)), Probabilities: make([][]float32, len(classes))}
	for _, c := range used {
		a.Probabilities[c] = make([]float32, len(p))
	}
	for i, row := range p {
		best := 0
		for k, v := range row {
			a.Probabilities[used[k]][i] = float32(v)
			if v > row[best] {
				best = k
			}
		}
		a.Decided[i] = used[best]
	}
	m.answer = a
	return a, nil
}

func (m *retrained) Suggest(ctx context.Context, n int) ([]Suggestion, error) {
	var all []Suggestion
	for i, c := range m.labels {
		if c < 0 {
			s := Suggestion{Point: i, Reason: "drawn by chance", Value: rand.Float64()}
			if m.answer != nil && m.answer.Decided != nil {
				s.Reason, s.Value = "the least sure", m.answer.doubt(i)
			}
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(a, b Suggestion) int {
		if a.Value > b.Value {
			return -1
		}
		return 1
	})
	return all[:min(n, len(all))], nil
}

func (m *retrained) Prepare(context.Context, []int) error { return nil }

func (m *retrained) Similar(point, n int) []int {
	type near struct {
		i int
		d float64
	}
	var all []near
	for i := range m.labels {
		if i != point {
			all = append(all, near{i, m.data.Points.SquaredDistance(point, m.data.Points, i)})
		}
	}
	slices.SortFunc(all, func(a, b near) int {
		if a.d < b.d {
			return -1
		}
		return 1
	})
	var rows []int
	for _, one := range all[:min(n, len(all))] {
		rows = append(rows, one.i)
	}
	return rows
}

func (m *retrained) Layout(ctx context.Context) ([]float32, error) {
	n, dim := m.data.Points.Len(), m.data.Points.Dim()
	u, v := make([]float64, dim), make([]float64, dim)
	r := rand.New(rand.NewPCG(1, 2))
	for k := range u {
		u[k], v[k] = r.NormFloat64(), r.NormFloat64()
	}
	x, y := make([]float64, n), make([]float64, n)
	m.data.Points.DotsWith(x, 0, n, u)
	m.data.Points.DotsWith(y, 0, n, v)
	to := make([]float32, 2*n)
	for axis, values := range [][]float64{x, y} {
		low, high := slices.Min(values), slices.Max(values)
		for i, value := range values {
			if high > low {
				to[2*i+axis] = float32((value - low) / (high - low))
			}
		}
	}
	return to, nil
}

func (m *retrained) Audit(ctx context.Context) ([]Suspicion, error) {
	var all []Suspicion
	for i, c := range m.labels {
		if c >= 0 && m.answer != nil && m.answer.Decided != nil && m.answer.Decided[i] != c {
			all = append(all, Suspicion{Point: i, Given: c, Suggested: m.answer.Decided[i], Suspicion: 1 - m.answer.probability(c, i), Why: "the machine decides otherwise"})
		}
	}
	return all, nil
}
