//go:build unix

package atomicfile

import (
	"io/fs"
	"os"
	"syscall"
)

// nameless reports whether a file has no name in any folder: it was deleted, or made
// without one, and is open still.
func nameless(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && stat.Nlink == 0
}

// keepOwner gives f the owner and the group of another file.
func keepOwner(f *os.File, other fs.FileInfo) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	want, wantOK := other.Sys().(*syscall.Stat_t)
	has, hasOK := info.Sys().(*syscall.Stat_t)
	if !wantOK || !hasOK || has.Uid == want.Uid && has.Gid == want.Gid {
		return nil
	}
	return f.Chown(int(want.Uid), int(want.Gid))
}
