// Package regular opens files that have an end: no pipe, socket or device, whose opening or
// reading may wait for good.
package regular

import (
	"os"
	"syscall"

	"lapsvm/internal/system/fault"
)

// Open opens a regular file, and returns its size. It looks at the file that it has opened: the
// name may lead to another meanwhile.
func Open(path string) (f *os.File, size int64, err error) {
	f, err = os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fault.Errorf("%s is no regular file, but %s: give a file", path, kind(info.Mode()))
	}
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// kind says what a file is.
func kind(mode os.FileMode) string {
	switch {
	case mode.IsDir():
		return "a folder"
	case mode&os.ModeNamedPipe != 0:
		return "a pipe"
	case mode&os.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}
