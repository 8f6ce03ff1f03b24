//go:build !static && (linux || darwin) && (amd64 || arm64)

package mpi

import (
	"context"
	"encoding/binary"
	"time"
	"unsafe"

	"github.com/ebitengine/purego"

	"lapsvm/internal/ranks/comm"
)

// noticeSize is the length of the notice by which a rank tells the others that it ends. A notice
// holds the rank's number, a stage, its exit code, whether it failed by itself, and the text of its
// error, cut to fit.
const (
	noticeSize = 512
	textSize   = noticeSize - 9
)

// notice is such a message.
type notice struct {
	stage   byte // 1 when it ends, 2 when it has said why
	code    int
	primary bool // it did not end because another did
	text    string
}

// bell receives the notices of other ranks that end.
type bell struct {
	message [noticeSize]byte // that is waited for
	request uint64
	flag    int32
	heard   map[int]notice
}

// encode writes a notice of a rank.
func (n notice) encode(rank int) []byte {
	b := make([]byte, noticeSize)
	binary.LittleEndian.PutUint32(b, uint32(rank))
	b[4], b[5] = n.stage, byte(n.code)
	if n.primary {
		b[6] = 1
	}
	length := copy(b[9:], n.text)
	binary.LittleEndian.PutUint16(b[7:], uint16(length))
	return b
}

// decodeNotice is the reverse of encode.
func decodeNotice(b []byte) (rank int, n notice) {
	length := int(binary.LittleEndian.Uint16(b[7:]))
	return int(binary.LittleEndian.Uint32(b)), notice{b[4], int(b[5]), b[6] == 1, string(b[9 : 9+length])}
}

// hangBell begins to wait for a notice of any rank.
func (t *Transport) hangBell() error {
	if t.bell.heard == nil {
		t.bell.heard = make(map[int]notice)
	}
	lib := t.lib
	return lib.call(lib.receive, uintptr(unsafe.Pointer(&t.bell.message[0])), noticeSize, lib.bytes,
		uintptr(lib.anySource), bellTag, lib.world, uintptr(unsafe.Pointer(&t.bell.request)))
}

// listen takes notices that have come, and has the context be done.
func (t *Transport) listen() {
	for {
		lib, b := t.lib, &t.bell
		err := lib.call(lib.test, uintptr(unsafe.Pointer(&b.request)), uintptr(unsafe.Pointer(&b.flag)), lib.ignoreStatus)
		if err != nil || b.flag == 0 {
			return
		}
		rank, n := decodeNotice(b.message[:])
		b.heard[rank] = n
		t.end(&Ended{rank, n.code})
		if t.hangBell() != nil {
			return
		}
	}
}

// forReading is how long the launcher has for reading what ranks have printed. That of MPICH drops the rest where MPI_Abort is called.
const forReading = 200 * time.Millisecond

// Fail tells the other ranks that this rank ends, with a code and the text of its error. An empty
// text means that this rank ends because another did. Fail waits until all ranks have sent such a
// notice, then calls say if this rank is to print its text: no lower rank has the same text. It
// then waits until all ranks have printed theirs. It waits for grace at most.
//
// It returns the code of the lowest rank that failed by itself, and whether this rank is to
// [Transport.Abort]. That is so where not all ranks have answered. Where all have, it is so on rank
// 0 alone, for which the others wait, unless ranks may exit.
func (t *Transport) Fail(code int, text string, grace time.Duration, say func()) (first int, abort bool) {
	t.farewells <- func() {
		mine := notice{1, code, text != "", text[:min(len(text), textSize)]}
		until := time.Now().Add(grace)
		all := t.toll(mine, until)
		t.bell.heard[t.rank] = mine
		first = code
		silent := !mine.primary
		for r := t.size - 1; r >= 0; r-- {
			if n, ok := t.bell.heard[r]; ok && n.primary {
				first = n.code
				silent = silent || r < t.rank && n.text == mine.text
			}
		}
		if !silent {
			say()
		}
		if mine.stage = 2; all {
			all = t.toll(mine, until)
		}
		if abort = !all || t.rank == 0 && !t.exits; abort {
			time.Sleep(forReading)
		}
	}
	<-t.done
	return first, abort
}

// toll sends a notice to all, and waits until all have sent one of its stage. It reports
// whether they have.
func (t *Transport) toll(mine notice, until time.Time) bool {
	toll, message := operations{lib: t.lib, longest: longest}, mine.encode(t.rank)
	for r := range t.size {
		if r != t.rank {
			toll.begin(t.lib.send, message, r, bellTag)
		}
	}
	for {
		t.listen()
		sent, err := toll.complete()
		others := 0
		for r, n := range t.bell.heard {
			if r != t.rank && n.stage >= mine.stage {
				others++
			}
		}
		switch {
		case sent && others == t.size-1:
			return true
		case err != nil || time.Now().After(until):
			return false
		}
		purego.SyscallN(t.lib.sleep, uintptr(lastSleep.Microseconds()))
	}
}

// forAbort is how long MPI_Abort has for ending this process. MPI_Abort of MPICH waits for an
// answer of srun, and srun sends none where the step ends already.
const forAbort = 2 * time.Second

// Abort ends all ranks, this one too, by MPI_Abort. It returns where MPI_Abort has no effect; the
// process has to exit.
func (t *Transport) Abort(code int) {
	t.farewells <- func() { t.lib.call(t.lib.abort, t.lib.world, uintptr(code)) }
	select {
	case <-t.done:
	case <-time.After(forAbort):
	}
}

// Finish waits for all ranks to finish, and leaves MPI. No call may follow; after an error, which
// means that another rank failed, Fail and Abort may.
func (t *Transport) Finish(ctx context.Context) (err error) {
	one, all := make([][]byte, t.size), make([][]byte, t.size)
	for r := range t.size {
		one[r], all[r] = make([]byte, 1), make([]byte, 1)
	}
	if err := t.Exchange(comm.Expect(ctx), all, one); err != nil { // rank 0 has more to do
		return err
	}
	t.farewells <- func() {
		lib := t.lib
		lib.call(lib.cancel, uintptr(unsafe.Pointer(&t.bell.request)))
		lib.call(lib.wait, uintptr(unsafe.Pointer(&t.bell.request)), lib.ignoreStatus)
		err = lib.call(lib.finalize)
		t.finished = true
	}
	<-t.done
	t.end(context.Canceled)
	return err
}
