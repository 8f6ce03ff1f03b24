package huge

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"unsafe"
)

// What the heap takes after it was prepared has the advice, as the map of the process says.
func TestPrepareHeap(t *testing.T) {
	if _, err := os.Stat("/sys/kernel/mm/transparent_hugepage"); err != nil {
		t.Skip("no huge pages here")
	}
	PrepareHeap(64 << 20)
	memory := make([]byte, 16<<20)
	at := uint64(uintptr(unsafe.Pointer(&memory[len(memory)/2])))
	maps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Skip(err)
	}
	inside := false
	for line := range strings.Lines(string(maps)) {
		var from, to uint64
		if n, _ := fmt.Sscanf(line, "%x-%x ", &from, &to); n == 2 {
			inside = from <= at && at < to
		}
		if flags, found := strings.CutPrefix(line, "VmFlags:"); found && inside {
			if !strings.Contains(flags, " hg") {
				t.Errorf("the heap has the flags %s", flags)
			}
			return
		}
	}
	t.Error("the map has no heap")
}
