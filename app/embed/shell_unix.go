//go:build unix

package embed

import (
	"context"
	"os/exec"
	"syscall"
)

// shell returns a command of the shell in a group of processes of its own, which ends as a whole when ctx is done.
func shell(ctx context.Context, text string) *exec.Cmd {
	c := exec.CommandContext(ctx, "sh", "-c", text)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	return c
}
