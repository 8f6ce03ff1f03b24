//go:build !linux && !darwin && !windows

package command

// processorName returns "": no system is asked here.
func processorName() string { return "" }
