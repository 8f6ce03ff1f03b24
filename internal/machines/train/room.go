package train

import (
	"cmp"
	"fmt"

	"lapsvm/internal/machines/functionspace"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/system/size"
	"lapsvm/points"
)

// DefaultLandmarks is the number of landmarks unless a recipe says. leastLandmarks is the least number where the memory has no room for so many.
const (
	DefaultLandmarks = 500
	leastLandmarks   = 200
)

// The memory in bytes of a training on landmarks, for each point. A neighbour has its edges there
// and back in the graph, in the Laplacian and in its polynomial. The point has its own entries in
// these. A neighbour that no graph has takes a candidate alone. A machine has its outputs and residuals, both in place and gathered.
const (
	bytesOfCandidate = 12
	bytesOfNeighbour = bytesOfCandidate + 16*28/10
	bytesOfPoint     = 300
	bytesOfMachine   = 40
	bytesOfNewton    = 5 * 16 * 8 // the panels of Newton's method, for many labels
)

// landmarkBytes is the memory beside the points and Φ, the largest of three: the search for
// neighbours, which precedes Φ, the solution, and the fit of landmarks for new points.
func landmarkBytes(p Plan) int64 {
	options := p.options()
	n, k := int64(p.N), int64(options.Graph.Neighbours)
	sought, _ := options.Sought(p.N)
	sampled, columns := p.Sampled()
	space, _ := functionspace.Bytes(p.N, p.Recipe.Landmarks, columns, p.Recipe.Precision)
	solving := n*(k*bytesOfNeighbour+(int64(sought)-k)*bytesOfCandidate+bytesOfPoint+int64(p.Machines)*bytesOfMachine) + space
	if p.Recipe.Challenger != nil && sampled == 0 { // with outputs of its own
		solving += n * int64(p.Machines) * bytesOfMachine
	}
	if p.ByNewton() {
		solving += n * bytesOfNewton
	}
	if sampled > 0 { // which is held beside Φ alone
		some := p
		some.N, some.all, some.searching = sampled, sampled, 0
		if its := some.phiBytes() + landmarkBytes(some); p.ByNewton() { // which needs it until labels are held out
			solving += its
		} else {
			solving = max(solving, its)
		}
		solving += some.pointBytes()
	}
	distilled := p.Recipe.Landmarks
	if p.Recipe.Compact {
		distilled = min(max(compactLandmarks, distilled), p.N)
	}
	return max(solving, p.searching-p.phiBytes(), distilBytes(distilled))
}

// Sampled returns how many points a sample has that stands for all points, 0 for none, and in how many columns machines
// are found: one for every label, or with a sample, and with very many labels, one for every machine.
func (p Plan) Sampled() (points, columns int) {
	switch {
	case p.Recipe.Samples(p.all, p.Labelled):
		return sampledPoints(p.all) + p.Labelled, p.Machines
	case p.ByNewton():
		return 0, p.Machines
	}
	return 0, p.Labelled
}

// ByNewton reports whether the solver Landmarks takes Newton's method for so many labels.
func (p Plan) ByNewton() bool { return p.Labelled > mostColumns }

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
		_, columns := p.Sampled()
		_, solved := functionspace.Bytes(p.N, p.Recipe.Landmarks, columns, p.Recipe.Precision)
		outside += solved
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
// the memory allowed has room for, up to those by default. It fails where it has room for
// too few.
func (p *Plan) fitLandmarks(asked int, allowed int64) error {
	needs := func(m int) int64 {
		q := *p
		q.Recipe.Landmarks = min(m, p.all)
		return p.Points + q.phiBytes() + landmarkBytes(q)
	}
	most := cmp.Or(asked, DefaultLandmarks)
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
	advice := "take fewer points, or allow more memory"
	switch {
	case fit >= leastLandmarks:
		advice = fmt.Sprintf("take at most %d landmarks, or allow more memory", fit)
	case p.storage == points.Float64:
		advice = "take fewer points, keep them in float32 or bytes (npy, npz), or allow more memory"
	}
	least := min(most, max(fit, leastLandmarks))
	if least < most {
		return fmt.Errorf("training on %d points of %d features takes %s with %d landmarks and %s with %d, but %s may be used: %s",
			p.N, p.D, size.Text(needs(most)), most, size.Text(needs(least)), least, size.Text(allowed), advice)
	}
	return fmt.Errorf("training on %d points of %d features takes %s with %d landmarks, but %s may be used: %s", p.N, p.D, size.Text(needs(most)), most, size.Text(allowed), advice)
}
