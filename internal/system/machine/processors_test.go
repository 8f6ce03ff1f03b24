package machine

import (
	"runtime"
	"slices"
	"sync"
	"testing"
)

// All threads of a process run on one processor, and then on all of them again.
func TestRunOn(t *testing.T) {
	all := Processors()
	if all == nil {
		t.Skip("the system does not tell processors")
	}
	if len(all) != runtime.NumCPU() {
		t.Errorf("processors %v, the runtime has %d", all, runtime.NumCPU())
	}
	defer func() {
		if err := RunOn(all); err != nil || !slices.Equal(onThreads(8)[0], all) {
			t.Errorf("not on all processors again: %v", err)
		}
	}()
	first := all[:1]
	onThreads(8) // which are there from then on
	if err := RunOn(first); err != nil {
		t.Fatal(err)
	}
	for _, on := range onThreads(16) {
		if !slices.Equal(on, first) {
			t.Errorf("a thread runs on %v, want %v", on, first)
		}
	}
}

// onThreads returns the processors of so many threads.
func onThreads(n int) [][]int {
	on := make([][]int, n)
	var started, ended sync.WaitGroup
	started.Add(n)
	for k := range on {
		ended.Go(func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			started.Done()
			started.Wait() // so each has a thread of its own
			on[k] = Processors()
		})
	}
	ended.Wait()
	return on
}
