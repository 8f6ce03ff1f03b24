package labelpage

import (
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"lapsvm/app/labelpage/store"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/testing/golden"
	"lapsvm/label"
)

// The simulated labellings: their number for each set, the most rows of one (or nine tenths of the
// set), and the most labels of one (or three quarters of its rows).
const (
	runsPlayed   = 20
	rowsPlayed   = 2000
	labelsPlayed = 300
)

// played is the outcome of a labelling.
type played struct {
	labels   int     // at the first advice to stop, or at the end
	advised  bool    // before the end
	wanted   int     // labels with which the share of wrong rows is that of the end, or a tenth or a point more
	wrong    float64 // share of wrong ones among the rows left, at the advice or at the end
	end      float64 // the same at the end
	early    bool    // stopped two points above what is wanted
	measured bool    // 30 blind audits after the advice have the rest in their interval
	covered  bool    // so do the audits that came by themselves, at the end
}

// play labels in the order of the page: every tenth row is drawn at random, the others are those
// that the machine asks for. It looks at the machine's outputs every five labels.
func play(t *testing.T, d *dataset.Dataset, draw uint64) played {
	t.Helper()
	random := rand.New(rand.NewPCG(draw, 77))
	d = d.Subset(random.Perm(d.Points.Len())[:min(rowsPlayed, d.Points.Len()*9/10)])
	truth, n := d.Y, d.Points.Len()
	d.Y = slices.Repeat([]int{dataset.Unlabelled}, n)
	l, err := label.Open(t.Context(), d, train.Recipe{RulesOfThumb: true}, label.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var (
		g       stability
		audits  []store.Audit
		counts  []int
		wrong   []float64
		p       played
		classes = make([]classState, len(d.Classes))
		at      = l.Answer()
		has     = make([]bool, n)
	)
	const together = 5
	most := min(labelsPlayed, n*3/4) / together * together
	for labels := 0; labels < most; {
		asked, err := l.Suggest(t.Context(), label.Auto, together)
		if err != nil {
			t.Fatal(err)
		}
		var changes []label.Change
		for range together {
			var row int
			if (labels+len(changes))%10 == 9 {
				row = random.IntN(n)
				for has[row] {
					row = random.IntN(n)
				}
				audits = append(audits, audit(at, row, truth, labels))
			} else {
				for has[asked[0].Point] {
					asked = asked[1:]
				}
				row = asked[0].Point
			}
			has[row] = true
			changes = append(changes, label.Change{Point: row, Class: truth[row]})
			classes[truth[row]].Count++
		}
		if at, err = l.Apply(t.Context(), changes); err != nil {
			t.Fatal(err)
		}
		labels += len(changes)
		g = g.by(labels, at.Decided)
		if at.Decided == nil {
			continue
		}
		left := rowsLeft(has)
		share := 1 - right(at, truth, left)
		counts, wrong = append(counts, labels), append(wrong, share)
		if !p.advised && labels < most && advise(classes, &snapshot{Labels: labels, Stability: g}, audits, labels, n).Stop {
			p.advised, p.labels, p.wrong = true, labels, share
			more := slices.Clone(audits)
			random.Shuffle(len(left), func(i, j int) { left[i], left[j] = left[j], left[i] })
			for _, row := range left[:auditsNeeded] {
				more = append(more, audit(at, row, truth, labels))
			}
			p.measured = holds(more, labels+auditsNeeded, len(left)-auditsNeeded, right(at, truth, left[auditsNeeded:]))
		}
	}
	p.end = wrong[len(wrong)-1]
	p.covered = holds(audits, most, n-most, 1-p.end)
	if !p.advised {
		p.labels, p.wrong = most, p.end
	}
	enough := max(1.1*p.end, p.end+0.01)
	p.wanted = counts[slices.IndexFunc(wrong, func(share float64) bool { return share <= enough })]
	p.early = p.wrong > enough+0.02
	return p
}

// audit returns a blind label of a row, with the machine's prediction after the given number of
// labels.
func audit(at *label.Answer, row int, truth []int, labels int) store.Audit {
	a := store.Audit{Row: row, Class: truth[row], Predicted: store.NoClass, Learnt: labels}
	if at.Decided != nil {
		a.Predicted, a.Right = at.Decided[row], at.Decided[row] == a.Class
	}
	return a
}

func rowsLeft(has []bool) (left []int) {
	for i, is := range has {
		if !is {
			left = append(left, i)
		}
	}
	return left
}

// right is the share of rows that are predicted right.
func right(at *label.Answer, truth, rows []int) float64 {
	count := 0
	for _, i := range rows {
		if at.Decided[i] == truth[i] {
			count++
		}
	}
	return float64(count) / float64(len(rows))
}

// holds reports whether the interval of audits contains share, the share of correct predictions
// among the rows left.
func holds(audits []store.Audit, labels, left int, share float64) bool {
	const rounding = 1e-9
	latest := recent(audits, labels)
	if len(latest) == 0 {
		return true
	}
	p := measured(latest, left)
	return p.Low <= share+rounding && share <= p.High+rounding
}

// TestStop plays 20 labellings of each of seven sets. In 95 % of them or more the advice to stop
// comes before the end. In 10 % of them or less it comes early: more than two points too many rows
// are still predicted wrong. The intervals of audits cover the share of correct predictions among
// the remaining rows in 90 to 98 % of the labellings. This is the mean over the audits of a whole
// labelling and those with 30 more after the advice.
func TestStop(t *testing.T) {
	if os.Getenv("LAPSVM_LONG") == "" {
		t.Skip("takes minutes: set LAPSVM_LONG")
	}
	sets := []struct {
		name, file string
		features   int
	}{
		{"g50c", "g50c/g50c.svm.gz", 50}, {"coil20", "coil20/coil20.svm.gz", 1024}, {"mnist", "mnist/train-images-idx3-ubyte.gz", 0},
		{"ionosphere", "ionosphere/ionosphere.svm.gz", 34}, {"uspst", "uspst/uspst.svm.gz", 256}, {"pcmac", "pcmac/pcmac.svm.gz", 7511},
		{"facemit", "facemit/train-images-idx3-ubyte.gz", 0},
	}
	var all []played
	for _, s := range sets {
		t.Run(s.name, func(t *testing.T) {
			d, err := files.ReadFile(golden.External(t, "data/"+s.file), files.Options{Features: s.features})
			if err != nil {
				t.Fatal(err)
			}
			var of []played
			for draw := range uint64(runsPlayed) {
				of = append(of, play(t, d, draw+1))
			}
			tell(t, of)
			all = append(all, of...)
		})
	}
	if len(all) < runsPlayed*len(sets) {
		return
	}
	advised, early, covered, after := tell(t, all)
	if !(advised >= 0.95) || !(early <= 0.1) {
		t.Errorf("advice in %.2f of the labellings, early in %.2f", advised, early)
	}
	if hold := (covered + after) / 2; !(hold >= 0.9 && hold <= 0.98) {
		t.Errorf("intervals hold in %.3f of the labellings at the end, in %.3f of the advised", covered, after)
	}
}

// tell logs the outcome of labellings and returns four shares: labellings advised to stop before
// the end, labellings advised early, labellings with a true interval at the end, and, of those
// advised, labellings with a true interval after the advice.
func tell(t *testing.T, all []played) (advised, early, covered, after float64) {
	t.Helper()
	var labels []int
	spent, wrong, end := 0.0, 0.0, 0.0
	count := func(is bool, of *float64) {
		if is {
			*of++
		}
	}
	for _, p := range all {
		labels = append(labels, p.labels)
		spent += float64(p.labels) / float64(p.wanted)
		wrong, end = wrong+p.wrong, end+p.end
		count(p.advised, &advised)
		count(p.early, &early)
		count(p.covered, &covered)
		count(p.advised && p.measured, &after)
	}
	slices.Sort(labels)
	n := float64(len(all))
	t.Logf("labels at the advice %d (%d to %d), %.2f of those wanted; wrong %.1f %%, at the end %.1f %%; of %d labellings advised %.0f, early %.0f; intervals hold in %.0f at the end, in %.0f with 30 audits",
		labels[len(labels)/2], labels[0], labels[len(labels)-1], spent/n, 100*wrong/n, 100*end/n, len(all), advised, early, covered, after)
	return advised / n, early / n, covered / n, after / max(1, advised)
}
