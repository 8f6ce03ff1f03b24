//go:build unix

package atomicfile

import (
	"io/fs"
	"os"
	"syscall"
)

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
