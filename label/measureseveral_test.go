package label_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/testing/drawn"
	"lapsvm/label"
)

// hiding returns data with the labels of some rows drawn by a seed.
func hiding(d *dataset.Dataset, labels int, seed uint64) *dataset.Dataset {
	some := *d
	some.Y = slices.Repeat([]int{dataset.Unlabelled}, len(d.Y))
	for _, i := range rand.New(rand.NewPCG(seed, 3)).Perm(len(d.Y))[:labels] {
		some.Y[i] = d.Y[i]
	}
	return &some
}

// macroF1 is the mean over classes of F1 at the points without a label.
func macroF1(l *label.Labelling, truth *dataset.Several, labels []int) (mean float64) {
	s := l.Answer().Several
	for c, class := range truth.Classes {
		own := slices.Index(s.Classes, class)
		right, said, has := 0.0, 0.0, 0.0
		for i, y := range l.Labels() {
			if y != dataset.Unlabelled {
				continue
			}
			is, found := truth.Answers[c][labels[i]] > 0, slices.Contains(s.Has(i), own)
			for _, one := range []struct {
				is  bool
				sum *float64
			}{{is, &has}, {found, &said}, {is && found, &right}} {
				if one.is {
					*one.sum++
				}
			}
		}
		mean += 2 * right / (said + has) / float64(len(truth.Classes))
	}
	return mean
}

// TestMeasureSeveral measures what suggested labels teach, and which wrong answers an audit finds.
func TestMeasureSeveral(t *testing.T) {
	long(t)
	const draws, rows, first, last, step, audited = 5, 400, 20, 70, 10, 60
	for _, set := range []struct {
		name string
		draw func(n int, seed uint64) *dataset.Dataset
	}{{"topics", drawn.Topics}, {"pairs", drawn.Pairs}} {
		for _, rule := range []label.Rule{label.Random, label.VOpt, label.Uncertainty} {
			f1 := make([]float64, (last-first)/step+1)
			for seed := range uint64(draws) {
				d := set.draw(rows, 100+seed)
				truth, err := dataset.SeveralOf(d.Classes, ";")
				if err != nil {
					t.Fatal(err)
				}
				l, err := label.Open(t.Context(), hiding(d, first, seed), train.Recipe{Kind: task.Several(";"), Seed: 1}, label.Options{Seed: seed, Shown: true})
				if err != nil {
					t.Fatal(err)
				}
				for k := range f1 {
					f1[k] += macroF1(l, truth, d.Y) / draws
					asked, err := l.Suggest(t.Context(), rule, step)
					if err != nil {
						t.Fatal(err)
					}
					var changes []label.Change
					for _, one := range asked {
						changes = append(changes, label.Change{Point: one.Point, Class: d.Y[one.Point]})
					}
					if _, err := l.Apply(t.Context(), changes); err != nil {
						t.Fatal(err)
					}
				}
				l.Close()
			}
			t.Logf("%s, %s: macro F1 %.3f with %d to %d labels", set.name, rule, f1, first, last)
		}
		found, alarms, moved := 0, 0, 0
		for seed := range uint64(draws) {
			d := hiding(set.draw(rows, 100+seed), audited, seed)
			classes, err := dataset.SeveralOf(d.Classes, ";")
			if err != nil {
				t.Fatal(err)
			}
			rng := rand.New(rand.NewPCG(seed, 4))
			wrong := make(map[int]string)
			for _, i := range d.Labelled() {
				if rng.IntN(10) > 0 {
					continue
				}
				c := rng.IntN(len(classes.Classes))
				text := dataset.WithAnswer(d.Classes[d.Y[i]], ";", classes.Classes[c], classes.Answers[c][d.Y[i]] < 0)
				if d.Y[i] = slices.Index(d.Classes, text); d.Y[i] < 0 {
					d.Y[i], d.Classes = len(d.Classes), append(d.Classes, text)
				}
				wrong[i] = classes.Classes[c]
			}
			l, err := label.Open(t.Context(), d, train.Recipe{Kind: task.Several(";"), Seed: 1}, label.Options{})
			if err != nil {
				t.Fatal(err)
			}
			all, err := l.AuditSeveral(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			moved += len(wrong)
			for _, one := range all {
				switch class, is := wrong[one.Point]; {
				case one.Suspicion < 0.5:
				case is && class == one.Class:
					found++
				default:
					alarms++
				}
			}
			l.Close()
		}
		t.Logf("%s: of %d wrong answers in %d labels %d are found, and %d others look wrong", set.name, moved, draws*audited, found, alarms)
	}
}
