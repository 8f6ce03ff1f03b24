//go:build !windows

package atomicfile

import "os"

// rename gives a file the name of another, which it replaces, also while a program has that file
// open.
func rename(from, to string) error { return os.Rename(from, to) }

// inUse reports whether a file could not be replaced because another program has it open.
func inUse(error) bool { return false }
