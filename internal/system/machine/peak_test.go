package machine

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// tellPeak names the variable that has this program do nothing but tell its peak.
const tellPeak = "LAPSVM_TEST_TELL_PEAK"

func TestMain(m *testing.M) {
	if os.Getenv(tellPeak) != "" {
		fmt.Println(Peak())
		return
	}
	os.Exit(m.Run())
}

// The peak of a process has nothing of the one that started it.
func TestPeakIsOnesOwn(t *testing.T) {
	const much = 192 << 20
	used := make([]byte, much)
	for i := 0; i < much; i += 4096 {
		used[i] = 1
	}
	program, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	c := exec.CommandContext(t.Context(), program)
	c.Env = append(os.Environ(), tellPeak+"=1")
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	if peak, err := strconv.Atoi(strings.TrimSpace(string(out))); err != nil || peak > much*3/4 {
		t.Errorf("%s bytes, started by a process with %d (%v)", out, much, err)
	}
	runtime.KeepAlive(used)
}
