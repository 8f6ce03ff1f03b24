package vec

import (
	"sync"
	"sync/atomic"
)

// Parallel calls work(0) … work(tasks−1), each once, on up to threads
// goroutines, the caller being one of them, and returns when all are done.
// Goroutines take the next task when they are free, so a slow core does not
// hold up the others. Results do not depend on threads as long as tasks write
// to separate places and the split into tasks does not depend on threads. A
// panic in work ends the program.
func Parallel(threads, tasks int, work func(task int)) {
	threads = min(threads, tasks)
	if threads <= 1 {
		for t := range tasks {
			work(t)
		}
		return
	}
	var next atomic.Int64
	run := func() {
		for {
			t := int(next.Add(1)) - 1
			if t >= tasks {
				return
			}
			work(t)
		}
	}
	var wg sync.WaitGroup
	for range threads - 1 {
		wg.Go(run)
	}
	run()
	wg.Wait()
}
