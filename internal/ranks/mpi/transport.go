//go:build !static && (linux || darwin) && (amd64 || arm64)

package mpi

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"
	"unsafe"
)

// Supported reports whether this program was built with MPI.
const Supported = true

// Transport is a rank of several processes, as package comm wants it. One goroutine, locked to its
// thread, enters MPI, leaves it, and hears of ranks that end. Where the library takes calls of
// several threads, one at a time, the calling goroutine makes the exchanges: handed to another
// thread, they would often wait for a processor. Otherwise the locked goroutine makes them too. The
// methods are for one goroutine at a time.
type Transport struct {
	lib        *library
	rank, size int
	ctx        context.Context // done when another rank ends
	end        context.CancelCauseFunc

	exchanges chan exchange // nil where who asks makes them
	farewells chan func()
	done      chan error
	crowded   bool
	telling   telling
	exits     bool // by themselves, see Launch

	calling    sync.Mutex // MPI, and of what follows
	operations operations
	made       int // exchanges
	bell       bell
	broken     error // after which operations may be under way still
	finished   bool
}

// exchange is a call of Exchange.
type exchange struct {
	ctx           context.Context
	receive, send [][]byte
}

// The levels MPI_THREAD_FUNNELED, one thread calls MPI, others there are, and
// MPI_THREAD_SERIALIZED, several threads call it, one at a time.
const (
	threadsFunnelled  = 1
	threadsSerialised = 2
)

// Join loads the MPI library and becomes one of the ranks. path names the library; where it is
// empty, the library that fits the launcher is loaded. The returned context is done when ctx is, or
// with an [Ended] when another rank ends. A process joins once. It fails with [ErrNotJoined] when
// ctx is done, or others have not joined within two minutes: a launcher may leave ranks waiting for
// a rank that ended before. getenv names folders of the library; UCX_ERROR_SIGNALS is set in the
// environment of the process.
func Join(ctx context.Context, l Launch, path string, getenv func(string) string) (*Transport, context.Context, error) {
	t := &Transport{farewells: make(chan func()), done: make(chan error, 1), exits: l.Exits}
	t.ctx, t.end = context.WithCancelCause(ctx)
	go t.serve(l, path, getenv)
	select {
	case err := <-t.done:
		if err != nil {
			return nil, ctx, err
		}
		return t, t.ctx, nil
	case <-ctx.Done():
		return nil, ctx, fmt.Errorf("%w: %w", ErrNotJoined, ctx.Err())
	case <-time.After(forOthers):
		return nil, ctx, fmt.Errorf("%w within %v: one may have ended before it joined, and said why", ErrNotJoined, forOthers)
	}
}

// forOthers is how long a rank waits until all have joined.
const forOthers = 2 * time.Minute

// Rank returns the number of this rank, from 0.
func (t *Transport) Rank() int { return t.rank }

// Size returns the number of ranks.
func (t *Transport) Size() int { return t.size }

// Library returns the path of the library, and its version in its own words.
func (t *Transport) Library() string {
	return fmt.Sprintf("%s (%s)", firstLine(t.lib.version), t.lib.path)
}

// Crowded has the rank hand its processor on as soon as it waits, since there are fewer
// processors than ranks.
func (t *Transport) Crowded() { t.crowded = true }

// TellWaiting has report be called with the ranks that an exchange waits for, after a while and then
// every so often. Of the ranks that wait the first calls it, from the goroutine of the exchange. An
// exchange that is to wait ([comm.Expect]) is left out.
func (t *Transport) TellWaiting(after, every time.Duration, report func(ranks []int, waited time.Duration)) {
	t.telling = telling{after, every, report}
}

// Exchange sends send[r] to rank r, and fills receive[r] with the bytes from rank r. Where lengths
// differ it fails with a [comm.LengthError]; a rank that expects bytes but is sent none waits.
// After an error the slices are not to be used any more, for MPI may do so still; the transport
// only fails from then on.
func (t *Transport) Exchange(ctx context.Context, receive, send [][]byte) error {
	e := exchange{ctx, receive, send}
	if t.exchanges == nil {
		return t.carryOut(e)
	}
	t.exchanges <- e
	return <-t.done
}

// carryOut makes an exchange, unless one before it failed.
func (t *Transport) carryOut(e exchange) error {
	t.calling.Lock()
	defer t.calling.Unlock()
	if t.broken == nil {
		t.broken = t.exchange(e)
	}
	return t.broken
}

// every is how often a rank that is busy looks whether another has ended.
const every = 100 * time.Millisecond

// serve is the goroutine that enters MPI.
func (t *Transport) serve(l Launch, path string, getenv func(string) string) {
	runtime.LockOSThread()
	err := keepSignals(func() error { return t.join(l, path, getenv) })
	t.done <- err
	if err != nil {
		return
	}
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case e := <-t.exchanges:
			t.done <- t.carryOut(e)
		case do := <-t.farewells:
			t.calling.Lock()
			do()
			t.calling.Unlock()
			t.done <- nil
			if t.finished {
				return
			}
		case <-ticker.C:
			if t.calling.TryLock() { // else an exchange is under way, which listens
				t.listen()
				t.calling.Unlock()
			}
		}
	}
}

func (t *Transport) join(l Launch, path string, getenv func(string) string) (err error) {
	if t.lib, err = load(l, path, getenv); err != nil {
		return err
	}
	lib, provided, number := t.lib, new(int32), new(int32)
	if err := lib.call(lib.initThread, 0, 0, threadsSerialised, uintptr(unsafe.Pointer(provided))); err != nil {
		return err
	}
	if *provided < threadsFunnelled {
		return errors.New(lib.path + " was built for programs of one thread: take one with threads")
	}
	if *provided < threadsSerialised {
		t.exchanges = make(chan exchange)
	}
	lib.call(lib.setErrorHandler, lib.world, lib.returnErrors)
	err = errors.Join(lib.call(lib.rank, lib.world, uintptr(unsafe.Pointer(number))))
	t.rank = int(*number)
	err = errors.Join(err, lib.call(lib.size, lib.world, uintptr(unsafe.Pointer(number))))
	t.size = int(*number)
	if err != nil {
		return err
	}
	if l.Size > 0 && t.size != l.Size {
		return fmt.Errorf("%s started %d processes, and %s knows of %d: it belongs to another MPI than the launcher", l.By, l.Size, lib.path, t.size)
	}
	t.operations = operations{lib: lib, longest: longest}
	return t.hangBell()
}
