package cli

import (
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"lapsvm"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/system/fault"
	"lapsvm/internal/system/huge"
	"lapsvm/internal/system/machine"
	"lapsvm/internal/system/size"
)

// threadsEach is how many threads there are at most for each processor.
const threadsEach = 4

// limitThreads lets the command's context have the limit of --threads. A rank has it as a number of
// processors, of which it has more while others wait.
func (p *Program) limitThreads(c *cobra.Command) error {
	n, err := c.Flags().GetInt("threads")
	switch {
	case err != nil:
		return nil // this command has no such flag
	case n < 0:
		return Usagef("--threads must be positive, not %d", n)
	case p.ranks.comm != nil:
		if n > 0 {
			p.ranks.limit(n)
		}
		return nil
	}
	// More than a few threads for each processor only take memory.
	c.SetContext(lapsvm.WithThreads(c.Context(), min(n, threadsEach*runtime.GOMAXPROCS(0))))
	return nil
}

// leastFree is how much memory must be free where no --memory is given. Threads and an empty
// heap take about this much, and a program without it ends in the middle.
const leastFree = 100 << 20

// ownMemory is what the command takes beyond its memory budget: its code, its stacks and
// buffers, and garbage that is not yet collected.
const ownMemory = 48 << 20

// limitMemory makes the garbage collector keep within --memory, where the command has that
// flag. Otherwise garbage alone could end the program.
func limitMemory(c *cobra.Command) error {
	text, err := c.Flags().GetString("memory")
	if err != nil {
		return nil // this command has no such flag
	}
	bytes, err := MemoryBudget(text)
	if err == nil && bytes > 0 {
		debug.SetMemoryLimit(min(debug.SetMemoryLimit(-1), bytes+ownMemory+int64(len(unwritten))))
	}
	return err
}

// mostPrepared is how much of the heap is on huge pages from the start. Trainings of hundreds of points take less.
const mostPrepared = 256 << 20

// unwritten is memory that nothing writes, so that it takes none. It counts for the garbage collector, which so begins
// at 32 MB in place of 4: of a small heap every collection costs more than the memory that it finds.
var unwritten []byte

// prepareHeap prepares the heap of a process that begins. The heap gets huge pages for at most a quarter of the free memory.
func prepareHeap() {
	if free, err := MemoryBudget(""); err == nil && free > 0 {
		bytes := int(min(mostPrepared, free/4))
		percent := debug.SetGCPercent(-1) // the heap looks full: PrepareHeap collects, and once is enough
		unwritten = make([]byte, bytes/16)
		huge.PrepareHeap(bytes)
		debug.SetGCPercent(percent)
	}
}

// garbagePercent is how much garbage there may be in the heap of a training on landmarks, in percent of what it uses there.
const garbagePercent = 25

// Garbage returns how many bytes of garbage there may be beside what a training on landmarks takes by its plan, and 0 of another.
func Garbage(plan lapsvm.Plan) int64 {
	if plan.Gram.Form != gram.FormLandmarks {
		return 0
	}
	return (plan.Bytes() - plan.Outside()) * garbagePercent / 100
}

// heapLimiter returns a function that takes the plan of a training. On landmarks much memory is outside the heap, where the collector
// cannot see it: so the heap has what is left of the limit, and little garbage.
func heapLimiter(p *Program) func(lapsvm.Plan) {
	restore, allowed := Collector(), debug.SetMemoryLimit(-1)
	return func(plan lapsvm.Plan) {
		restore()
		p.Planned = plan.Bytes()
		if plan.Gram.Form == gram.FormLandmarks {
			debug.SetMemoryLimit(allowed - plan.Outside())
			debug.SetGCPercent(garbagePercent)
		}
	}
}

// Collector returns a function that gives the garbage collector the settings that it has now.
func Collector() (restore func()) {
	limit, percent := debug.SetMemoryLimit(-1), debug.SetGCPercent(100)
	debug.SetGCPercent(percent)
	return func() {
		debug.SetMemoryLimit(limit)
		debug.SetGCPercent(percent)
	}
}

// MemoryBudget parses a size such as 8GB, or a share such as 40% of the free memory. The
// empty text means the spare part of the free memory, see spare. It returns 0 where the free
// memory is unknown, and fails where hardly any is free.
func MemoryBudget(text string) (int64, error) {
	if text == "" {
		free := machine.Free()
		if free > 0 && free < leastFree {
			return 0, fault.Errorf("%w: %s are free, but the command needs %s at least: raise the limit of the container or of ulimit -v, end other programs, or try with less by --memory 50MB",
				huge.ErrMemory, size.Text(free), size.Text(leastFree))
		}
		return spare(free), nil
	}
	share, isShare := strings.CutSuffix(strings.TrimSpace(text), "%")
	if !isShare {
		return ParseSize("memory", text)
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(share), 64)
	if err != nil || !(v > 0 && v <= 100) {
		return 0, Usagef("--memory takes a size such as 500MB or 8GB, or a share of what is free such as 40%%, not %q", text)
	}
	if free := machine.Free(); free > 0 {
		return max(int64(v/100*float64(free)), 1), nil
	}
	return 0, nil
}

// ParseSize parses the size that a flag takes, such as 8GB.
func ParseSize(flag, text string) (int64, error) {
	number, unit := strings.ToUpper(strings.TrimSpace(text)), int64(1)
	for suffix, bytes := range map[string]int64{"KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30, "TB": 1 << 40} {
		if strings.HasSuffix(number, suffix) {
			number, unit = strings.TrimSpace(strings.TrimSuffix(number, suffix)), bytes
			break
		}
	}
	v, err := strconv.ParseFloat(number, 64)
	if err != nil || !(v > 0) || v*float64(unit) > 1<<62 {
		return 0, Usagef("--%s takes a size such as 500MB or 8GB, not %q", flag, text)
	}
	return int64(v * float64(unit)), nil
}

// spare returns how much of the free memory a command may use. The remainder is for its own
// stacks and buffers, and for other programs: a fifth, and 200 MB at least, but never more
// than half.
func spare(free int64) int64 {
	const kept = 200 << 20
	return free - max(free/5, min(kept, free/2))
}
