//go:build unix && !linux

package embed

import "syscall"

// watch looks every second whether the process that began the guard is still there.
const (
	watch   = `(while kill -0 $PPID 2>/dev/null; do sleep 1; done; kill -KILL 0) >/dev/null 2>&1 & watch=$!`
	unwatch = `kill $watch 2>/dev/null`
)

func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
