//go:build !amd64 || purego

package vec

// assembled says whether this build has assembly.
const assembled = false

func detect() isa { return pureGo }
