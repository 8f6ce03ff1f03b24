package dataset

import (
	"syscall"
	"unsafe"
)

// provision asks for memory on huge pages for values that have not been touched,
// and in the background for all of it at once: page by page, when they are
// first written, the system takes longer to hand out a gigabyte than it takes to
// read one. Where the system cannot, nothing is lost.
func provision(values []float64) {
	const (
		hugePage          = 2 << 20
		madvHugepage      = 14
		madvPopulateWrite = 23 // changes nothing of what is there
	)
	if len(values) == 0 {
		return
	}
	memory := unsafe.Slice((*byte)(unsafe.Pointer(&values[0])), 8*len(values))
	skipped := int(-uintptr(unsafe.Pointer(&memory[0])) & (hugePage - 1))
	if whole := (len(memory) - skipped) &^ (hugePage - 1); whole > 0 {
		part := memory[skipped : skipped+whole]
		if syscall.Madvise(part, madvHugepage) == nil {
			go func() { _ = syscall.Madvise(part, madvPopulateWrite) }()
		}
	}
}
