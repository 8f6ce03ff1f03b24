//go:build !unix

package main

import "runtime"

// peakBytes returns the memory that the Go runtime has taken from the system.
func peakBytes() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.Sys)
}
