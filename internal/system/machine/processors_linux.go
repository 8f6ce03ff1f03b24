package machine

import (
	"errors"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// Processors returns the numbers of the processors that this thread may run on, as a launcher or a
// container has said; nil where the system does not tell.
func Processors() (numbers []int) {
	var set unix.CPUSet
	if unix.SchedGetaffinity(0, &set) != nil {
		return nil
	}
	for k := range len(set) * strconv.IntSize {
		if set.IsSet(k) {
			numbers = append(numbers, k)
		}
	}
	return numbers
}

// RunOn has all threads of the process, and those to come, run on these processors. It fails where
// the system does not let them.
func RunOn(processors []int) error {
	var set unix.CPUSet
	for _, k := range processors {
		set.Set(k)
	}
	// A thread that begins meanwhile has the processors of the one that began it.
	for done := map[string]bool{}; ; {
		threads, err := os.ReadDir("/proc/self/task")
		if err != nil {
			return err
		}
		before := len(done)
		for _, thread := range threads {
			if done[thread.Name()] {
				continue
			}
			done[thread.Name()] = true
			id, err := strconv.Atoi(thread.Name())
			if err == nil {
				err = unix.SchedSetaffinity(id, &set)
			}
			if err != nil && !errors.Is(err, unix.ESRCH) { // it has ended
				return err
			}
		}
		if len(done) == before {
			return nil
		}
	}
}
