package machine

import (
	"io/fs"
	"math"
	"path"
	"strconv"
	"strings"
)

// freeOn returns the result of [Free], or 0 where the system does not tell. It is the least of
// three: free memory, the remainder of the control groups' limits, and the remainder of the
// process's own limits (ulimit -v and -d). The directories proc and sys of a Linux system are in
// root.
func freeOn(root fs.FS) int64 {
	least := int64(math.MaxInt64)
	atMost := func(bytes int64, ok bool) {
		if ok {
			least = min(least, max(bytes, 1))
		}
	}
	atMost(field(root, "proc/meminfo", "MemAvailable:"))
	for _, group := range memoryGroups(root) {
		atMost(group.free(root))
	}
	for _, limit := range [][2]string{{"Max address space", "VmSize:"}, {"Max data size", "VmData:"}} {
		bytes, limited := field(root, "proc/self/limits", limit[0])
		used, ok := field(root, "proc/self/status", limit[1])
		atMost(bytes-used, limited && ok)
	}
	if least == math.MaxInt64 {
		return 0
	}
	return least
}

// memoryGroup is a control group: its directory, and what its files are called.
type memoryGroup struct {
	dir    string
	limits []string // files
	used   string   // file
	cached string   // in memory.stat: of what is used, pages of files to drop first
}

// memoryGroups returns the control groups, of version 1 or 2, that this process is
// in, and all above them. A container may see its own group as the root of a tree,
// and still read of a path from the root of the system: paths that are not there do
// no harm.
func memoryGroups(root fs.FS) (groups []memoryGroup) {
	text, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(text)) {
		part := strings.SplitN(strings.TrimSpace(line), ":", 3) // number, controllers, path
		if len(part) < 3 {
			continue
		}
		group := memoryGroup{limits: []string{"memory.max", "memory.high"}, used: "memory.current", cached: "inactive_file "}
		top := "sys/fs/cgroup"
		switch controllers := "," + part[1] + ","; {
		case strings.Contains(controllers, ",memory,"):
			group = memoryGroup{limits: []string{"memory.limit_in_bytes"}, used: "memory.usage_in_bytes", cached: "total_inactive_file "}
			top += "/memory"
		case part[1] != "":
			continue // a controller of something else
		}
		for dir := path.Clean("/" + part[2]); ; dir = path.Dir(dir) {
			group.dir = top + strings.TrimSuffix(dir, "/")
			groups = append(groups, group)
			if dir == "/" {
				break
			}
		}
	}
	return groups
}

// free returns how many bytes a group leaves, if it has a limit.
func (g memoryGroup) free(root fs.FS) (bytes int64, ok bool) {
	least := int64(math.MaxInt64)
	for _, name := range g.limits {
		if limit, limited := field(root, path.Join(g.dir, name), ""); limited {
			least = min(least, limit)
		}
	}
	used, ok := field(root, path.Join(g.dir, g.used), "")
	if !ok || least == math.MaxInt64 {
		return 0, false
	}
	cached, _ := field(root, path.Join(g.dir, "memory.stat"), g.cached)
	return least - used + cached, true
}

// field reads the number after a name at the start of a line of a file, in bytes: a
// number with the unit kB counts kilobytes. It knows none where the file, the line or
// the number is missing, as in "max" or "unlimited".
func field(root fs.FS, file, name string) (value int64, ok bool) {
	text, err := fs.ReadFile(root, file)
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(text)) {
		rest, found := strings.CutPrefix(line, name)
		words := strings.Fields(rest)
		if !found || len(words) == 0 {
			continue
		}
		if value, err = strconv.ParseInt(words[0], 10, 64); err != nil || value < 0 {
			return 0, false
		}
		if len(words) > 1 && words[1] == "kB" {
			value <<= 10
		}
		return value, true
	}
	return 0, false
}
