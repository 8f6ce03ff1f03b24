package gram

import (
	"fmt"
	"math"

	"lapsvm/internal/points/tiles"
	"lapsvm/kernel"
	"lapsvm/points"
)

// Nearest records the distance of every point to the nearest point of a basis, from the statistics
// computed for kernel values. ‖x − y‖ follows from ‖x‖² + ‖y‖² − 2⟨x, y⟩ for kernels of inner
// products; other kernels give ‖x − y‖₁. Points that differ by no more than the rounding count as
// equal: by 0.003 of their length in float32. A distance beyond the range of numbers is infinite.
// Where an expansion has a [Local], it is the distance to the nearest point of the Local, by its
// index and in its metric.
type Nearest struct {
	Distance []float64 // one per point
	Enough   float64   // a point whose distance is found to be at most this is not followed any further: it gets a distance between its own and this
	Self     []int     // the basis point, or point of a [Local], that is the point itself and does not count, −1 for none; nil means none
}

// begin makes room for the distances of n points, and checks what was asked.
func (n *Nearest) begin(length int, k kernel.Kernel) {
	switch {
	case k.Kind().Linear:
		panic(fmt.Sprintf("gram: distances to the basis of the kernel %v, which has weight vectors", k))
	case n.Self != nil && len(n.Self) != length:
		panic(fmt.Sprintf("gram: %d of %d points named in the basis", len(n.Self), length))
	}
	n.Distance = make([]float64, length)
	for i := range n.Distance {
		n.Distance[i] = math.Inf(1)
	}
}

// add takes the distances of point i of x to all of a basis, one by one.
func (n *Nearest) add(s points.Statistic, x *points.Points, i int, basis *points.Points) {
	for j := 0; j < basis.Len() && n.Distance[i] > n.Enough; j++ {
		if n.Self == nil || n.Self[i] != j {
			n.Distance[i] = min(n.Distance[i], x.Distance(s, i, basis, j))
		}
	}
}

// addRow takes a row of a statistic of point i with the points of the basis from j0 on, and
// what squares go with it.
func addRow[T tiles.Float](n *Nearest, s points.Statistic, i int, row []T, j0 int, square T, squares []T) {
	if n.Distance[i] <= n.Enough {
		return
	}
	end, next := len(row), len(row) // the point itself is between these
	if n.Self != nil {
		if self := n.Self[i] - j0; self >= 0 && self < len(row) {
			end, next = self, self+1
		}
	}
	var distance float64
	if s == points.Products {
		rest := min(leastDifference(row[:end], squares[:end]), leastDifference(row[next:], squares[next:]))
		distance = euclidean(square, rest)
	} else {
		distance = float64(min(least(row[:end]), least(row[next:])))
	}
	if distance < n.Distance[i] {
		n.Distance[i] = distance
	}
}

// euclidean returns ‖x − y‖ from ‖x‖² and ‖y‖² − 2⟨x, y⟩: 0 where it is lost in the
// rounding of these.
func euclidean[T tiles.Float](square, rest T) float64 {
	const units = 64
	epsilon := 0x1p-52
	if _, single := any(square).(float32); single {
		epsilon = 0x1p-23
	}
	squared := float64(square) + float64(rest)
	if math.IsInf(float64(square), 0) || math.IsInf(squared, 0) {
		return math.Inf(1)
	}
	if squared <= units*epsilon*float64(square) {
		return 0
	}
	return math.Sqrt(squared)
}

// leastDifference returns the least squares[j] − 2·dots[j], infinity of none.
func leastDifference[T tiles.Float](dots, squares []T) T {
	squares = squares[:len(dots)]
	a := T(math.Inf(1))
	b, c, d := a, a, a
	j := 0
	for ; j+4 <= len(dots); j += 4 { // four at a time wait less for each other
		if v := squares[j] - 2*dots[j]; v < a {
			a = v
		}
		if v := squares[j+1] - 2*dots[j+1]; v < b {
			b = v
		}
		if v := squares[j+2] - 2*dots[j+2]; v < c {
			c = v
		}
		if v := squares[j+3] - 2*dots[j+3]; v < d {
			d = v
		}
	}
	for ; j < len(dots); j++ {
		if v := squares[j] - 2*dots[j]; v < a {
			a = v
		}
	}
	return min(a, b, c, d)
}

// least returns the least value, infinity of none.
func least[T tiles.Float](values []T) T {
	a := T(math.Inf(1))
	for _, v := range values {
		if v < a {
			a = v
		}
	}
	return a
}
