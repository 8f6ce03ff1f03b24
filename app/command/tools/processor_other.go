//go:build !linux && !darwin && !windows

package tools

// processorName returns "": no system is asked here.
func processorName() string { return "" }
