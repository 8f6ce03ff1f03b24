package selection

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"lapsvm/dataset"
	"lapsvm/internal/describe"
	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
	"lapsvm/points"
)

const (
	describedPoints = 250 // most points on which descriptions are compared
	picturedPoints  = 500 // and those of pictures: dots need more points than a description does
	leastSide       = 8   // of pictures that have them, in dots

	// The evidence against what stands that counts as strong: a description says something of all columns, but a column may be noise.
	strongScore = 5
	columnScore = 1

	// The log score of held-out labels that a description of pictures needs.
	partScore = 2 // for each that it lacks of gradients and filters
	dotsScore = 4 // for dots that are described
	lostAlike = 4 // labels that descriptions are taken to lose alike, beside those that are held out
)

// Describe returns d as the recipe describes it, and the recipe with that description. Where it is open,
// pictures get gradients and filters side by side. Tables with text or vectors, and sparse rows of terms, see [train.HasTerms], get all their descriptions. Either get others by
// [description], so a text, a vector or the columns beside it may count for nothing. A table of numbers gets its factors where held-out labels and the graph speak for them, see [describe.LearnFactors].
// Other points get none. So do pictures where a width is given, as it is
// in the unit of the dots, and tables where a kernel is given. Points from which no description can be learned get none.
//
// It fails where [train.Fit] does. Cost: a second, and the description of all points.
func Describe(ctx context.Context, d *dataset.Dataset, r train.Recipe, run train.Run) (*dataset.Dataset, train.Recipe, error) {
	run = run.Comparing()
	if err := d.CheckWeights(); err != nil {
		return nil, r, train.OfKind(train.ErrData, err)
	}
	asRead := d
	if r.Describe == "" && open(r) {
		var err error
		if d, err = train.Pictured(ctx, d, r.Seed); err != nil {
			return nil, r, err
		}
	}
	if r.Describe == "" && factorable(d, r) {
		by, err := byTerms(ctx, d, r, run)
		if err != nil {
			return nil, r, err
		}
		if by != nil {
			r.Describe = train.DescribedBy(train.PartNames(by.Encoding, by.Description())...)
			return by, r, nil
		}
		if by, err = byFactors(ctx, d, r, run); err != nil {
			return nil, r, err
		}
		if by != nil {
			r.Describe = describe.Factors
			return by, r, nil
		}
	}
	if r.Describe != "" || !describable(d, r) {
		r.Describe = cmp.Or(r.Describe, train.Undescribed)
		d, err := train.Describe(ctx, asRead, r, run)
		return d, r, err
	}
	if d.Described() {
		r.Describe = train.DescribedBy(train.PartNames(d.Encoding, d.Description())...)
		return d, r, nil
	}
	if run.Progress != nil {
		run.Progress("describing", 0, 0)
	}
	learnt, whole, err := train.LearnDescription(ctx, d, nil, r.Seed)
	if errors.Is(err, train.ErrData) { // such as equal pictures, or texts without a known word
		r.Describe = train.Undescribed
		return asRead, r, nil
	}
	if err != nil {
		return nil, r, err
	}
	kept := comparingOf(d).incumbent
	if !r.RulesOfThumb && !r.Supervised && kindOf(r.Kind).cannot == "" {
		rows := sampled(d, comparingOf(d).most, r.Seed)
		sample := whole
		if whole != nil {
			sample = whole.Subset(rows)
		} else if sample, err = train.Described(ctx, d.Subset(rows), learnt); err != nil {
			return nil, r, err
		}
		if kept, err = description(ctx, sample, r, run); err != nil {
			return nil, r, err
		}
	}
	by := describe.Only(learnt, kept)
	if len(by.List()) == 0 {
		r.Describe = train.Undescribed
		return asRead, r, nil
	}
	r.Describe = train.DescribedBy(train.NamesOf(d.Encoding, learnt, by)...)
	if whole != nil {
		return whole.Only(kept), r, nil
	}
	d, err = train.Described(ctx, d, by)
	return d, r, err
}

// describable reports whether the points of d may be described: pictures, texts, terms, or vectors beside other columns, with every
// other setting of their scale open, and of all but pictures the kernel too.
func describable(d *dataset.Dataset, r train.Recipe) bool {
	columns := d.Encoding.HasText() || besideVectors(d.Encoding) || train.HasTerms(d)
	if columns && r.Kernel != nil || !columns && min(d.Image.Width, d.Image.Height) < leastSide {
		return false
	}
	return open(r)
}

// open reports whether a recipe leaves open what is in the unit of the points.
func open(r train.Recipe) bool {
	if !r.Open() || len(r.Members) > 0 || r.Standardise != "" || r.Graph.HeatWidth > 0 {
		return false
	}
	return kernel.OfFeatures(r.Kernel) && (r.Kernel == nil || kernel.Open(r.Kernel))
}

// besideVectors reports whether a table has vectors and other columns beside each other. The encoding may be nil.
func besideVectors(e *dataset.Encoding) bool {
	count := 0
	for k := range e.All() {
		if e.Columns[k].Width() > 0 {
			count++
		}
	}
	return count > 1 && train.HasParts(e)
}

// parts says which parts of a description are kept.
type parts func(*describe.Part) bool

// all and none keep all parts and none.
func all(*describe.Part) bool  { return true }
func none(*describe.Part) bool { return false }

// named keeps the parts of pictures with some names.
func named(names ...string) parts {
	return func(p *describe.Part) bool { return slices.Contains(names, p.Name) }
}

// comparing is how descriptions of some rows are compared.
type comparing struct {
	pictures  bool  // which held-out labels alone judge
	most      int   // points, at most
	incumbent parts // that stand where nothing speaks against them: of pictures gradients and filters, of a table all
}

func comparingOf(d *dataset.Dataset) comparing {
	if d.Image.None() {
		return comparing{false, describedPoints, all}
	}
	return comparing{true, picturedPoints, named(describe.HOG, describe.Patches)}
}

// description returns the parts to take of the description of a sample. Descriptions are compared on the same points, at most 250, of pictures 500, and all
// that are labelled, each by the machines with the graphs that a choice begins with. Held-out labels alone judge pictures, see [mostLikely]. Of a table all parts stand
// first, and those that do harm are left out, see [without]. Where no label can be held out pictures have gradients and filters or no description, and the classes that machines
// predict are held against the graph of these two. No description, of a table or without held-out labels, needs strong evidence, see [judged.over].
func description(ctx context.Context, sample *dataset.Dataset, r train.Recipe, run train.Run) (parts, error) {
	of := comparingOf(sample)
	var reference *graph.Adjacency
	judge := func(kept parts) (*judged, error) {
		j, err := pilot(ctx, sample.Only(kept), r, run, reference)
		if j != nil {
			j.kept = kept
		}
		return j, err
	}
	first, err := judge(of.incumbent)
	if err != nil || first == nil {
		return of.incumbent, err
	}
	held := len(first.losses) > 0
	strong := float64(strongScore)
	if held {
		strong = columnScore
	}
	best := first
	switch {
	case of.pictures && held:
		return mostLikely(first, judge)
	case of.pictures:
		reference = first.reference
	default:
		if best, err = without(first, train.PartNames(sample.Encoding, sample.Description()), sample, strong, judge); err != nil {
			return nil, err
		}
	}
	undescribed, err := judge(none)
	if err != nil || undescribed == nil {
		return first.kept, err
	}
	if undescribed.over(best) > strongScore {
		best = undescribed
	}
	return best.kept, nil
}

// without returns the description of a table without parts that do harm. The part that does most harm is left out where the log score against it is strong, then the next.
func without(best *judged, names []string, sample *dataset.Dataset, strong float64, judge func(parts) (*judged, error)) (*judged, error) {
	for len(names) > 1 {
		var next *judged
		of := 0
		for k, name := range names {
			kept := func(p *describe.Part) bool {
				part := train.PartName(sample.Encoding, p)
				return part != name && slices.Contains(names, part)
			}
			if !slices.ContainsFunc(sample.Description().List(), func(p describe.Part) bool { return kept(&p) }) {
				continue
			}
			other, err := judge(kept)
			if err != nil {
				return nil, err
			}
			if other != nil && (next == nil || other.over(best) > next.over(best)) {
				next, of = other, k
			}
		}
		if next == nil || !(next.over(best) > strong) {
			break
		}
		best, names = next, slices.Delete(names, of, of+1)
	}
	return best, nil
}

// mostLikely returns the parts to take of the description of pictures. Gradients and filters stand first. Taken are the parts with the highest log score over these, see
// [judged.logLikelihoodRatio], less what they need: 2 for each of the two that they lack, and 4 for described dots. So dots as they are, without a description, need 4.
// Described dots are compared without one of the two, or both, where labels are likelier by all three than by the two.
func mostLikely(first *judged, judge func(parts) (*judged, error)) (parts, error) {
	best, most := first.kept, 0.0
	consider := func(needed float64, names ...string) (logScores float64, err error) {
		j, err := judge(named(names...))
		if err != nil || j == nil {
			return 0, err
		}
		logScores = j.logLikelihoodRatio(first)
		if logScores-needed > most {
			best, most = j.kept, logScores-needed
		}
		return logScores, nil
	}
	fewer := [][]string{{describe.HOG}, {describe.Patches}, {}}
	for _, names := range fewer {
		if _, err := consider(partScore*float64(2-len(names)), names...); err != nil {
			return nil, err
		}
	}
	beside, err := consider(dotsScore, describe.HOG, describe.Patches, describe.RawPixels)
	if err != nil || !(beside > 0) {
		return best, err
	}
	for _, names := range fewer {
		if _, err := consider(dotsScore+partScore*float64(2-len(names)), append(names, describe.RawPixels)...); err != nil {
			return nil, err
		}
	}
	return best, nil
}

// judged is a description with what speaks for it: means over its machines, weighed by log scores.
type judged struct {
	kept   parts
	fit    float64   // modularity less that of shuffled labels; where no label is held out, modularity; 0 of pictures where some are
	losses []float64 // of the held-out labels

	reference *graph.Adjacency // that predicted classes are held against
}

// over returns the log score for a description over another one:
//
//	β (q − q') + sign(z) z²/2,   z = Σ dᵢ/√(Σ dᵢ²)
//
// with β of [logScore]. dᵢ is how much less is lost on held-out label i. q is the modularity of the predicted classes in the graph
// of the description, less that with shuffled labels. A graph has classes of its own, whatever the labels say: those do not count.
func (j *judged) over(other *judged) float64 {
	e := modularityScore(len(j.losses)) * (j.fit - other.fit)
	var sum, squares float64
	for i, loss := range j.losses {
		d := other.losses[i] - loss
		sum, squares = sum+d, squares+d*d
	}
	if squares > 0 {
		e += math.Copysign(sum*sum/squares/2, sum)
	}
	return e
}

// logLikelihoodRatio returns the log score of l held-out labels alone, with mean losses h and h' of the two, and ν = 4:
//
//	(l + ν)/2 ln((l + ν)h'/(l h + ν h'))
//
// It is the logarithm of the ratio of likelihoods of independent errors of two variances, as if ν more labels had the loss h' by either. Two machines are told apart by the
// same without these, see [logScore]. So few labels that a description happens to know well are not enough: six say 4.6 at most.
func (j *judged) logLikelihoodRatio(other *judged) float64 {
	l, h, standing := float64(len(j.losses)), mean(j.losses), mean(other.losses)
	return (l + lostAlike) / 2 * math.Log((l+lostAlike)*standing/(l*h+lostAlike*standing))
}

// shuffles is how often labels are shuffled where modularity counts most. Where it counts less, they are shuffled less often.
const shuffles = 4

// pilot judges the description of d by the machines of the graphs that a choice begins with, or by supervised ones. It returns nil where there is nothing to
// compare. Predicted classes are held against the graph of the description, or against another one. An open scaling is that of the units.
func pilot(ctx context.Context, d *dataset.Dataset, r train.Recipe, run train.Run, reference *graph.Adjacency) (*judged, error) {
	run.Log, run.Compared = nil, nil
	d, r = byPoints(d, kernelForText(d, r))
	r.Describe, r.Graph.Metric = train.Undescribed, graph.Euclidean
	if r.Standardise == "" {
		r.Standardise = points.AsIs
		if different, _ := units(d); different && !d.Described() && !d.Encoding.HasText() {
			r.Standardise = points.Columns
		}
	}
	of := comparingOf(d)
	a, why, err := newComparison(ctx, d, r, run, of.most, 0)
	if err != nil || why != "" {
		return nil, err
	}
	labels := of.pictures && a.held != nil // judge alone
	if a.held != nil {
		a.held.blocks = nil // no error is announced
		if !labels {
			a.shuffles = int(math.Ceil(shuffles * modularityScore(len(a.held.count)) / partitionScore))
		}
	}
	if reference != nil {
		a.reference = reference
	}
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
	j := &judged{reference: a.reference, losses: make([]float64, len(some[0].losses))}
	for i, m := range some {
		w := weights[i] / all
		if !labels {
			j.fit += w * (m.modularity - m.chance)
		}
		vec.Axpy(w, m.losses, j.losses)
	}
	return j, nil
}

// chance sets the mean modularity of the classes that measured machines of some cells of a group predict where they have the same
// labels in another order.
func (m measuring) chance(ctx context.Context, those []*measured, problems []*deformed.Problem, by []*deformed.Smoother) error {
	for k := range m.shuffles {
		order := rand.New(rand.NewPCG(m.recipe.Seed, uint64(19+k))).Perm(len(m.task.Labelled))
		targets := make([][]float64, len(m.columns.Targets))
		for column, y := range m.columns.Targets {
			targets[column] = of(y, order)
		}
		outputs, err := outputsOf(ctx, problems, by, targets)
		if err != nil {
			return err
		}
		for i, one := range those {
			other := measured{candidate: one.candidate}
			m.fit(&other, outputs[i])
			one.chance += other.modularity / float64(m.shuffles)
		}
	}
	return nil
}

// sampled returns rows of d, ascending: the labelled ones, and others drawn by the seed up to a number.
func sampled(d *dataset.Dataset, most int, seed uint64) []int {
	rows := d.Labelled()
	for _, i := range gram.DrawRows(d.Points.Len(), d.Points.Len(), seed) {
		if len(rows) < most && d.Y[i] == dataset.Unlabelled {
			rows = append(rows, i)
		}
	}
	slices.Sort(rows)
	return rows
}
