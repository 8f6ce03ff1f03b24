package machine

import (
	"maps"
	"runtime"
	"testing"
	"testing/fstest"
)

// Free memory is the least of what the system, control groups of both versions and limits of the
// process leave.
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
		if got := freeOn(root); got != c.want {
			t.Errorf("%s: %d bytes are free, want %d", c.name, got, c.want)
		}
	}
	if got := freeOn(fstest.MapFS{}); got != 0 {
		t.Errorf("a system that does not tell has %d bytes, want 0", got)
	}
}

// Linux, macOS and Windows report free memory and memory used.
func TestTold(t *testing.T) {
	switch runtime.GOOS {
	case "linux", "darwin", "windows":
	default:
		t.Skipf("%s need not tell", runtime.GOOS)
	}
	if free := Free(); free < 1<<20 || free > 1<<46 {
		t.Errorf("%d bytes are free", free)
	}
	const more = 64 << 20
	before, used := Peak(), make([]byte, more)
	for i := 0; i < more; i += 4096 {
		used[i] = 1
	}
	if after := Peak(); before < 1<<20 || after < before || after < more {
		t.Errorf("%d bytes, and %d with %d more", before, after, more)
	}
	runtime.KeepAlive(used)
}
