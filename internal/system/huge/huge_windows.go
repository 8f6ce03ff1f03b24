package huge

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// reserve commits pages of 4 KB: large ones need a privilege that accounts do not have.
func reserve(bytes int) (memory []byte, release func(), err error) {
	if bytes < page {
		return nil, nil, nil
	}
	address, err := windows.VirtualAlloc(0, uintptr(bytes), windows.MEM_RESERVE|windows.MEM_COMMIT, windows.PAGE_READWRITE)
	if err != nil {
		return nil, nil, ErrMemory
	}
	// The address is the system's, not that of anything in Go.
	start := *(*unsafe.Pointer)(unsafe.Pointer(&address))
	return unsafe.Slice((*byte)(start), bytes), func() { _ = windows.VirtualFree(address, 0, windows.MEM_RELEASE) }, nil
}

func prepare(memory []byte) {}

func prepareHeap(bytes int) {}
