package atomicfile

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// rename gives a file the name of another, which it replaces. Windows refuses that while any
// program has the other file open. A program that reads it, or scans it for viruses, closes it
// soon, so rename tries again for two seconds.
func rename(from, to string) error {
	const patience = 2 * time.Second
	for began := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		err := os.Rename(from, to)
		if err == nil || !inUse(err) || time.Since(began) > patience {
			return err
		}
	}
}

// inUse reports whether a file could not be replaced because another program has it open.
func inUse(err error) bool {
	return errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_ACCESS_DENIED) || errors.Is(err, windows.ERROR_LOCK_VIOLATION)
}
