package cli

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// steerable reports whether a terminal clears lines when it is asked to, and asks the
// console of older Windows to do that.
func steerable(terminal *os.File) bool {
	var mode uint32
	console := windows.Handle(terminal.Fd())
	if windows.GetConsoleMode(console, &mode) != nil {
		return false
	}
	return windows.SetConsoleMode(console, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}

// unread reports whether an error says that nobody reads a pipe any more.
func unread(err error) bool {
	return errors.Is(err, windows.ERROR_BROKEN_PIPE) || errors.Is(err, windows.ERROR_NO_DATA)
}
