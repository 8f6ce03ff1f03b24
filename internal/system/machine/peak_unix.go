//go:build unix

package machine

import (
	"os"
	"runtime"
	"syscall"
)

// Peak returns the most bytes of memory that this process has used so far, or 0 where the system
// does not tell. On Linux a process started by a large one inherits the peak of that process in its
// usage, but not in its status.
func Peak() int64 {
	if bytes, ok := field(os.DirFS("/"), "proc/self/status", "VmHWM:"); ok {
		return bytes
	}
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return int64(usage.Maxrss) // bytes there, kilobytes elsewhere
	}
	return int64(usage.Maxrss) << 10
}
