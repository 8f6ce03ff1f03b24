package main

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// What is free is the least of what the system, control groups of both versions and
// limits of the process leave.
func TestFreeMemory(t *testing.T) {
	const mb = 1 << 20
	meminfo := map[string]string{"proc/meminfo": "MemTotal:       32768 kB\nMemFree:        1024 kB\nMemAvailable:   20480 kB\n"}
	for _, c := range []struct {
		name  string
		files map[string]string
		want  int64
	}{
		{"no groups", nil, 20 * mb},
		{"no limit of version 2", map[string]string{
			"proc/self/cgroup":                 "0::/\n",
			"sys/fs/cgroup/memory.max":         "max\n",
			"sys/fs/cgroup/memory.high":        "max\n",
			"sys/fs/cgroup/memory.current":     "1048576\n",
			"sys/fs/cgroup/cgroup.controllers": "cpu memory\n",
		}, 20 * mb},
		{"version 2, less cached pages", map[string]string{
			"proc/self/cgroup":             "0::/\n",
			"sys/fs/cgroup/memory.max":     "10485760\n",
			"sys/fs/cgroup/memory.current": "5242880\n",
			"sys/fs/cgroup/memory.stat":    "anon 1048576\ninactive_file_of_another 7\ninactive_file 3145728\nactive_file 9\n",
		}, 8 * mb},
		{"version 2, the parent's limit", map[string]string{
			"proc/self/cgroup":                 "0::/a/b\n",
			"sys/fs/cgroup/a/b/memory.max":     "15728640\n",
			"sys/fs/cgroup/a/b/memory.current": "1048576\n",
			"sys/fs/cgroup/a/memory.max":       "max\n",
			"sys/fs/cgroup/a/memory.high":      "12582912\n",
			"sys/fs/cgroup/a/memory.current":   "2097152\n",
		}, 10 * mb},
		{"version 2, a path outside the container", map[string]string{
			"proc/self/cgroup":             "0::/../outside\n",
			"sys/fs/cgroup/memory.max":     "4194304\n",
			"sys/fs/cgroup/memory.current": "1048576\n",
		}, 3 * mb},
		{"version 2, used up", map[string]string{
			"proc/self/cgroup":               "0::/a\n",
			"sys/fs/cgroup/a/memory.high":    "4194304\n",
			"sys/fs/cgroup/a/memory.current": "5242880\n",
		}, 1},
		{"version 1", map[string]string{
			"proc/self/cgroup":                                    "9:name=systemd:/\n4:cpu,memory:/docker/1\n3:cpuset:/x\n0::/\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes":          "9223372036854771712\n",
			"sys/fs/cgroup/memory/memory.usage_in_bytes":          "99\n",
			"sys/fs/cgroup/memory/docker/1/memory.limit_in_bytes": "7340032\n",
			"sys/fs/cgroup/memory/docker/1/memory.usage_in_bytes": "4194304\n",
			"sys/fs/cgroup/memory/docker/1/memory.stat":           "inactive_file 5\ntotal_inactive_file 1048576\n",
		}, 4 * mb},
		{"version 1, its own group as the root", map[string]string{
			"proc/self/cgroup":                           "4:memory:/docker/1\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "7340032\n",
			"sys/fs/cgroup/memory/memory.usage_in_bytes": "4194304\n",
		}, 3 * mb},
		{"a limit, and nothing said of its use", map[string]string{
			"proc/self/cgroup":         "0::/\n",
			"sys/fs/cgroup/memory.max": "10\n",
		}, 20 * mb},
		{"address space", map[string]string{
			"proc/self/limits": "Limit                     Soft Limit           Hard Limit           Units     \n" +
				"Max data size             unlimited            unlimited            bytes     \n" +
				"Max address space         9437184              unlimited            bytes     \n",
			"proc/self/status": "VmPeak:\t    9999 kB\nVmSize:\t    2048 kB\nVmData:\t    1024 kB\n",
		}, 7 * mb},
		{"data", map[string]string{
			"proc/self/limits": "Max data size             3145728            unlimited            bytes     \n" +
				"Max address space         unlimited              unlimited            bytes     \n",
			"proc/self/status": "VmSize:\t    2048 kB\nVmData:\t    1024 kB\n",
		}, 2 * mb},
		{"broken files", map[string]string{
			"proc/self/cgroup":             "0:\n\nmemory\n0::/\n",
			"sys/fs/cgroup/memory.max":     "\n",
			"sys/fs/cgroup/memory.current": "many\n",
			"proc/self/limits":             "Max address space\n",
			"proc/self/status":             "VmSize: -1 kB\n",
		}, 20 * mb},
	} {
		root := make(fstest.MapFS)
		all := maps.Clone(meminfo)
		maps.Copy(all, c.files)
		for name, text := range all {
			root[name] = &fstest.MapFile{Data: []byte(text)}
		}
		if got := freeMemory(root); got != c.want {
			t.Errorf("%s: %d bytes are free, want %d", c.name, got, c.want)
		}
	}
	if got := freeMemory(fstest.MapFS{}); got != 0 {
		t.Errorf("a system that does not tell has %d bytes, want 0", got)
	}
}

// Four fifths of much memory may be used, and half of little.
func TestSpare(t *testing.T) {
	const mb = 1 << 20
	for free, want := range map[int64]int64{0: 0, 1: 1, 100 * mb: 50 * mb, 400 * mb: 200 * mb, 600 * mb: 400 * mb, 1000 * mb: 800 * mb, 5000 * mb: 4000 * mb} {
		if got := spare(free); got != want {
			t.Errorf("of %d bytes %d may be used, want %d", free, got, want)
		}
	}
}

// Memory that the system refuses is an error with advice, not a trace.
func TestOutOfMemory(t *testing.T) {
	dir := t.TempDir()
	limited := func(kilobytes, command string) (stderr string, code int) {
		c := exec.CommandContext(t.Context(), "sh", "-c", "ulimit -v "+kilobytes+" && exec "+command)
		var text bytes.Buffer
		c.Dir, c.Stderr = dir, &text
		_ = c.Run()
		return text.String(), c.ProcessState.ExitCode()
	}
	const kilobytes = "3000000"
	if text, code := limited(kilobytes, "lapsvm --version"); code != 0 {
		t.Skipf("no limit of the address space can be set here: %s", text)
	}
	rng, table := rand.New(rand.NewPCG(1, 1)), []byte("x,label\n")
	for i := range 45000 { // half of the matrix takes 4 GB
		table = fmt.Appendf(table, "%.4f,%s\n", rng.Float64(), []string{"a", "b", "", ""}[min(i, 3)])
	}
	if err := os.WriteFile(filepath.Join(dir, "points.csv"), table, 0o600); err != nil {
		t.Fatal(err)
	}
	text, code := limited(kilobytes, "lapsvm train points.csv -o m.lapsvm --solver pcg --memory 9GB --sigma 1 --neighbours 2 --laplacian-degree 1 --gamma-a 1 --gamma-i 1 --proba off")
	if code != exitFailed || !strings.Contains(text, "out of memory: ") || !strings.Contains(text, "--memory") || strings.Contains(text, "goroutine") {
		t.Errorf("exit code %d: %s", code, text)
	}
}
