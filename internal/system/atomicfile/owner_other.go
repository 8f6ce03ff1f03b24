//go:build !unix

package atomicfile

import (
	"io/fs"
	"os"
)

// nameless reports whether a file has no name; these systems cannot open such by a path.
func nameless(fs.FileInfo) bool { return false }

// keepOwner does nothing: these systems have no owner to keep.
func keepOwner(*os.File, fs.FileInfo) error { return nil }
