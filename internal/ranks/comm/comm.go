// Package comm has processes work together on one problem, each with its share of the points. The
// processes are ranks, numbered from 0. All ranks run the same program, call after call. They
// communicate through the calls of this package, which are collective: all ranks make the same
// calls in the same order. A sum is added in the order of the ranks, so it has the same bits on all
// of them, whatever carries the bytes.
package comm

import (
	"context"
	"fmt"
	"unsafe"
)

// Transport carries bytes between ranks. [Goroutines] has one, and package mpi.
type Transport interface {
	Rank() int
	Size() int
	// Exchange sends send[r] to rank r, and fills receive[r] with the bytes from rank r. Both know
	// the lengths. It fails when ctx is done, a rank has ended, or lengths differ.
	Exchange(ctx context.Context, receive, send [][]byte) error
}

// LengthError is the error where a rank expects another number of bytes than is sent to it: the
// ranks made different calls. Sent is -1 where it is only known to be more.
type LengthError struct{ From, To, Sent, Expected int }

func (e *LengthError) Error() string {
	sent := fmt.Sprint(e.Sent)
	if e.Sent < 0 {
		sent = "more"
	}
	return fmt.Sprintf("rank %d sent %s bytes to rank %d, which expected %d: all ranks must make the same calls", e.From, sent, e.To, e.Expected)
}

// Comm is one rank of all. Nil is the only one of a process that works alone. Its
// methods are for one goroutine at a time.
type Comm struct {
	transport Transport
	fail      context.CancelCauseFunc
	sent      int64
	slots     [2][][]byte // of every rank, what is received and sent
	scratch   []float64
}

// New returns the rank of a transport, and a context that is done when ctx is or when
// a call of it failed. So those who call it inside of longer work may leave its errors to
// the context.
func New(ctx context.Context, t Transport) (*Comm, context.Context) {
	ctx, fail := context.WithCancelCause(ctx)
	return &Comm{transport: t, fail: fail, slots: [2][][]byte{make([][]byte, t.Size()), make([][]byte, t.Size())}}, ctx
}

// expecting is the key of [Expect].
type expecting struct{}

// Expect returns a context for calls that are expected to wait, while another rank works alone.
func Expect(ctx context.Context) context.Context { return context.WithValue(ctx, expecting{}, true) }

// Expected reports whether a context is of [Expect].
func Expected(ctx context.Context) bool { return ctx.Value(expecting{}) != nil }

// Rank returns the number of this rank, from 0.
func (c *Comm) Rank() int {
	if c == nil {
		return 0
	}
	return c.transport.Rank()
}

// Size returns the number of ranks.
func (c *Comm) Size() int {
	if c == nil {
		return 1
	}
	return c.transport.Size()
}

// Alone reports whether there is no other rank.
func (c *Comm) Alone() bool { return c.Size() == 1 }

// Sent returns how many bytes this rank has sent to others.
func (c *Comm) Sent() int64 {
	if c == nil {
		return 0
	}
	return c.sent
}

// Exchange sends send[r] to rank r, and fills receive[r] with the bytes from rank r, for all ranks,
// this one too. The lengths of the two slices must agree. Where they differ it fails with a
// [LengthError]; by MPI a rank that expects bytes but is sent none waits. Cost: the bytes that go
// to others.
func (c *Comm) Exchange(ctx context.Context, receive, send [][]byte) error {
	if len(receive) != c.Size() || len(send) != c.Size() {
		panic(fmt.Sprintf("comm: Exchange of %d and %d slices among %d ranks", len(receive), len(send), c.Size()))
	}
	rank := c.Rank()
	if len(receive[rank]) != len(send[rank]) {
		panic(fmt.Sprintf("comm: a rank sends itself %d bytes and expects %d", len(send[rank]), len(receive[rank])))
	}
	if c.Alone() {
		copy(receive[rank], send[rank])
		return ctx.Err()
	}
	for r, bytes := range send {
		if r != rank {
			c.sent += int64(len(bytes))
		}
	}
	if err := c.transport.Exchange(ctx, receive, send); err != nil {
		c.fail(err)
		return err
	}
	return nil
}

// AllToAll is [Comm.Exchange] where only the sender knows the lengths.
func (c *Comm) AllToAll(ctx context.Context, send [][]byte) (receive [][]byte, err error) {
	size := c.Size()
	lengths, theirs := make([]int64, size), make([]int64, size)
	to, from := make([][]byte, size), make([][]byte, size)
	for r, bytes := range send {
		lengths[r] = int64(len(bytes))
		to[r], from[r] = Bytes(lengths[r:r+1]), Bytes(theirs[r:r+1])
	}
	if err := c.Exchange(ctx, from, to); err != nil {
		return nil, err
	}
	receive = make([][]byte, size)
	for r, length := range theirs {
		receive[r] = make([]byte, length)
	}
	return receive, c.Exchange(ctx, receive, send)
}

// Gather returns what every rank gives, by rank, on all of them.
func (c *Comm) Gather(ctx context.Context, data []byte) ([][]byte, error) {
	send := make([][]byte, c.Size())
	for r := range send {
		send[r] = data
	}
	return c.AllToAll(ctx, send)
}

// Collect returns what every rank gives, by rank, on rank 0; on others nil.
func (c *Comm) Collect(ctx context.Context, data []byte) ([][]byte, error) {
	send := make([][]byte, c.Size())
	send[0] = data
	all, err := c.AllToAll(ctx, send)
	if err != nil || c.Rank() > 0 {
		return nil, err
	}
	return all, nil
}

// Broadcast returns what the root gives, on all ranks.
func (c *Comm) Broadcast(ctx context.Context, root int, data []byte) ([]byte, error) {
	send := make([][]byte, c.Size())
	if c.Rank() == root {
		for r := range send {
			send[r] = data
		}
	}
	all, err := c.AllToAll(ctx, send)
	if err != nil {
		return nil, err
	}
	return all[root], nil
}

// small is how many numbers are added at once by every rank: beyond, each adds its share
// of them, and tells the others.
const small = 256

// Sum replaces x by the sums of all ranks. Cost: each sends twice its bytes, however many
// ranks there are; a few numbers, once to every other.
func (c *Comm) Sum(ctx context.Context, x []float64) error {
	return c.reduce(ctx, x, func(sum []float64, more []float64) {
		for i, v := range more {
			sum[i] += v
		}
	})
}

// SentBySum returns about how many bytes a rank sends in a sum of the given number of numbers.
func (c *Comm) SentBySum(numbers int) int64 {
	others := int64(c.Size() - 1)
	if numbers <= small {
		return 8 * int64(numbers) * others
	}
	return 2 * 8 * int64(numbers) * others / (others + 1)
}

// Max replaces x by the largest of all ranks.
func (c *Comm) Max(ctx context.Context, x []float64) error {
	return c.reduce(ctx, x, func(most []float64, more []float64) {
		for i, v := range more {
			most[i] = max(most[i], v)
		}
	})
}

func (c *Comm) reduce(ctx context.Context, x []float64, join func(to, more []float64)) error {
	if c.Alone() || len(x) == 0 {
		return ctx.Err()
	}
	size, rank := c.Size(), c.Rank()
	partition := size
	if len(x) <= small {
		partition = 1
	}
	from := func(r int) int { return r * len(x) / partition }
	first, last := 0, len(x)
	if partition > 1 {
		first, last = from(rank), from(rank+1)
	}
	length := last - first
	if len(c.scratch) < size*length {
		c.scratch = make([]float64, size*length)
	}
	receive, send := c.slots[0], c.slots[1]
	for r := range size {
		receive[r], send[r] = Bytes(c.scratch[r*length:(r+1)*length]), Bytes(x)
		if partition > 1 {
			send[r] = Bytes(x[from(r):from(r+1)])
		}
	}
	if err := c.Exchange(ctx, receive, send); err != nil {
		return err
	}
	total := x[first:last]
	copy(total, c.scratch[:length])
	for r := 1; r < size; r++ {
		join(total, c.scratch[r*length:(r+1)*length])
	}
	if partition == 1 {
		return nil
	}
	for r := range size {
		receive[r], send[r] = Bytes(x[from(r):from(r+1)]), Bytes(total)
	}
	return c.Exchange(ctx, receive, send)
}

// Number is what [Bytes] and [Numbers] take.
type Number interface {
	~int8 | ~uint8 | ~int32 | ~int64 | ~int | ~uint32 | ~uint64 | ~float32 | ~float64
}

// Bytes returns numbers as the bytes that they are in memory, without copying.
func Bytes[T Number](x []T) []byte {
	if len(x) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&x[0])), len(x)*int(unsafe.Sizeof(x[0])))
}

// Numbers returns the numbers that bytes of [Bytes] hold, as a copy. It panics where they are no
// whole number of these.
func Numbers[T Number](bytes []byte) []T {
	var one T
	size := int(unsafe.Sizeof(one))
	if len(bytes)%size != 0 {
		panic(fmt.Sprintf("comm: %d bytes as numbers of %d", len(bytes), size))
	}
	x := make([]T, len(bytes)/size)
	copy(Bytes(x), bytes)
	return x
}
