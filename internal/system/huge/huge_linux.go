package huge

import (
	"runtime/debug"
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

// whole asks the system for the huge pages of memory. It returns them, and nothing where the system has none.
func whole(memory []byte) []byte {
	skipped := toPage(memory)
	bytes := (len(memory) - skipped) &^ (page - 1)
	if bytes <= 0 || syscall.Madvise(memory[skipped:skipped+bytes], madvHugepage) != nil {
		return nil
	}
	return memory[skipped : skipped+bytes]
}

func prepare(memory []byte) {
	if part := whole(memory); part != nil {
		go func() { _ = syscall.Madvise(part, madvPopulateWrite) }()
	}
}

// prepareHeap takes memory, which it does not write, and drops it. The heap uses its addresses again, and they keep the advice.
func prepareHeap(bytes int) {
	whole(make([]byte, bytes))
	debug.FreeOSMemory() // and not only a collection: untouched memory counts in no limit then
}
