package huge

import (
	"syscall"
	"unsafe"
)

// Advice to madvise that package syscall has no names for.
const (
	madvHugepage      = 14
	madvPopulateWrite = 23 // hands out all pages, and leaves what they hold
)

// toPage returns how many bytes of memory are before its first huge page.
func toPage(memory []byte) int {
	return int(-uintptr(unsafe.Pointer(unsafe.SliceData(memory))) & (page - 1))
}

// reserve returns no memory for less than a huge page.
func reserve(bytes int) (memory []byte, release func(), err error) {
	if bytes < page {
		return nil, nil, nil
	}
	all, err := syscall.Mmap(-1, 0, bytes+page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil, nil, ErrMemory
	}
	memory = all[toPage(all):][:bytes]
	_ = syscall.Madvise(memory, madvHugepage)
	return memory, func() { _ = syscall.Munmap(all) }, nil
}

func prepare(memory []byte) {
	skipped := toPage(memory)
	if whole := (len(memory) - skipped) &^ (page - 1); whole > 0 {
		part := memory[skipped : skipped+whole]
		if syscall.Madvise(part, madvHugepage) == nil {
			go func() { _ = syscall.Madvise(part, madvPopulateWrite) }()
		}
	}
}
