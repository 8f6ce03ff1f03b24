//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package huge

import "syscall"

// reserve maps pages of the system's size: nothing asks for larger ones that these
// systems would heed.
func reserve(bytes int) (memory []byte, release func(), err error) {
	if bytes < page {
		return nil, nil, nil
	}
	memory, err = syscall.Mmap(-1, 0, bytes, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil, nil, ErrMemory
	}
	return memory, func() { _ = syscall.Munmap(memory) }, nil
}

func prepare(memory []byte) {}

func prepareHeap(bytes int) {}
