//go:build !unix

package atomicfile

import (
	"io/fs"
	"os"
)

// keepOwner does nothing: these systems have no owner to keep.
func keepOwner(*os.File, fs.FileInfo) error { return nil }
