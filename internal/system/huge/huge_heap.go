//go:build !linux && !darwin && !dragonfly && !freebsd && !netbsd && !openbsd && !windows

package huge

func reserve(bytes int) (memory []byte, release func(), err error) { return nil, nil, nil }

func prepare(memory []byte) {}

func prepareHeap(bytes int) {}
