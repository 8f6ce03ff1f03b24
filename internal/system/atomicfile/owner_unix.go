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
	stat, known := info.Sys().(*syscall.Stat_t)
	return known && stat.Nlink == 0
}

// keepOwner gives f the owner and the group of another file.
func keepOwner(f *os.File, of fs.FileInfo) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	want, known := of.Sys().(*syscall.Stat_t)
	has, alsoKnown := info.Sys().(*syscall.Stat_t)
	if !known || !alsoKnown || has.Uid == want.Uid && has.Gid == want.Gid {
		return nil
	}
	return f.Chown(int(want.Uid), int(want.Gid))
}
