package gram

import (
	"syscall"
	"unsafe"

	"lapsvm/points"
)

// hugePage is the size of the pages that are asked for.
const hugePage = 2 << 20

// reserve returns n zeros outside the Go heap, on huge pages where the system
// has them, and the function that gives the memory back, after which it must
// not be touched.
func reserve[S points.Float](n int) (values []S, release func()) {
	const madvHugepage = 14
	var s S
	bytes := n * int(unsafe.Sizeof(s))
	if bytes < hugePage {
		return make([]S, n), func() {}
	}
	memory, err := syscall.Mmap(-1, 0, bytes+hugePage, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return make([]S, n), func() {}
	}
	aligned := memory[-uintptr(unsafe.Pointer(&memory[0]))&(hugePage-1):]
	_ = syscall.Madvise(aligned[:bytes], madvHugepage)
	return unsafe.Slice((*S)(unsafe.Pointer(&aligned[0])), n), func() { _ = syscall.Munmap(memory) }
}
