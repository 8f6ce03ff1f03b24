package train

import (
	"cmp"
	"fmt"

	"lapsvm/internal/machines/nystrom"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/system/fault"
	"lapsvm/internal/system/size"
	"lapsvm/points"
)

// DefaultLandmarks is the number of landmarks unless a recipe says. leastLandmarks is the least number where the memory has no room for so many.
const (
	DefaultLandmarks = 500
	leastLandmarks   = 100
)

// The memory in bytes of a training on landmarks, for each point or entry of its graph. Some of the k nearest of a point have it
// among theirs too. So a point has about 1.6 entries for each of k.
const (
	bytesOfPoint    = 24  // that is kept until the end, beside its neighbours
	bytesOfHalf     = 16  // an edge from one of its points, while edges are sorted
	bytesOfEdge     = 12  // an entry of a graph
	bytesOfEntry    = 12  // an entry of L
	bytesOfStep     = 4   // the same of its polynomial
	bytesOfRow      = 24  // start, diagonal and root of L
	bytesOfScores   = 24  // a row of scores, beside the scores
	bytesOfIndex    = 50  // of new points, beside sketches and links
	bytesOfHalo     = 128 // panels of the polynomial, of ranks
	entriesPerTenth = 16
)

// landmarkBytes is the memory beside the points and Φ, the most of the stages of a training. One gives back what the
// next one does not need:
//
//   - the search for neighbours, which precedes Φ;
//   - the graph, whose edges are sorted;
//   - L in the order of the points and in that of the landmarks;
//   - the training on a sample, if there is one, beside L alone;
//   - the solution, in panels;
//   - the functions that are made of it;
//   - what the model has for new points, with scores and index.
func landmarkBytes(p Plan) int64 {
	options := p.options()
	n, k := int64(p.N), int64(options.Graph.Neighbours)
	most, _ := options.Sought(p.N)
	sought, entries := int64(most), k*entriesPerTenth/10
	several := len(p.Recipe.Members) > 0
	kept, distances := bytesOfPoint+4*sought, 8*sought
	laplacian := bytesOfRow + entries*(bytesOfEntry+bytesOfStep)
	held := kept + laplacian
	if several || p.edges { // whose graphs are made later
		held += distances + entries*(bytesOfEdge+2*bytesOfEntry)
	} else if p.N < p.all { // ranks gather distances
		held += distances + bytesOfHalo
	}
	connecting := kept + distances + 2*k*bytesOfHalf + entries*bytesOfEdge
	ordering := kept + distances + entries*(bytesOfEdge+bytesOfEntry) + 2*bytesOfRow + entries*bytesOfEntry
	space, sampled := p.space(), p.Sampled()
	solving, sampling := n*held+max(space.Solving, space.Functions), int64(0)
	if p.Recipe.Pending.Challenger != nil && sampled == 0 { // with outputs of its own
		solving += 16 * n * int64(p.Machines)
	}
	if sampled > 0 { // which is held beside Φ alone
		some := p
		some.N, some.all, some.searching = sampled, sampled, 0
		its := some.phiBytes() + landmarkBytes(some) + some.pointBytes()
		if sampling = n*held + its; p.ByNewton() { // which needs it until labels are held out
			solving += its
		}
	}
	distilled := p.Recipe.Landmarks
	if p.Recipe.Compact {
		distilled = min(max(compactLandmarks, distilled), p.N)
	}
	machines := int64(p.Machines)
	ending := n*(held+bytesOfScores+(16+8+4)*machines+bytesOfIndex+2*4*k+4*min(int64(p.D), 32)) + distilBytes(distilled)
	return max(p.searching-p.phiBytes(), n*connecting, n*ordering, sampling, solving, ending)
}

// space returns the memory of the space of functions.
func (p Plan) space() nystrom.Memory {
	columns, together := p.Labelled+1, p.Labelled+1 // that of the bias too
	switch {
	case p.ByNewton():
		columns, together = 0, p.Machines
	case p.Sampled() > 0: // and as many that correct them
		columns, together = 2*p.Machines+1, p.Machines+1
	}
	return nystrom.Bytes(p.N, p.Recipe.Landmarks, columns, together, p.Machines, p.Recipe.Precision)
}

// Sampled returns how many points a sample has that stands for all points, 0 for none. Where edges are given there is none, as some of the points have few of them.
func (p Plan) Sampled() int {
	if !p.edges && p.Recipe.Samples(p.all, p.Labelled) {
		return sampledPoints(p.all) + p.Labelled
	}
	return 0
}

// ByNewton reports whether the solver Landmarks takes Newton's method for so many labels.
func (p Plan) ByNewton() bool { return p.Labelled > mostColumns }

// HeldOut returns how many machines, each without a part of the labels, Newton's method trains for probabilities or intervals.
func (p Plan) HeldOut() int {
	folds := p.Recipe.kind().mostFolds
	if p.Sampled() == 0 && p.all > allFoldsPoints && !p.Recipe.kind().residuals {
		folds = min(folds, foldsInOnePass(p.Machines))
	}
	return folds * p.Machines
}

// pointBytes is the memory of as many points of the plan, in float64 at most.
func (p Plan) pointBytes() int64 { return 8 * int64(p.N) * int64(p.D) }

// phiBytes is the memory of Φ.
func (p Plan) phiBytes() int64 {
	return int64(p.N) * int64(p.Recipe.Landmarks) * int64(p.Recipe.Precision/8)
}

// Bytes is the memory that the training takes, with its points.
func (p Plan) Bytes() int64 { return p.Points + p.Gram.Bytes + p.Beside }

// Outside is how much of it is outside the Go heap, where the system has huge pages.
func (p Plan) Outside() int64 {
	outside := p.Gram.Bytes
	if p.Gram.Form == gram.FormLandmarks {
		outside += p.space().Columns
	}
	return outside
}

// bytes returns the memory of the points as they were read and as they are scaled.
func (s *Data) bytes() int64 {
	read := s.data.Points
	if s.Points == read {
		return read.Bytes()
	}
	if s.Points.Storage() != points.Float64 && s.Points.Storage() == read.Storage() && s.Points.Len() == read.Len() {
		return read.Bytes() + 16*int64(s.Points.Len()) // scaled as they are read
	}
	return read.Bytes() + s.Points.Bytes()
}

// fitLandmarks sets how many landmarks the plan has: those of the recipe, or as many as
// the memory allowed has room for, up to those that serve by its choice, or those by default. It fails where it has room for
// too few.
func (p *Plan) fitLandmarks(r Recipe, allowed int64) error {
	asked := r.Landmarks
	most := cmp.Or(asked, r.Pending.Landmarks, DefaultLandmarks)
	if p.unlike && !r.ByEdges {
		most = 1
	}
	needs := func(m int) int64 {
		q := *p
		q.Recipe.Landmarks = min(m, p.all)
		return p.Points + q.phiBytes() + landmarkBytes(q)
	}
	p.Recipe.Landmarks = min(most, p.all)
	p.Gram.Reason = fmt.Sprintf("made of %d of the points", p.Recipe.Landmarks)
	if allowed == 0 || needs(most) <= allowed {
		return nil
	}
	const step = 10
	fit := min(most, p.all) / step * step
	for fit >= leastLandmarks && needs(fit) > allowed {
		fit -= step
	}
	if asked == 0 && fit >= leastLandmarks {
		p.Recipe.Landmarks = fit
		p.Gram.Reason = fmt.Sprintf("made of %d of the points, as many as fit into %s", fit, size.Text(allowed))
		return nil
	}
	less := "fewer points"
	switch {
	case fit >= leastLandmarks:
		less = fmt.Sprintf("at most %d landmarks", fit)
	case p.storage == points.Float64:
		less = "fewer points, keep them in float32 or bytes (npy, npz)"
	}
	least := min(most, max(fit, leastLandmarks))
	if least < most {
		return fault.Memory.Errorf("training on %d points of %d features takes %s with %d landmarks and %s with %d, but %s may be used: take %s, or allow more memory",
			p.N, p.D, size.Text(needs(most)), most, size.Text(needs(least)), least, size.Text(allowed), less)
	}
	return fault.Memory.Errorf("training on %d points of %d features takes %s with %d landmarks, but %s may be used: take %s, or allow more memory", p.N, p.D, size.Text(needs(most)), most, size.Text(allowed), less)
}
