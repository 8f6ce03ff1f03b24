package neighbours

import (
	"context"
	"math"
	"slices"

	"lapsvm/internal/ranks/comm"
)

// sieve drops candidates by their sketches. It estimates the squared distance of two points x and y
// by
//
//	‖Vx − Vy‖² + turn·(r_x² + r_y²)
//
// where r is the length of the part of a point outside the directions V. With turn = 0 the estimate
// never exceeds the squared distance. turn is 1 − cos of the angle between the outside parts of two
// points, exceeded by all but a tenth of the neighbours found before. So few neighbours are lost,
// and most other candidates are never compared.
type sieve struct {
	scale  float64 // of sketches
	margin float64 // for the rounding of distances between sketches
	whole  bool    // sketches are the points themselves
	turn   float32
}

// mostLost is the largest share of neighbours that a sieve takes to be farther than they
// are.
const mostLost = 0.1

// newSieve returns the sieve of the sketches of all ranks before it has learnt anything.
func newSieve(ctx context.Context, ranks *comm.Comm, b *Basis, sketches []float32) (sieve, error) {
	s := sieve{scale: b.Scale, whole: b.Directions == nil}
	for from := 0; from+b.Width <= len(sketches); from += b.Width {
		y := sketches[from : from+b.Width]
		s.margin = max(s.margin, float64(project(y, y)))
	}
	largest := []float64{s.margin}
	err := ranks.Max(ctx, largest)
	s.margin = math.Sqrt(largest[0]) * 0x1p-20
	return s, err
}

// limit returns the largest estimate, in the unit of sketches, that a squared distance allows.
func (s *sieve) limit(squared float64) float32 {
	root := math.Sqrt(squared)*s.scale + s.margin
	return float32(root * root)
}

// passes reports whether the estimate for two sketches is within a limit.
func (s *sieve) passes(x, y []float32, limit float32) bool {
	if s.whole {
		return apart(x, y, limit) <= limit
	}
	last := len(x) - 1
	rest := s.turn * (x[last]*x[last] + y[last]*y[last])
	return rest <= limit && apart(x[:last], y[:last], limit-rest) <= limit-rest
}

// turns appends what the turn is for a sketch x and each of others, at these squared
// distances.
func turns[T ~int32](s *sieve, to []float64, x []float32, sketch func(T) []float32, others []T, squared []float64) []float64 {
	last := len(x) - 1
	for c, j := range others {
		y := sketch(j)
		if rest := float64(x[last]*x[last] + y[last]*y[last]); rest > 0 {
			within := float64(apart(x[:last], y[:last], math.MaxFloat32))
			to = append(to, (squared[c]*s.scale*s.scale-within)/rest)
		}
	}
	return to
}

// learn takes the turn from those of neighbours, of which a share is to be lost.
func (s *sieve) learn(turns []float64, lost float64) {
	if s.turn = 0; len(turns) == 0 || s.whole {
		return
	}
	slices.Sort(turns)
	s.turn = float32(max(turns[int(lost*float64(len(turns)))], 0))
}

// learnSieve learns from the neighbours that the sampled points have, for a share of
// them to be lost.
func (f *finder) learnSieve(ctx context.Context, sampled []listed, lost float64) error {
	var all []float64
	for _, l := range sampled {
		some := min(f.k, len(l.ids))
		all = turns(&f.sieve, all, f.cells.sketchOf(l.place), l.sketch, l.ids[:some], l.squared[:some])
	}
	gathered, err := f.ranks.Gather(ctx, comm.Bytes(all))
	if err != nil {
		return err
	}
	f.sieve.learn(comm.Numbers[float64](slices.Concat(gathered...)), lost)
	return nil
}
