//go:build !windows

package cli

import (
	"errors"
	"os"
	"syscall"
)

// steerable reports whether a terminal clears lines when it is asked to.
func steerable(*os.File) bool { return os.Getenv("TERM") != "dumb" }

// unread reports whether an error says that nobody reads a pipe any more.
func unread(err error) bool { return errors.Is(err, syscall.EPIPE) }
