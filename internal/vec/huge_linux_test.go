package vec

import (
	"syscall"
	"unsafe"
)

// hugeFloats returns n zeros on large pages, as stored Gram matrices are; the
// memory is never given back.
func hugeFloats(n int) []float32 {
	const page = 2 << 20
	b, err := syscall.Mmap(-1, 0, 4*n+page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return make([]float32, n)
	}
	b = b[-uintptr(unsafe.Pointer(&b[0]))&(page-1):]
	syscall.Madvise(b, 14) // MADV_HUGEPAGE
	return unsafe.Slice((*float32)(unsafe.Pointer(&b[0])), n)
}
