//go:build !unix

package embed

import (
	"context"
	"os/exec"
)

// shell returns a command of the shell, which is killed when ctx is done.
func shell(ctx context.Context, text string) *exec.Cmd {
	return exec.CommandContext(ctx, "cmd", "/C", text)
}
