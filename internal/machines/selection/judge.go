package selection

import (
	"cmp"
	"context"
	"math"
	"slices"

	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/points/graph"
	"lapsvm/points"
)

// What the judge goes by. A log score is the logarithm of a likelihood.
const (
	// decisive is the least log score of another machine or way over what stands, for each thing that changes. It is then e² times as likely, seven times.
	decisive = 2
	// lostAlike is how many labels, beside those that are held out, two of them are taken to lose alike.
	lostAlike = 4
)

// likelihoodRatio returns the log score of l held-out labels for a mean loss h over another one h', with ν = 4:
//
//	(l + ν)/p ln((l + ν)h'/(l h + ν h'))
//
// It is the logarithm of the ratio of likelihoods of independent errors. They are normal where losses are their squares, p = 2, and have Laplace's distribution where losses are
// their magnitudes, p = 1. It is as if ν more labels had the loss h' by either, so that few labels that happen to be known well do not say much: six say 4.6 at most.
func likelihoodRatio(loss, other float64, labels int, p float64) float64 {
	if loss == other {
		return 0 // of losses of 0, too
	}
	l := float64(labels)
	return (l + lostAlike) / p * math.Log((l+lostAlike)*other/(l*loss+lostAlike*other))
}

// labelsOver returns the log score of held-out labels for their losses ℓ by machines over those ℓ' by other ones. It is the [likelihoodRatio] r of their means h and h', and no more
// than the chance of labels leaves of it: the normal density of r about r, over that about −r, has the logarithm 2r²/s². So where few labels make most of r
// it is worth less. The variance is that over l labels, to first order:
//
//	s² = l/(l − 1) Σ u²,   u = (l + ν)/p (ℓ' h/h' − ℓ)/(l h + ν h')
func labelsOver(losses, other []float64, p float64) float64 {
	h, hOther, l := mean(losses), mean(other), float64(len(losses))
	r := likelihoodRatio(h, hOther, len(losses), p)
	if len(losses) < 2 {
		return r
	}
	variance := 0.0
	for k, loss := range losses {
		u := (l + lostAlike) / p * (other[k]*h/hOther - loss) / (l*h + lostAlike*hOther)
		variance += l / (l - 1) * u * u
	}
	if variance > 2*math.Abs(r) {
		r *= 2 * math.Abs(r) / variance
	}
	return r
}

// way is a way to see the rows of a sample.
type way struct {
	name    string
	sample  *dataset.Dataset // as it is described
	parts   []string         // of its description
	recipe  train.Recipe
	changes int  // from the way that stands
	again   bool // the sample is large, so that what few points prefer is asked again
}

// Judged is what speaks for machines, beside others for the same labels.
type Judged struct {
	fit    float64      // modularity, of a way less that of shuffled labels; 0 of pictures
	losses []float64    // of the held-out labels
	power  float64      // p of [likelihoodRatio]
	by     train.Recipe // of machines outside of a choice
}

// Over returns the log score of machines over other ones:
//
//	β (q − q') + r min(1, 2|r|/s²),   r = (l + ν)/p ln((l + ν)h'/(l h + ν h'))
//
// with β of [logScore], and see [labelsOver]. q is the modularity of the predicted classes in the graph
// of the machines' points, less that with shuffled labels. A graph has classes of its own, whatever the labels say: those do not count.
func (j *Judged) Over(other *Judged) float64 {
	labels := len(j.losses)
	e := modularityScore(labels) * (j.fit - other.fit)
	if labels > 0 {
		e += labelsOver(j.losses, other.losses, j.power)
	}
	return e
}

// Replaces reports whether machines take the place of those that stand. Machines that see the rows alike need the higher log score. Another scaling needs [decisive] more, and so does each
// part of a description that is added or left out.
func (j *Judged) Replaces(standing *Judged) bool {
	changes, has, had := 0, j.by.Describe.Names(), standing.by.Describe.Names()
	for _, name := range slices.Concat(has, had) {
		if !slices.Contains(has, name) || !slices.Contains(had, name) {
			changes++
		}
	}
	if j.by.Standardise != standing.by.Standardise {
		changes++
	}
	return j.Over(standing) > decisive*float64(changes)
}

// Judge returns what speaks for the machines of a recipe, such as those of the page to label on. They say left of the labels of a task without these,
// [machine][label], and all of the points of a graph, [machine][point]. What the task does not know, or no label repeats, does not count.
func Judge(r train.Recipe, t *task.Task, left [][]float64, w *graph.Adjacency, all [][]float64) *Judged {
	j := &Judged{power: r.Criterion.Power(), by: r}
	if kindOf(t.Kind).cannot != "" {
		return j
	}
	h := hold(t)
	h.criterion = r.Criterion
	h.count = slices.DeleteFunc(t.Repeated(), func(k int) bool { return !h.tells(k) })
	j.losses, j.fit = h.losses(left, h.count), graphFit(t, w, all)
	return j
}

// preferred returns the way with the highest log score over the one that stands, less what its changes need, and how many labels were held out for it. It climbs: after the ways
// beside the one that stands come those beside the best, until these are no better. Where the sample has more than fewPoints points, it climbs on these, and asks again of all of the sample
// what they prefer. Where no label can be held out the graph judges the parts of a description alone.
func preferred(ctx context.Context, standing way, beside func(way) []way, run train.Run) (best way, labels int, err error) {
	first, err := judge(ctx, standing, run, fewPoints)
	if err != nil || first == nil || len(first.losses) == 0 && !standing.sample.Described() {
		return standing, 0, err
	}
	best, labels = standing, len(first.losses)
	most, seen := 0.0, map[string]bool{standing.name: true}
	var better []way
	for climbs := true; climbs; {
		climbs = false
		var ways []way
		for _, w := range beside(best) {
			if !seen[w.name] && (labels > 0 || w.sample.Described()) {
				seen[w.name], ways = true, append(ways, w)
			}
		}
		scores, err := overAll(ctx, ways, first, run)
		if err != nil {
			return standing, 0, err
		}
		for k, w := range ways {
			if scores[k] > 0 {
				better = append(better, w)
			}
			if scores[k] > most {
				best, most, climbs = w, scores[k], true
			}
		}
	}
	if len(better) == 0 || !standing.again {
		return best, labels, nil
	}
	if first, err = judge(ctx, standing, run, somePoints); err != nil || first == nil {
		return standing, labels, err
	}
	best, labels, most = standing, len(first.losses), 0
	for _, w := range better {
		score, err := w.over(ctx, first, run, somePoints)
		if err != nil {
			return standing, 0, err
		}
		if score > most {
			best, most = w, score
		}
	}
	return best, labels, nil
}

// overAll returns what [way.over] does for different ways on few points. Several are judged at the same time, as much of each keeps one goroutine busy.
func overAll(ctx context.Context, ways []way, standing *Judged, run train.Run) ([]float64, error) {
	scores, errs := make([]float64, len(ways)), make([]error, len(ways))
	side := max(1, min(len(ways), parallel.Threads(ctx)))
	each := parallel.Unwatched(parallel.WithLimit(ctx, parallel.Threads(ctx)/side))
	parallel.Do(parallel.WithLimit(ctx, side), len(ways), func(_, k int) { scores[k], errs[k] = ways[k].over(each, standing, run, fewPoints) })
	return scores, cmp.Or(errs...)
}

// over returns the log score for a way on a number of points over the way that stands, less what its changes need. It is −∞ where there is nothing to compare.
func (w way) over(ctx context.Context, standing *Judged, run train.Run, most int) (float64, error) {
	j, err := judge(ctx, w, run, most)
	if err != nil || j == nil {
		return math.Inf(-1), err
	}
	return j.Over(standing) - decisive*float64(w.changes), nil
}

// judge measures a way on a number of points at most, by the machines of the graphs that a choice begins with, or by supervised ones. It returns nil where there is nothing to
// compare. An open scaling is that of the units.
func judge(ctx context.Context, w way, run train.Run, most int) (*Judged, error) {
	run.Log, run.Compared = nil, nil
	d, r := byPoints(w.sample, kernelForText(w.sample, w.recipe))
	r.Describe, r.Graph.Metric = train.Undescribed, graph.Euclidean
	if r.Standardise == "" {
		r.Standardise = points.AsIs
		if different, _ := units(d); different && !d.Described() && !d.Encoding.HasText() {
			r.Standardise = points.Columns
		}
	}
	a, why, err := newComparison(ctx, d, r, run, most, 0)
	if err != nil || why != "" {
		return nil, err
	}
	j, labelsAlone := new(Judged), !d.Image.None()
	if a.held != nil {
		a.held.blocks = nil // no error is announced
		j.power = a.held.criterion.Power()
	}
	a.shuffled = a.held != nil && !labelsAlone
	list := a.baselines
	if !r.Supervised {
		list = a.machinesOn(newGraphs(a.machines).middle())
	}
	some, err := a.measure(ctx, list, new(counter))
	if err != nil || len(some) == 0 {
		return nil, err
	}
	weights := weightsOf(a.logScores(some, -1))
	all := sum(weights)
	j.losses = make([]float64, len(some[0].losses))
	for i, m := range some {
		w := weights[i] / all
		if !labelsAlone {
			j.fit += w * (m.modularity - m.chance)
		}
		vec.Axpy(w, m.losses, j.losses)
	}
	return j, nil
}
