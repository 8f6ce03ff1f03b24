// Package huge reserves memory for many numbers outside the Go heap, on huge pages where
// the system has them: Linux does. A page of memory is handed out when it is first written.
// For a gigabyte of small pages that takes longer than to read the gigabyte once it is there.
package huge

import (
	"unsafe"

	"lapsvm/internal/system/fault"
)

// ErrMemory is the error where the system does not give the memory.
var ErrMemory = fault.Memory.Errorf("out of memory")

// Float is a floating-point number.
type Float interface{ ~float32 | ~float64 }

// page is the size of a huge page.
const page = 2 << 20

// Reserve returns n zeros outside the Go heap. The memory must not be touched after
// release, which gives it back. Less than a huge page is on the Go heap; release then
// does nothing. It fails with [ErrMemory] where the system refuses.
func Reserve[T Float](n int) (values []T, release func(), err error) {
	var zero T
	memory, release, err := reserve(n * int(unsafe.Sizeof(zero)))
	switch {
	case err != nil:
		return nil, nil, err
	case memory == nil:
		return make([]T, n), func() {}, nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&memory[0])), n), release, nil
}

// Prepare asks the system for huge pages under values that were never written, and
// has it hand out all of their memory in the background. What the values hold stays
// as it is. Where the system has no huge pages, Prepare does nothing.
func Prepare[T Float](values []T) {
	if len(values) == 0 {
		return
	}
	prepare(unsafe.Slice((*byte)(unsafe.Pointer(&values[0])), len(values)*int(unsafe.Sizeof(values[0]))))
}

// PrepareHeap puts about so many bytes of the Go heap on huge pages, the next ones that it takes. A heap of small pages
// has a trap into the system for each 4 KB. Where the system has no huge pages, PrepareHeap does nothing.
func PrepareHeap(bytes int) { prepareHeap(bytes) }
