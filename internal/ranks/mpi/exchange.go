//go:build !static && (linux || darwin) && (amd64 || arm64)

package mpi

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"time"
	"unsafe"

	"github.com/ebitengine/purego"

	"lapsvm/internal/ranks/comm"
)

// The tags of messages: bellTag for notices of a rank that ends, and from firstTag on for data.
// Each exchange has the next tag, so that none receives bytes of another exchange. lastTag is the
// largest tag that every library allows.
const (
	bellTag  = 1
	firstTag = 2
	lastTag  = 1<<15 - 1
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

	peers    []int      // of each, the other rank
	expected []expected // of the first of them, which receive
	statuses []uint32   // of all, once they are complete
	received int32
}

// expected is what a receive waits for.
type expected struct{ rank, bytes int }

// send starts to send bytes, in pieces.
func (o *operations) send(bytes []byte, to, tag int) error {
	return o.begin(o.lib.send, bytes, to, tag)
}

// receive starts to receive bytes, in pieces, before any are sent.
func (o *operations) receive(bytes []byte, from, tag int) error {
	for left := len(bytes); left > 0; left -= o.longest {
		o.expected = append(o.expected, expected{from, min(left, o.longest)})
	}
	return o.begin(o.lib.receive, bytes, from, tag)
}

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
	o.peers = append(o.peers, rank)
	o.bytes += len(piece)
	return o.lib.call(function, uintptr(unsafe.Pointer(&piece[0])), uintptr(len(piece)), o.lib.bytes,
		uintptr(rank), uintptr(tag), o.lib.world, uintptr(unsafe.Pointer(&o.handles[0]))+at)
}

// complete reports whether all operations are.
func (o *operations) complete() (bool, error) {
	if o.count == 0 {
		return true, nil
	}
	if words := o.count * o.lib.statusWords; len(o.statuses) < words {
		o.statuses = make([]uint32, words)
	}
	err := o.lib.call(o.lib.testAll, uintptr(o.count), uintptr(unsafe.Pointer(&o.handles[0])), uintptr(unsafe.Pointer(&o.flag)), uintptr(unsafe.Pointer(&o.statuses[0])))
	return o.flag != 0, err
}

// tooLong returns the error of a receive for which more came than expected, if there is one.
func (o *operations) tooLong(to int) error {
	for i, want := range o.expected {
		code, class := o.statuses[i*o.lib.statusWords+o.lib.errorWord], new(int32)
		if o.lib.call(o.lib.errorClass, uintptr(code), uintptr(unsafe.Pointer(class))) == nil && *class == o.lib.truncated {
			return &comm.LengthError{From: want.rank, To: to, Sent: -1, Expected: want.bytes}
		}
	}
	return nil
}

// tooShort returns the error of the first for which less came, once operations are complete.
func (o *operations) tooShort(to int) error {
	for i, want := range o.expected {
		status := &o.statuses[i*o.lib.statusWords]
		if err := o.lib.call(o.lib.getCount, uintptr(unsafe.Pointer(status)), o.lib.bytes, uintptr(unsafe.Pointer(&o.received))); err != nil {
			return err
		}
		if int(o.received) != want.bytes {
			return &comm.LengthError{From: want.rank, To: to, Sent: int(o.received), Expected: want.bytes}
		}
	}
	return nil
}

// missing returns the ranks whose part of some operation is missing, ascending. It leaves
// the operations as they are.
func (o *operations) missing() (ranks []int) {
	for i, peer := range o.peers {
		request := unsafe.Add(unsafe.Pointer(&o.handles[0]), uintptr(i)*o.lib.requestSize)
		handle := uintptr(*(*uint32)(request))
		if o.lib.requestSize == 8 {
			handle = uintptr(*(*uint64)(request))
		}
		err := o.lib.call(o.lib.look, handle, uintptr(unsafe.Pointer(&o.flag)), o.lib.ignoreStatus)
		if err == nil && o.flag == 0 {
			ranks = append(ranks, peer)
		}
	}
	slices.Sort(ranks)
	return slices.Compact(ranks)
}

// clear forgets complete operations.
func (o *operations) clear() {
	o.pinned.Unpin()
	o.count, o.bytes, o.expected, o.peers = 0, 0, o.expected[:0], o.peers[:0]
}

// exchange carries out one call of Exchange.
func (t *Transport) exchange(e exchange) error {
	o := &t.operations
	tag := firstTag + t.made%(lastTag+1-firstTag)
	t.made++
	for k := 1; k < t.size; k++ {
		from := (t.rank + t.size - k) % t.size
		if err := o.receive(e.receive[from], from, tag); err != nil {
			return err
		}
	}
	for k := 1; k < t.size; k++ {
		to := (t.rank + k) % t.size
		if err := o.send(e.send[to], to, tag); err != nil {
			return err
		}
	}
	copy(e.receive[t.rank], e.send[t.rank])
	return t.await(e.ctx, o)
}

// How a rank waits for others. At first it asks anew at once, as the others are about to be ready
// too. Then it lets other threads run, for as long as the bytes may take. Then it sleeps for a part
// of the time waited: only a sleep makes the kernel hand the processor to a rank of another
// session. One that works alone meanwhile has this processor too, so the others ask it less often.
const (
	spins     = 100                    // of asking anew, some 20 µs
	patience  = 300 * time.Microsecond // of letting others run, and
	slow      = 2 << 30                // bytes a second
	part      = 8                      // of the time waited, and at most
	lastSleep = 500 * time.Microsecond
	lastAlone = 20 * time.Millisecond // while another works alone
)

// telling is what [Transport.TellWaiting] asks for.
type telling struct {
	after, every time.Duration
	report       func(ranks []int, waited time.Duration)
}

// tell tells of missing ranks if this rank is the first that waits, and returns the time of the
// next call.
func (t *Transport) tell(ctx context.Context, o *operations, waited time.Duration) time.Duration {
	missing, first := o.missing(), 0
	for slices.Contains(missing, first) {
		first++
	}
	if missing != nil && first == t.rank && !comm.Expected(ctx) {
		t.telling.report(missing, waited)
	}
	return waited + t.telling.every
}

// await waits until operations are complete.
func (t *Transport) await(ctx context.Context, o *operations) error {
	var began time.Time
	next := t.telling.after
	yielding := patience + time.Duration(float64(o.bytes)/slow*float64(time.Second))
	if t.crowded {
		yielding = 0
	}
	longest := lastSleep
	if comm.Expected(ctx) {
		longest = lastAlone
	}
	for polls := 0; ; polls++ {
		complete, err := o.complete()
		if err != nil {
			return cmp.Or(o.tooLong(t.rank), err)
		}
		if complete {
			err := o.tooShort(t.rank)
			o.clear()
			return cmp.Or(err, ctx.Err())
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
			if t.telling.report != nil && waited >= next {
				next = t.tell(ctx, o, waited)
			}
			purego.SyscallN(t.lib.sleep, uintptr(max(min(waited/part, longest).Microseconds(), 1)))
		}
		if t.listen(); t.ctx.Err() != nil {
			return context.Cause(t.ctx)
		}
	}
}
