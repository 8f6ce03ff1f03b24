//go:build unix

package embed

import (
	"context"
	"os/exec"
	"syscall"
)

// guard runs a command of the shell, and ends the whole group of its processes at a signal. The command reads standard input itself:
// the shell gives what runs in the background none.
const guard = `trap 'kill -KILL 0' HUP INT QUIT TERM
exec 3<&0 </dev/null
sh -c "$1" <&3 3<&- &
command=$!
exec 3<&-
` + watch + `
wait $command
code=$?
` + unwatch + `
exit $code`

// shell returns a command of the shell in a group of processes of its own. The group ends as a whole when ctx is done, and
// when this process ends in any way.
func shell(ctx context.Context, text string) *exec.Cmd {
	c := exec.CommandContext(ctx, "sh", "-c", guard, "lapsvm", text)
	c.SysProcAttr = attributes()
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	return c
}
