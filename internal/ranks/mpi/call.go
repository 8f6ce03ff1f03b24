//go:build !static && (linux || darwin) && (amd64 || arm64)

package mpi

import (
	"fmt"
	"unsafe"

	"github.com/ebitengine/purego"
)

// call calls a function of MPI, and returns its error code as an error. Pointer arguments must be
// converted in the call expression, so that their memory does not move until call returns. Numbers
// that are negative in C have their 32 bits in the lower half.
//
//go:uintptrescapes
func (l *library) call(function uintptr, args ...uintptr) error {
	code, _, _ := purego.SyscallN(function, args...)
	if int32(code) == 0 {
		return nil
	}
	text, length := make([]byte, 8192), new(int32)
	failed, _, _ := purego.SyscallN(l.errorString, code, uintptr(unsafe.Pointer(&text[0])), uintptr(unsafe.Pointer(length)))
	if int32(failed) != 0 {
		return fmt.Errorf("MPI: error %d", int32(code))
	}
	return fmt.Errorf("MPI: %s", text[:*length])
}

// keepSignals runs do, and puts back the handlers of signals that it changed: MPI libraries
// take those by which Go recovers from a nil pointer, and is told of Ctrl-C.
func keepSignals(do func() error) error {
	action, err := purego.Dlsym(purego.RTLD_DEFAULT, "sigaction")
	if err != nil {
		return err
	}
	const last = 31        // those of POSIX; the others belong to the C library
	type handler [512]byte // more than a struct sigaction takes on any system
	before, after := make([]handler, last+1), new(handler)
	for s := 1; s <= last; s++ {
		purego.SyscallN(action, uintptr(s), 0, uintptr(unsafe.Pointer(&before[s])))
	}
	err = do()
	for s := 1; s <= last; s++ {
		purego.SyscallN(action, uintptr(s), 0, uintptr(unsafe.Pointer(after)))
		if *after != before[s] {
			purego.SyscallN(action, uintptr(s), uintptr(unsafe.Pointer(&before[s])), 0)
		}
	}
	return err
}
