package neighbours

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"lapsvm/points"
)

// Division cuts the space of points into parts of about as many points each, by planes:
// it is the top of a projection tree, whose nodes split along the direction of the largest
// variance of sketches.
type Division struct {
	basis *Basis
	nodes []node
	parts int
}

// node splits the parts from its first on: so many below the plane, the others beyond.
type node struct {
	first, below, parts int
	direction           []float64 // of unit length
	threshold           float64
	next                [2]int // nodes of the halves; −1 where these are one part
}

// NewDivision divides a sample of points, the same on all who are to agree.
func NewDivision(ctx context.Context, sample *points.Points, parts int, seed uint64) (*Division, error) {
	rng := rand.New(rand.NewPCG(seed, 11))
	basis, err := newBasis(ctx, sample, rng)
	if err != nil {
		return nil, err
	}
	d := &Division{basis: basis, parts: parts}
	sketches, err := basis.sketches(ctx, sample)
	if err != nil {
		return nil, err
	}
	rows := make([]int, sample.Len())
	for i := range rows {
		rows[i] = i
	}
	d.split(sketches, rows, 0, parts)
	return d, ctx.Err()
}

// split makes the node of some parts and of the rows of the sample that are in them, and
// returns its number; −1 for one part.
func (d *Division) split(sketches []float32, rows []int, first, parts int) int {
	if parts < 2 {
		return -1
	}
	width := d.basis.Width
	n := node{first: first, below: parts / 2, parts: parts, direction: principal(sketches, rows, width)}
	values := make([]float64, len(rows))
	for k, i := range rows {
		values[k] = onto(sketches[i*width:(i+1)*width], n.direction)
	}
	sorted := slices.Sorted(slices.Values(values))
	if len(sorted) > 0 {
		n.threshold = sorted[len(sorted)*n.below/n.parts]
	}
	var halves [2][]int
	for k, i := range rows {
		halves[n.side(values[k])] = append(halves[n.side(values[k])], i)
	}
	at := len(d.nodes)
	d.nodes = append(d.nodes, n)
	below, beyond := d.split(sketches, halves[0], first, n.below), d.split(sketches, halves[1], first+n.below, parts-n.below)
	d.nodes[at].next = [2]int{below, beyond}
	return at
}

// side returns 0 for a projection below the plane, else 1.
func (n *node) side(value float64) int {
	if value < n.threshold {
		return 0
	}
	return 1
}

// Sketches returns those of points, by which [Division.Part] and [Division.Beyond] know
// them: row after row.
func (d *Division) Sketches(ctx context.Context, p *points.Points) ([]float32, error) {
	return d.basis.sketches(ctx, p)
}

// Width returns the number of values of a sketch.
func (d *Division) Width() int { return d.basis.Width }

// Part returns the part that a point is in.
func (d *Division) Part(sketch []float32) int {
	part := 0
	for at := 0; at >= 0 && at < len(d.nodes); {
		n := &d.nodes[at]
		side := n.side(onto(sketch, n.direction))
		part = n.first + side*n.below
		at = n.next[side]
	}
	return part
}

// Beyond returns a lower bound on the distance of a point to those of a part, in the unit
// of points: that to the planes between them. It is 0 for its own.
func (d *Division) Beyond(sketch []float32, part int) float64 {
	most := 0.0
	for at := 0; at >= 0 && at < len(d.nodes); {
		n := &d.nodes[at]
		value, side := onto(sketch, n.direction), 0
		if part >= n.first+n.below {
			side = 1
		}
		if n.side(value) != side {
			most = max(most, math.Abs(value-n.threshold))
		}
		at = n.next[side]
	}
	return most / d.basis.Scale
}

func onto(sketch []float32, direction []float64) float64 {
	sum := 0.0
	for c, v := range sketch {
		sum += float64(v) * direction[c]
	}
	return sum
}

// principal returns the direction of the largest variance of some sketches, by power
// iterations.
func principal(sketches []float32, rows []int, width int) []float64 {
	mean, covariance := make([]float64, width), make([]float64, width*width)
	for _, i := range rows {
		for c, v := range sketches[i*width : (i+1)*width] {
			mean[c] += float64(v) / float64(len(rows))
		}
	}
	x := make([]float64, width)
	for _, i := range rows {
		for c, v := range sketches[i*width : (i+1)*width] {
			x[c] = float64(v) - mean[c]
		}
		for a, v := range x {
			for b, w := range x {
				covariance[a*width+b] += v * w
			}
		}
	}
	direction, next := make([]float64, width), make([]float64, width)
	for c := range direction {
		direction[c] = covariance[c*width+c] // an axis of large variance is in it
	}
	const iterations = 30
	for range iterations {
		for a := range next {
			next[a] = 0
			for b, v := range direction {
				next[a] += covariance[a*width+b] * v
			}
		}
		length := 0.0
		for _, v := range next {
			length += v * v
		}
		if !(length > 0) {
			break
		}
		for c, v := range next {
			direction[c] = v / math.Sqrt(length)
		}
	}
	return direction
}
