//go:build arm64 && !purego

package vec

// assembled says whether this build has assembly.
const assembled = true

const neon isa = 1

var isaNames = []string{"go", "neon"}

// detect finds the fastest path; every processor of this architecture that Go runs on has
// NEON.
func detect() isa { return neon }
