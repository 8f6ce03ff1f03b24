package tools

import "golang.org/x/sys/unix"

// processorName returns the name of this machine's processor, "" where the system does not
// tell.
func processorName() string {
	name, err := unix.Sysctl("machdep.cpu.brand_string")
	if err != nil {
		return ""
	}
	return name
}
