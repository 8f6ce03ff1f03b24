package tools

import (
	"testing"
)

// Linux names processors of x86 and gives numbers for those of ARM.
func TestProcessorOf(t *testing.T) {
	for cpuinfo, want := range map[string]string{
		"processor\t: 0\nmodel\t\t: 2\nmodel name\t: AMD EPYC 9R14\nprocessor\t: 1\nmodel name\t: another\n":  "AMD EPYC 9R14",
		"processor\t: 0\nBogoMIPS\t: 50.00\nCPU implementer\t: 0x41\nCPU variant\t: 0x1\nCPU part\t: 0xd40\n": "Neoverse V1",
		"processor\t: 0\nCPU implementer\t: 0x99\nCPU part\t: 0x001\nprocessor\t: 1\nCPU part\t: 0x002\n":     "implementer 0x99, part 0x001",
		"processor\t: 0\nhart\t: 1\n": "",
		"":                            "",
	} {
		if got := processorOf(cpuinfo); got != want {
			t.Errorf("%q is %q, want %q", cpuinfo, got, want)
		}
	}
}
