// Package commtest has the checks that every transport of package comm passes.
package commtest

import (
	"context"
	"fmt"
	"slices"

	"lapsvm/internal/ranks/comm"
)

// Checks are what all ranks do together, each with its own c, by name. They return what
// was wrong.
var Checks = map[string]func(ctx context.Context, c *comm.Comm) error{
	"sums are those of all ranks":  sums,
	"all to all of varying sizes":  allToAll,
	"broadcast and gather":         broadcastAndGather,
	"exchanges follow one another": many,
	"long messages":                long,
}

func sums(ctx context.Context, c *comm.Comm) error {
	for _, length := range []int{1, 7, 256, 257, 1024, 10_001} {
		x, y, z := make([]float64, length), make([]float64, length), make([]float64, length)
		for i := range x {
			x[i], y[i], z[i] = float64(i*(c.Rank()+1)), float64(c.Rank()-i), tenth(i, c.Rank())
		}
		if err := c.Sum(ctx, x); err != nil {
			return err
		}
		if err := c.Max(ctx, y); err != nil {
			return err
		}
		if err := c.Sum(ctx, z); err != nil {
			return err
		}
		for i := range x {
			inOrder := 0.0
			for r := range c.Size() {
				inOrder += tenth(i, r)
			}
			if sum := float64(i * c.Size() * (c.Size() + 1) / 2); x[i] != sum || y[i] != float64(c.Size()-1-i) || z[i] != inOrder {
				return fmt.Errorf("element %d of %d is %v, want %v; the largest %v; in the order of ranks %v, want %v", i, length, x[i], sum, y[i], z[i], inOrder)
			}
		}
	}
	return nil
}

// tenth is a number whose sums depend on their order.
func tenth(i, rank int) float64 { return 0.1 * float64(i+1) / float64(3+7*rank) }

func allToAll(ctx context.Context, c *comm.Comm) error {
	send := make([][]byte, c.Size())
	for r := range send {
		send[r] = slices.Repeat([]byte{byte(10*c.Rank() + r)}, r)
	}
	got, err := c.AllToAll(ctx, send)
	for r, bytes := range got {
		if want := slices.Repeat([]byte{byte(10*r + c.Rank())}, c.Rank()); !slices.Equal(bytes, want) {
			return fmt.Errorf("from rank %d came %v, want %v", r, bytes, want)
		}
	}
	return err
}

func broadcastAndGather(ctx context.Context, c *comm.Comm) error {
	root := c.Size() - 1
	got, err := c.Broadcast(ctx, root, comm.Bytes([]int32{int32(c.Rank()), 7}))
	if err != nil || !slices.Equal(comm.Numbers[int32](got), []int32{int32(root), 7}) {
		return fmt.Errorf("broadcast %v, %v", comm.Numbers[int32](got), err)
	}
	all, err := c.Gather(ctx, comm.Bytes(make([]float64, c.Rank())))
	for r, bytes := range all {
		if len(bytes) != 8*r {
			return fmt.Errorf("rank %d gave %d bytes", r, len(bytes))
		}
	}
	return err
}

// many has a rank that is ahead send before others are ready.
func many(ctx context.Context, c *comm.Comm) error {
	receive, send := make([][]byte, c.Size()), make([][]byte, c.Size())
	for k := range 200 {
		for r := range c.Size() {
			send[r] = slices.Repeat([]byte{byte(k + c.Rank() + 3*r)}, k*(c.Rank()+1)%7)
			receive[r] = make([]byte, k*(r+1)%7)
		}
		if err := c.Exchange(ctx, receive, send); err != nil {
			return err
		}
		for r := range receive {
			if want := slices.Repeat([]byte{byte(k + r + 3*c.Rank())}, k*(r+1)%7); !slices.Equal(receive[r], want) {
				return fmt.Errorf("in exchange %d came %v from rank %d, want %v", k, receive[r], r, want)
			}
		}
	}
	return nil
}

// long sends more than libraries of MPI send without asking the receiver.
func long(ctx context.Context, c *comm.Comm) error {
	send := make([][]byte, c.Size())
	for r := range send {
		send[r] = make([]byte, 200_001+r)
		for i := range send[r] {
			send[r][i] = byte(i*7 + i>>13 + c.Rank() + r)
		}
	}
	got, err := c.AllToAll(ctx, send)
	for r, bytes := range got {
		for i, b := range bytes {
			if b != byte(i*7+i>>13+r+c.Rank()) {
				return fmt.Errorf("byte %d from rank %d is %d", i, r, b)
			}
		}
	}
	return err
}
