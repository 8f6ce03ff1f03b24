package labelpage

import (
	"context"
	"fmt"
	"slices"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
	"lapsvm/label"
)

// Learning opens machines of package label, by a trainer's recipe. Another machine is opened beside
// the present one where labels choose parameters of the recipe, and where data grow. So each
// machine has half of the memory allowed.
func Learning(t lapsvm.Trainer) Opener {
	return func(ctx context.Context, d *dataset.Dataset, labels []int, classes []string, stage func(string, float64)) (Machine, error) {
		data := pointsOf(d)
		data.Y, data.Classes = slices.Clone(labels), called(classes)
		run := t.Run
		run.Memory /= 2
		first := run
		first.Progress = inShares(stage)
		l, err := label.Open(ctx, data, t.Recipe, label.Options{Run: first, Seed: t.Recipe.Seed, Shown: true})
		if err != nil {
			return nil, err
		}
		return &learning{l, run}, nil
	}
}

// pointsOf returns data without the fields of their own labels.
func pointsOf(d *dataset.Dataset) *dataset.Dataset {
	data := *d
	data.Notes, data.Weights = nil, nil
	return &data
}

// inShares reports progress as a share, from 0 to 1.
func inShares(stage func(name string, share float64)) func(name string, done, total int) {
	return func(name string, done, total int) {
		share := 0.0
		if total > 0 {
			share = float64(done) / float64(total)
		}
		stage(name, share)
	}
}

// learning is a [label.Labelling] as the page asks of it.
type learning struct {
	l   *label.Labelling
	run train.Run // of one that is made beside
}

// called gives every number of a class a name of its own, also where there is no class.
func called(classes []string) []string {
	all := slices.Clone(classes)
	for k, name := range all {
		if name == "" {
			all[k] = fmt.Sprintf("\x00%d", k) // as no class is called
		}
	}
	return all
}

// name brings the names of classes up to date. Names may have been exchanged, so
// those that differ first get others.
func (m *learning) name(classes []string) error {
	has, wants := m.l.Classes(), called(classes)
	for k, name := range wants {
		switch {
		case k >= len(has):
			if _, err := m.l.AddClass(fmt.Sprintf("\x00new %d", k)); err != nil {
				return err
			}
		case has[k] != name:
			if err := m.l.RenameClass(k, fmt.Sprintf("\x00new %d", k)); err != nil {
				return err
			}
		}
	}
	for k, name := range wants {
		if err := m.l.RenameClass(k, name); err != nil {
			return err
		}
	}
	return nil
}

func (m *learning) Apply(ctx context.Context, classes []string, changes []Change) (*Answer, error) {
	if err := m.name(classes); err != nil {
		return nil, err
	}
	all := make([]label.Change, len(changes))
	for k, c := range changes {
		all[k] = label.Change{Point: c.Point, Class: c.Class}
	}
	return m.answered(m.l.Apply(ctx, all))
}

func (m *learning) answered(a *label.Answer, err error) (*Answer, error) {
	if err != nil {
		return nil, err
	}
	return of(m.l.Recipe().Kind).answer(a), nil
}

func (m *learning) Grow(ctx context.Context, data *dataset.Dataset) (*Answer, error) {
	return m.answered(m.l.Grow(ctx, pointsOf(data)))
}

func (m *learning) Rebuild() func(context.Context) (Machine, error) {
	rebuild, run := m.l.Rebuild(m.run), m.run
	return func(ctx context.Context) (Machine, error) {
		l, err := rebuild(ctx)
		if err != nil {
			return nil, err
		}
		return &learning{l, run}, nil
	}
}

func (m *learning) Suggest(ctx context.Context, n int) ([]Suggestion, error) {
	found, err := m.l.Suggest(ctx, label.Auto, n)
	if err != nil {
		return nil, err
	}
	all := make([]Suggestion, len(found))
	for k, s := range found {
		all[k] = Suggestion{Point: s.Point, Reason: s.Reason, Value: s.Value}
	}
	return all, nil
}

func (m *learning) Prepare(ctx context.Context, points []int) error { return m.l.Prepare(ctx, points) }

func (m *learning) Similar(point, n int) []int { return m.l.Similar(point, n) }

func (m *learning) Layout(ctx context.Context) ([]float32, error) { return m.l.Layout(ctx) }

// worthLooking is the least probability of being wrong at which a label is shown.
const worthLooking = 0.5

func (m *learning) Audit(ctx context.Context) ([]Suspicion, error) {
	return of(m.l.Recipe().Kind).audit(ctx, m.l)
}

func (m *learning) Stale() bool { return m.l.Stale() }

func (m *learning) Replaces(ctx context.Context, standing Machine) (bool, error) {
	return m.l.Replaces(ctx, standing.(*learning).l)
}

func (m *learning) Recipe() train.Recipe { return m.l.Recipe() }

func (m *learning) Close() { m.l.Close() }
