package embed

import "syscall"

const watch, unwatch = "", ""

// attributes has the guard of a command told when the thread that began it ends.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
}
