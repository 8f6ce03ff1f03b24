package tools

import (
	"fmt"
	"strings"
)

// armNames are those of processors by the numbers that Linux shows of them: implementer
// and part.
var armNames = map[string]string{
	"0x41 0xd03": "Cortex-A53", "0x41 0xd05": "Cortex-A55", "0x41 0xd07": "Cortex-A57", "0x41 0xd08": "Cortex-A72",
	"0x41 0xd0b": "Cortex-A76", "0x41 0xd0c": "Neoverse N1", "0x41 0xd40": "Neoverse V1", "0x41 0xd49": "Neoverse N2",
	"0x41 0xd4f": "Neoverse V2", "0x61 0x022": "Apple M1", "0x61 0x023": "Apple M1", "0xc0 0xac3": "Ampere-1",
}

// processorOf returns the name of the processor that /proc/cpuinfo describes, "" where it
// names none.
func processorOf(cpuinfo string) string {
	fields := map[string]string{}
	for line := range strings.Lines(cpuinfo) {
		key, value, _ := strings.Cut(line, ":")
		if key = strings.TrimSpace(key); fields[key] == "" {
			fields[key] = strings.TrimSpace(value)
		}
	}
	if name := fields["model name"]; name != "" {
		return name
	}
	implementer, part := fields["CPU implementer"], fields["CPU part"]
	if part == "" {
		return ""
	}
	if name := armNames[implementer+" "+part]; name != "" {
		return name
	}
	return fmt.Sprintf("implementer %s, part %s", implementer, part)
}
