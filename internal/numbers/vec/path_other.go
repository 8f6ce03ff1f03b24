//go:build (!amd64 && !arm64) || purego

package vec

// assembled says whether this build has assembly.
const assembled = false

var isaNames = []string{"go"}

func detect() isa { return pureGo }
