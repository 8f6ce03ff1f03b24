package graph_test

import (
	"math"
	"testing"

	"lapsvm/internal/points/graph"
	"lapsvm/internal/testing/golden"
)

// tied reports whether j is as far from i as i's last neighbour.
func tied(p *golden.Problem, nb *graph.Neighbours, i, j int) bool {
	_, distance := nb.Row(i)
	last := distance[len(distance)-1]
	return math.Abs(math.Sqrt(p.X.SquaredDistance(i, p.X, j))-last) <= 1e-12*last
}

// The graph and its Laplacian against the reference implementation.
func TestGolden(t *testing.T) {
	golden.Run(t, func(t *testing.T, p *golden.Problem) {
		nb, err := graph.FindNeighbours(t.Context(), p.X, p.Params.NN, graph.Euclidean)
		if err != nil {
			t.Fatal(err)
		}
		w, width, _ := graph.Connect(t.Context(), nb, graph.Weights(p.Params.Weights), 0)
		if p.Params.Weights == "heat" && !(math.Abs(width-p.HeatT) <= 1e-13*p.HeatT) {
			t.Errorf("heat width %v, want %v", width, p.HeatT)
		}
		// The reference takes the first of the sorted list for the point itself,
		// so an exact duplicate of lower index leaves a self-loop there; and where
		// several candidates are equally far it chooses by rounding.
		reference := p.Adjacency(t)
		for i := range p.N {
			for j := range p.N {
				got, want := w.At(i, j), reference.At(i, j)
				if i == j || math.Abs(got-want) <= 1e-12*want {
					continue
				}
				if (got == 0 || want == 0) && (tied(p, nb, i, j) || tied(p, nb, j, i)) {
					continue
				}
				t.Errorf("W[%d,%d] = %v, want %v", i, j, got, want)
			}
		}

		// Sums over the Laplacian and over its power, from the reference graph.
		for _, c := range []struct {
			degree int
			want   golden.Summary
		}{{1, p.L1}, {p.Params.Degree, p.LP}} {
			l := graph.NewLaplacian(p.Adjacency(t), p.Params.Normalize == 0, c.degree)
			unit, column := make([]float64, p.N), make([]float64, p.N)
			var got golden.Summary
			for j := range p.N {
				unit[j] = 1
				multiply(t, 1, l, [][]float64{column}, [][]float64{unit})
				unit[j] = 0
				for _, v := range column {
					got.Sum += v
					got.Fro += v * v
				}
				got.Trace += column[j]
				switch j {
				case 0:
					got.E11 = column[0]
				case 1:
					got.E12 = column[0]
				case 2:
					got.E23 = column[1]
				}
				if j == p.N-1 {
					got.E1n, got.Enn = column[0], column[j]
				}
			}
			got.Fro = math.Sqrt(got.Fro)
			for name, pair := range map[string][2]float64{
				"Frobenius norm": {got.Fro, c.want.Fro}, "sum": {got.Sum, c.want.Sum}, "trace": {got.Trace, c.want.Trace},
				"(1,1)": {got.E11, c.want.E11}, "(1,2)": {got.E12, c.want.E12}, "(2,3)": {got.E23, c.want.E23},
				"(1,n)": {got.E1n, c.want.E1n}, "(n,n)": {got.Enn, c.want.Enn},
			} {
				if !(math.Abs(pair[0]-pair[1]) <= 1e-11*c.want.Fro) {
					t.Errorf("degree %d: %s %v, want %v", c.degree, name, pair[0], pair[1])
				}
			}
		}
	})
}
