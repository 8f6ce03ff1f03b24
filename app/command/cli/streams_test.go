package cli

import (
	"errors"
	"io"
	"os"
	"syscall"
	"testing"
)

// failing takes nothing.
type failing struct{}

func (failing) Write([]byte) (int, error) {
	return 0, &os.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.EIO}
}

// The first failure stays.
func TestResultsStop(t *testing.T) {
	r := results{w: failing{}}
	for range 2 {
		if n, err := io.WriteString(&r, "text"); n != 0 || !errors.Is(err, syscall.EIO) || err != r.err {
			t.Errorf("%d bytes, %v", n, err)
		}
	}
}

func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"plain, é, 日本, 👩‍🔬\tand\n": "plain, é, 日本, 👩‍🔬\tand\n",
		"\x1b[31mred\x1b[0m":       `\x1b[31mred\x1b[0m`,
		"a\rb\x07\x7f":             `a\x0db\x07\x7f`,
		"\u009b31m":                `\u009b31m`,
		"\u202etxt.exe":            `\u202etxt.exe`,
		"\xff\xc3":                 `\xff\xc3`,
		"\ufffd":                   "\ufffd",
	} {
		if got := visible(text); got != want {
			t.Errorf("%q is shown as %q, want %q", text, got, want)
		}
	}
}
