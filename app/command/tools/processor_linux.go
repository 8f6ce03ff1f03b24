package tools

import "os"

// processorName returns the name of this machine's processor, "" where the system does not
// tell.
func processorName() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	return processorOf(string(text))
}
