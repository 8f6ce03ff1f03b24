package graph

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/ranks/comm"
	"lapsvm/points"
)

// part returns the neighbours of the points of a rank.
func part(nb *Neighbours, c *comm.Comm, partition comm.Partition) *Neighbours {
	from, to := partition.Range(c.Rank())
	return &Neighbours{K: nb.K, Index: nb.Index[from*nb.K : to*nb.K], Distance: nb.Distance[from*nb.K : to*nb.K], Ranks: c, Partition: partition}
}

// near reports values that differ by more than a small part of the largest.
func near[T float32 | float64](got, want []T, tol float64) error {
	largest := 0.0
	for _, v := range want {
		largest = max(largest, math.Abs(float64(v)))
	}
	for i, v := range want {
		if !(math.Abs(float64(got[i]-v)) <= tol*largest) {
			return fmt.Errorf("value %d is %v, want %v", i, got[i], v)
		}
	}
	return nil
}

// sparsely returns Lᵖx of the own points of a panel, each column of x being a row of a sparse matrix, as L is symmetric.
func sparsely(ctx context.Context, l *Laplacian, x []float64, width int) []float64 {
	rows, product := make(Sparse, width), make([]float64, len(x))
	for i, v := range x {
		rows[i%width] = append(rows[i%width], Element{i / width, v})
	}
	for range l.Degree() {
		if l.MulSparse(ctx, rows) != nil {
			return nil
		}
	}
	if l.Home(ctx, rows) != nil {
		return nil
	}
	for c, row := range rows {
		for _, e := range row {
			product[e.At*width+c] += e.By
		}
	}
	return product
}

func TestSharedGraphIsThatOfOneProcess(t *testing.T) {
	const n, k, width = 150, 6, vec.MaxPanel
	random := rand.New(rand.NewPCG(3, 0))
	values := make([]float64, n*2)
	for i := range values {
		values[i] = random.NormFloat64()
	}
	copy(values[20:22], values[40:42]) // a duplicate
	nb, err := FindNeighbours(t.Context(), points.Dense(n, 2, values), k, Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	x, single := make([]float64, n*width), make([]float32, n*width)
	for i := range x {
		x[i] = random.NormFloat64()
		single[i] = float32(x[i])
	}
	for _, rule := range []Weights{Heat, Binary, Distance} {
		w, heatWidth, _ := Connect(t.Context(), nb, rule, 0)
		for _, size := range []int{1, 2, 3, 5} {
			for degree := 1; degree <= 3; degree++ {
				whole := NewLaplacian(w, degree == 2, degree)
				want, wantSingle := make([]float64, n*width), make([]float32, n*width)
				whole.MulPanel(t.Context(), width, want, x)
				whole.Once().Polynomial([]float64{0.3, 0.2, -0.1, 0.05}, 2).Mul(t.Context(), width, wantSingle, single)
				err := comm.Goroutines(t.Context(), size, func(ctx context.Context, c *comm.Comm) error {
					partition := make(comm.Partition, size+1)
					for r := range partition {
						partition[r] = n * r * r / size / size // of different sizes
					}
					from, to := partition.Range(c.Rank())
					mine, usedWidth, err := Connect(ctx, part(nb, c, partition), rule, 0)
					if err != nil {
						return err
					}
					if !(math.Abs(usedWidth-heatWidth) <= 1e-12*heatWidth) {
						return fmt.Errorf("heat width %v, want %v", usedWidth, heatWidth)
					}
					for i := range to - from {
						if got, want := mine.Degree(i), w.Degree(from+i); !(math.Abs(got-want) <= 1e-12*want) {
							return fmt.Errorf("degree of point %d is %v, want %v", from+i, got, want)
						}
					}
					order := make([]int32, to-from) // backwards
					for i := range order {
						order[i] = int32(to - from - 1 - i)
					}
					l := NewLaplacian(mine, degree == 2, degree)
					got, gotSingle := make([]float64, (to-from)*width), make([]float32, (to-from)*width)
					l.MulPanel(ctx, width, got, x[from*width:to*width])
					l.Once().Polynomial([]float64{0.3, 0.2, -0.1, 0.05}, 2).Mul(ctx, width, gotSingle, single[from*width:to*width])
					if err := near(got, want[from*width:to*width], 1e-12); err != nil {
						return err
					}
					if err := near(gotSingle, wantSingle[from*width:to*width], 1e-5); err != nil {
						return err
					}
					if err := near(sparsely(ctx, l, x[from*width:to*width], width), want[from*width:to*width], 1e-12); err != nil {
						return fmt.Errorf("of sparse rows: %w", err)
					}
					back, ordered := make([]float64, len(got)), make([]float64, len(got))
					for k, i := range order {
						copy(back[k*width:(k+1)*width], x[(from+int(i))*width:])
					}
					l.Ordered(order).MulPanel(ctx, width, ordered, back)
					for k, i := range order {
						if err := near(ordered[k*width:(k+1)*width], got[int(i)*width:int(i+1)*width], 1e-12); err != nil {
							return err
						}
					}
					columns := [][]float64{make([]float64, to-from), make([]float64, to-from)}
					into := [][]float64{make([]float64, to-from), make([]float64, to-from)}
					for c := range columns {
						for i := range columns[c] {
							columns[c][i] = x[(from+i)*width+c]
						}
					}
					if err := l.Mul(ctx, into, columns); err != nil {
						return err
					}
					for c := range into {
						for i, v := range into[c] {
							if !(math.Abs(v-got[i*width+c]) <= 1e-12*(1+math.Abs(v))) {
								return fmt.Errorf("column %d of point %d is %v, in a panel %v", c, i, v, got[i*width+c])
							}
						}
					}
					return nil
				})
				if err != nil {
					t.Errorf("%s, degree %d, %d ranks: %v", rule, degree, size, err)
				}
			}
		}
	}
}

func TestSharedHaloIsSentOnceAPoint(t *testing.T) {
	nb := &Neighbours{K: 1, Index: []int32{2, 2, 1, 1}, Distance: []float64{1, 1, 1, 1}}
	err := comm.Goroutines(t.Context(), 2, func(ctx context.Context, c *comm.Comm) error {
		partition := comm.Partition{0, 2, 4}
		w, _, err := Connect(ctx, part(nb, c, partition), Binary, 0)
		if err != nil {
			return err
		}
		before := c.Sent()
		l := NewLaplacian(w, true, 1)
		l.MulPanel(ctx, vec.MaxPanel, make([]float64, 2*vec.MaxPanel), make([]float64, 2*vec.MaxPanel))
		// Points 0 and 1 are joined to 2, and 1 to 3.
		if got, want := c.Sent()-before, int64(2*8*vec.MaxPanel); got != want {
			return fmt.Errorf("a product sends %d bytes, want %d", got, want)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
