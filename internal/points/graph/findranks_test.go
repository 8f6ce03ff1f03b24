package graph

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/internal/ranks/comm"
	"lapsvm/points"
)

// tables are points of every storage, in clusters.
func tables(n, d int) map[string]*points.Points {
	random := rand.New(rand.NewPCG(9, 0))
	double, single, bytes := make([]float64, n*d), make([]float32, n*d), make([]uint8, n*d)
	start, index, value := []int{0}, []int32(nil), []float64(nil)
	for i := range n {
		for j := range d {
			v := 3*float64((i>>(j%3))&1) + random.NormFloat64()
			double[i*d+j], single[i*d+j], bytes[i*d+j] = v, float32(v), uint8(min(max(100+30*v, 0), 255))
			if v > 1 {
				index, value = append(index, int32(j)), append(value, v)
			}
		}
		start = append(start, len(index))
	}
	copy(double[4*d:5*d], double[d:2*d]) // equal points
	return map[string]*points.Points{"float64": points.Dense(n, d, double), "float32": points.Dense32(n, d, single), "bytes": points.DenseBytes(n, d, bytes), "sparse": points.CSR(d, start, index, value)}
}

// dealt calls do on size ranks with the points dealt, and their rows.
func dealt(t *testing.T, p *points.Points, size int, do func(ctx context.Context, c *comm.Comm, own *points.Points, rows []int) error) error {
	return comm.Goroutines(t.Context(), size, func(ctx context.Context, c *comm.Comm) error {
		first, last := p.Len()*c.Rank()/size, p.Len()*(c.Rank()+1)/size
		read := p.Slice(first, last)
		deal, err := Deal(ctx, c, read, 5)
		if err != nil {
			return err
		}
		features, rows := make([][]byte, size), make([][]byte, size)
		for r, to := range deal {
			features[r] = read.AppendRows(nil, to)
			named := slices.Clone(to)
			for k := range named {
				named[k] += first
			}
			rows[r] = comm.Bytes(named)
		}
		if features, err = c.AllToAll(ctx, features); err != nil {
			return err
		}
		if rows, err = c.AllToAll(ctx, rows); err != nil {
			return err
		}
		var of []int
		for _, bytes := range rows {
			of = append(of, comm.Numbers[int](bytes)...)
		}
		return do(ctx, c, points.FromRows(read, features...), of)
	})
}

func TestRanksFindTheNeighboursOfOneProcess(t *testing.T) {
	const n, k = 500, 5
	for name, p := range tables(n, 12) {
		for _, metric := range []Metric{Euclidean, Cosine} {
			for _, size := range []int{1, 2, 3, 4} {
				if size == 3 && name != "bytes" {
					continue
				}
				err := dealt(t, p, size, func(ctx context.Context, c *comm.Comm, own *points.Points, rows []int) error {
					partition, err := c.Partition(ctx, own.Len())
					if err != nil {
						return err
					}
					got, found, err := Find(ctx, own, k, metric, Search{Ranks: c, Partition: partition})
					if err != nil {
						return err
					}
					all, err := c.Gather(ctx, comm.Bytes(rows))
					if err != nil {
						return err
					}
					var of []int
					for _, bytes := range all {
						of = append(of, comm.Numbers[int](bytes)...)
					}
					if sorted := slices.Sorted(slices.Values(of)); len(sorted) != n || sorted[0] != 0 || sorted[n-1] != n-1 {
						return fmt.Errorf("%d points are dealt", len(sorted))
					}
					want, err := FindNeighbours(ctx, p.Subset(of), k, metric)
					if err != nil || found.Recall != 1 {
						return fmt.Errorf("recall %v, %w", found.Recall, err)
					}
					first, _ := partition.Range(c.Rank())
					for i := range rows {
						index, distance := got.Row(i)
						wantIndex, wantDistance := want.Row(first + i)
						if !slices.Equal(index, wantIndex) {
							return fmt.Errorf("neighbours of point %d are %v %v, want %v %v", first+i, index, distance, wantIndex, wantDistance)
						}
						for a := range distance {
							if !(math.Abs(distance[a]-wantDistance[a]) <= 1e-9*(1+wantDistance[a])) {
								return fmt.Errorf("distances of point %d are %v, want %v", first+i, distance, wantDistance)
							}
						}
					}
					return nil
				})
				if err != nil {
					t.Errorf("%s, %s, %d ranks: %v", name, metric, size, err)
				}
			}
		}
	}
}

func TestRanksFindMostNeighboursOnVisits(t *testing.T) {
	const n, k = 6000, 5
	p := tables(n, 8)["float32"]
	for _, size := range []int{2, 3} {
		err := dealt(t, p, size, func(ctx context.Context, c *comm.Comm, own *points.Points, rows []int) error {
			partition, err := c.Partition(ctx, own.Len())
			if err != nil {
				return err
			}
			got, found, err := Find(ctx, own, k, Euclidean, Search{Recall: 0.9, most: 1, Ranks: c, Partition: partition})
			if err != nil {
				return err
			}
			if !found.Approximate || found.Recall < 0.9 || len(found.Order) != own.Len() {
				return fmt.Errorf("found %+v", found)
			}
			exact, _, err := Find(ctx, own, k, Euclidean, Search{Recall: 1, Ranks: c, Partition: partition})
			if err != nil {
				return err
			}
			shared := 0
			for i := range own.Len() {
				index, _ := got.Row(i)
				right, _ := exact.Row(i)
				for _, j := range index {
					if slices.Contains(right, j) {
						shared++
					}
				}
			}
			if share := float64(shared) / float64(k*own.Len()); share < 0.85 {
				return fmt.Errorf("%.3f of the neighbours of all points are found", share)
			}
			return nil
		})
		if err != nil {
			t.Errorf("%d ranks: %v", size, err)
		}
	}
}

// Where most points are equal to others, ranks search approximately too.
func TestRanksFindNeighboursOfRepeatedPoints(t *testing.T) {
	const n, k = 2000, 4
	few := tables(200, 8)["float64"]
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i * i % 200
	}
	p := few.Subset(rows)
	err := dealt(t, p, 2, func(ctx context.Context, c *comm.Comm, own *points.Points, rows []int) error {
		partition, err := c.Partition(ctx, own.Len())
		if err != nil {
			return err
		}
		got, found, err := Find(ctx, own, k, Euclidean, Search{Recall: 0.95, most: 1, Ranks: c, Partition: partition})
		if err != nil {
			return err
		}
		exact, _, err := Find(ctx, own, k, Euclidean, Search{Recall: 1, Ranks: c, Partition: partition})
		if err != nil {
			return err
		}
		same := 0
		for a, v := range exact.Distance {
			if got.Distance[a] <= v*(1+1e-9) {
				same++
			}
		}
		if share := float64(same) / float64(len(exact.Distance)); !found.Approximate || found.Recall < 0.95 || !(share >= 0.9) || len(found.Order) != own.Len() {
			return fmt.Errorf("%v of the distances are found; %+v", share, found)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// Where the values of one rank have no squares in double precision, all search exactly.
func TestRanksSearchExactlyBeyondDouble(t *testing.T) {
	values := make([]float64, 300)
	for i := range values {
		values[i] = float64(i * i % 301)
	}
	values[7] = 0x1p470
	p := points.Dense(150, 2, values)
	err := dealt(t, p, 2, func(ctx context.Context, c *comm.Comm, own *points.Points, rows []int) error {
		partition, err := c.Partition(ctx, own.Len())
		if err != nil {
			return err
		}
		_, found, err := Find(ctx, own, 3, Euclidean, Search{most: 1, Ranks: c, Partition: partition})
		if err == nil && (found.Approximate || found.Recall != 1) {
			err = fmt.Errorf("found %+v", found)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestDealHasNearPointsTogether(t *testing.T) {
	const n, k = 600, 5
	p := tables(n, 4)["float64"]
	err := dealt(t, p, 3, func(ctx context.Context, c *comm.Comm, own *points.Points, rows []int) error {
		if own.Len() < n/6 || own.Len() > n/2 {
			return fmt.Errorf("a rank has %d of %d points", own.Len(), n)
		}
		partition, err := c.Partition(ctx, own.Len())
		if err != nil {
			return err
		}
		nb, _, err := Find(ctx, own, k, Euclidean, Search{Ranks: c, Partition: partition})
		if err != nil {
			return err
		}
		w, _, err := Connect(ctx, nb, Heat, 0)
		if err != nil {
			return err
		}
		cut, err := w.Cut(ctx)
		if err == nil && !(cut > 0 && cut < 0.4) { // in the order of the file two of three are cut
			err = fmt.Errorf("%.2f of the edges are cut", cut)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
