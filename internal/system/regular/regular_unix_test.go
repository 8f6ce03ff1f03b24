//go:build unix

package regular

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// Opening a pipe that nobody writes to would wait for good.
func TestOpenPipeAndDevice(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Skip(err)
	}
	refused(t, pipe, "a pipe")
	refused(t, os.DevNull, "a device")
}
