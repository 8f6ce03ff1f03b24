package machine

import (
	"os"

	"golang.org/x/sys/unix"
)

// Free returns the bytes of memory that this process may still take, or 0 where the system does not
// tell. It counts free pages, pages that hold only parts of files, and pages that programs marked
// purgeable. Memory of other programs that could be compressed does not count. macOS enforces no
// limits of a process's own (ulimit -v, -d and -m).
func Free() int64 {
	pages := int64(0)
	for _, name := range []string{"vm.page_free_count", "vm.page_pageable_external_count", "vm.page_purgeable_count"} {
		n, err := unix.SysctlUint32(name)
		if err != nil {
			return 0
		}
		pages += int64(n)
	}
	total, err := unix.SysctlUint64("hw.memsize")
	if err != nil {
		return 0
	}
	return max(min(pages*int64(os.Getpagesize()), int64(total)), 1)
}
