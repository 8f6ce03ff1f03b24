//go:build !static && (linux || darwin) && (amd64 || arm64)

package mpi

import (
	"context"
	"runtime"
	"time"
	"unsafe"

	"github.com/ebitengine/purego"
)

// The tags of messages: data, and what a rank tells the others when it ends.
const (
	dataTag = iota
	bellTag
)

// longest is the most bytes of a message: MPI counts in 32 bits.
const longest = 1 << 30

// operations are sends and receives under way.
type operations struct {
	lib     *library
	handles []uint64 // of the requests: one each, or two where they have 32 bits
	count   int
	bytes   int
	longest int // message
	pinned  runtime.Pinner
	flag    int32
}

// begin starts to send or to receive bytes, in pieces.
func (o *operations) begin(function uintptr, bytes []byte, rank int, tag int) error {
	for len(bytes) > 0 {
		piece := bytes[:min(len(bytes), o.longest)]
		if err := o.beginPiece(function, piece, rank, tag); err != nil {
			return err
		}
		bytes = bytes[len(piece):]
	}
	return nil
}

func (o *operations) beginPiece(function uintptr, piece []byte, rank int, tag int) error {
	if o.count == len(o.handles) {
		o.handles = append(o.handles, 0)
	}
	o.pinned.Pin(&piece[0])
	at := uintptr(o.count) * o.lib.requestSize
	o.count++
	o.bytes += len(piece)
	return o.lib.call(function, uintptr(unsafe.Pointer(&piece[0])), uintptr(len(piece)), o.lib.bytes,
		uintptr(rank), uintptr(tag), o.lib.world, uintptr(unsafe.Pointer(&o.handles[0]))+at)
}

// complete reports whether all operations are.
func (o *operations) complete() (bool, error) {
	if o.count == 0 {
		return true, nil
	}
	err := o.lib.call(o.lib.testAll, uintptr(o.count), uintptr(unsafe.Pointer(&o.handles[0])), uintptr(unsafe.Pointer(&o.flag)), o.lib.ignoreStatus)
	return o.flag != 0, err
}

// clear forgets complete operations.
func (o *operations) clear() {
	o.pinned.Unpin()
	o.count, o.bytes = 0, 0
}

// exchange carries out one call of Exchange.
func (t *Transport) exchange(e exchange) error {
	o := &t.operations
	for k := 1; k < t.size; k++ {
		from := (t.rank + t.size - k) % t.size
		if err := o.begin(t.lib.receive, e.receive[from], from, dataTag); err != nil {
			return err
		}
	}
	for k := 1; k < t.size; k++ {
		to := (t.rank + k) % t.size
		if err := o.begin(t.lib.send, e.send[to], to, dataTag); err != nil {
			return err
		}
	}
	copy(e.receive[t.rank], e.send[t.rank])
	return t.await(e.ctx, o)
}

// How a rank waits for others. It asks anew at once for some time, as they are about to be
// ready too; then it lets other threads run, for as long as the bytes may take; then it
// sleeps for a part of what it has waited: the kernel hands a processor on to a rank of
// another session only so.
const (
	spins     = 100                    // of asking anew, some 20 µs
	patience  = 300 * time.Microsecond // of letting others run, and
	slow      = 2 << 30                // bytes a second
	part      = 8                      // of the time waited, and at most
	lastSleep = 500 * time.Microsecond
)

// await waits until operations are complete.
func (t *Transport) await(ctx context.Context, o *operations) error {
	var began time.Time
	yielding := patience + time.Duration(float64(o.bytes)/slow*float64(time.Second))
	if t.crowded {
		yielding = 0
	}
	for polls := 0; ; polls++ {
		complete, err := o.complete()
		if err != nil {
			return err
		}
		if complete {
			o.clear()
			return ctx.Err()
		}
		if polls < spins {
			continue
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if polls == spins {
			began = time.Now()
		}
		if waited := time.Since(began); waited < yielding {
			purego.SyscallN(t.lib.yield)
			if polls%64 != 0 {
				continue
			}
		} else {
			purego.SyscallN(t.lib.sleep, uintptr(max(min(waited/part, lastSleep).Microseconds(), 1)))
		}
		if t.listen(); t.ctx.Err() != nil {
			return context.Cause(t.ctx)
		}
	}
}
