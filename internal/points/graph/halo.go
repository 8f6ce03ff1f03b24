package graph

import (
	"context"
	"slices"

	"lapsvm/internal/points/neighbours"
	"lapsvm/internal/ranks/comm"
)

// halo is the points of other ranks that the rows of this one lead to. They are columns after its
// rows, in the order of their numbers, so that the columns of a rank are adjacent.
type halo struct {
	c         *comm.Comm
	partition comm.Partition
	n         int       // local points
	wanted    [][]int32 // by rank, the local rows that rank has in its halo
	start     []int     // by rank, where its points begin in the halo
	degree    []float64 // of the points of the halo
	single    []float32 // what is sent
	double    []float64
}

// columns tells which column a point has: own ones come first, then those of other ranks.
type columns struct {
	from, n int                 // number of the first own point, and how many there are
	beyond  []neighbours.Number // the points of others, ascending once settled
}

// columns returns those of the own points alone.
func (nb *Neighbours) columns() columns {
	at := columns{n: nb.Len()}
	if !nb.Ranks.Alone() {
		at.from, _ = nb.Partition.Range(nb.Ranks.Rank())
	}
	return at
}

func (c *columns) own(j neighbours.Number) bool { return c.from <= int(j) && int(j) < c.from+c.n }

// settle orders the points of others that were added, each once.
func (c *columns) settle() {
	slices.Sort(c.beyond)
	c.beyond = slices.Compact(c.beyond)
}

// of returns the column of a point, that of another rank once settled.
func (c *columns) of(j neighbours.Number) int32 {
	if c.own(j) {
		return int32(j) - int32(c.from)
	}
	at, _ := slices.BinarySearch(c.beyond, j)
	return int32(c.n + at)
}

// newHalo has the ranks tell one another which points they want.
func newHalo(ctx context.Context, c *comm.Comm, partition comm.Partition, columns columns) (*halo, error) {
	h, beyond := &halo{c: c, partition: partition, n: columns.n, start: make([]int, c.Size()+1), wanted: make([][]int32, c.Size())}, columns.beyond
	ask := make([][]byte, c.Size())
	at := 0
	for r := range ask {
		_, to := partition.Range(r)
		for h.start[r] = at; at < len(beyond) && int(beyond[at]) < to; at++ {
		}
		ask[r] = comm.Bytes(beyond[h.start[r]:at])
	}
	h.start[c.Size()] = at
	asked, err := c.AllToAll(ctx, ask)
	if err != nil {
		return nil, err
	}
	first, _ := partition.Range(c.Rank())
	for r, bytes := range asked {
		numbers := comm.Numbers[neighbours.Number](bytes)
		h.wanted[r] = make([]int32, len(numbers))
		for k, number := range numbers {
			h.wanted[r][k] = int32(number) - int32(first)
		}
	}
	return h, nil
}

// takeDegrees gets the degrees of the points of the halo in w.
func (h *halo) takeDegrees(ctx context.Context, w *Adjacency) error {
	degrees := make([]float64, h.n+h.len())
	for i := range h.n {
		degrees[i] = w.Degree(i)
	}
	h.degree = degrees[h.n:]
	return h.fill64(ctx, degrees, 1)
}

// len returns the number of points of the halo; that of none, nil, is 0.
func (h *halo) len() int {
	if h == nil {
		return 0
	}
	return h.start[len(h.start)-1]
}

// fill64 fetches the rows of the halo of x, which has width numbers for each own point,
// and behind them room for those of the halo. Without a halo it does nothing. Where it
// fails, ctx is done.
func (h *halo) fill64(ctx context.Context, x []float64, width int) error {
	if h == nil {
		return nil
	}
	return fill(ctx, h, &h.double, x, width)
}

// fill32 is fill64 of single precision.
func (h *halo) fill32(ctx context.Context, x []float32, width int) error {
	if h == nil {
		return nil
	}
	return fill(ctx, h, &h.single, x, width)
}

func fill[T float32 | float64](ctx context.Context, h *halo, pack *[]T, x []T, width int) error {
	receive, send := make([][]byte, h.c.Size()), make([][]byte, h.c.Size())
	*pack = (*pack)[:0]
	for _, wanted := range h.wanted {
		for _, i := range wanted {
			*pack = append(*pack, x[int(i)*width:(int(i)+1)*width]...)
		}
	}
	at := 0
	for r, wanted := range h.wanted {
		send[r] = comm.Bytes((*pack)[at : at+len(wanted)*width])
		at += len(wanted) * width
		receive[r] = comm.Bytes(x[(h.n+h.start[r])*width : (h.n+h.start[r+1])*width])
	}
	return h.c.Exchange(ctx, receive, send)
}

// ordered returns the halo of the same points with the own ones in another order, at[i]
// being where point i is.
func (h *halo) ordered(at []int32) *halo {
	if h == nil {
		return nil
	}
	o := *h
	o.single, o.double, o.wanted = nil, nil, make([][]int32, len(h.wanted))
	for r, wanted := range h.wanted {
		for _, i := range wanted {
			o.wanted[r] = append(o.wanted[r], at[i])
		}
	}
	return &o
}

// Sent returns how many rows a rank sends to others for a product with the Laplacian of the
// graph; 0 of one process.
func (a *Adjacency) Sent() int {
	rows := 0
	if a.halo != nil {
		for _, wanted := range a.halo.wanted {
			rows += len(wanted)
		}
	}
	return rows
}

// Cut returns the share of the edges that are between points of different ranks; 0 of one
// process. It fails when ctx is done.
func (a *Adjacency) Cut(ctx context.Context) (float64, error) {
	if a.halo == nil {
		return 0, ctx.Err()
	}
	edges := []float64{0, float64(len(a.Index))}
	for _, j := range a.Index {
		if int(j) >= a.Len() {
			edges[0]++
		}
	}
	err := a.halo.c.Sum(ctx, edges)
	return edges[0] / max(edges[1], 1), err
}
