//go:build !linux

package huge

func reserve(bytes int) (memory []byte, release func()) { return nil, nil }

func prepare(memory []byte) {}
