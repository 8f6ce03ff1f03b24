//go:build !darwin && !windows

package machine

import "os"

// Free returns the bytes of memory that this process may still take, or 0 where the
// system does not tell. Memory that is used up counts as one byte. On Linux that is what
// proc/meminfo calls available, or less by control groups and by limits of the process.
func Free() int64 { return freeOn(os.DirFS("/")) }
