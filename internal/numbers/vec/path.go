package vec

import (
	"fmt"
	"sync/atomic"
)

// isa is an instruction set; those of a processor follow pureGo, ordered from the slowest
// to the fastest, and isaNames names them.
type isa int32

const pureGo isa = 0

// best is the fastest path of this machine. forced is 1 + the path a test
// asked for, 0 outside tests; it is atomic so that tests may switch while
// other goroutines compute. Kernels over vectors branch on the path and call
// directly, instead of through a table of functions, because escape analysis
// follows direct calls only: buffers on the caller's stack stay there.
var (
	best   = detect()
	forced atomic.Int32
)

// path returns the instruction set in use.
func path() isa {
	if f := forced.Load(); f != 0 {
		return isa(f - 1)
	}
	return best
}

// Path names the path in use: "avx512", "avx2", "neon" or "go".
func Path() string { return isaNames[path()] }

// Paths lists the paths this machine can take, the slowest first.
func Paths() []string { return isaNames[:best+1] }

// Use makes all following calls take the named path and returns a function
// that undoes this. It is meant for tests and benchmarks: it concerns the
// whole process, and a result computed while the path changes may mix both.
// It panics when the machine lacks the path.
func Use(name string) (restore func()) {
	for i, s := range Paths() {
		if s == name {
			old := forced.Swap(int32(i) + 1)
			return func() { forced.Store(old) }
		}
	}
	panic(fmt.Sprintf("vec: no path %q on this machine, only %q", name, Paths()))
}
