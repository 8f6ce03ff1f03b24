//go:build !unix && !windows

package machine

import "runtime"

// Peak returns the bytes of memory that the Go runtime has taken from the system.
func Peak() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.Sys)
}
