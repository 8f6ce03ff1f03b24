// Package huge has memory for many numbers on huge pages, where the system has
// them: page by page, when they are first written, it takes longer to hand out a
// gigabyte of small ones than a program takes to read one.
package huge

import "unsafe"

// Number is what memory is for.
type Number interface{ ~float32 | ~float64 }

// Reserve returns n zeros outside the Go heap, and the function that gives the
// memory back, after which it must not be touched. Few numbers, and all where
// the system cannot, are on the heap, and the function does nothing.
func Reserve[T Number](n int) (values []T, release func()) {
	var zero T
	memory, release := reserve(n * int(unsafe.Sizeof(zero)))
	if memory == nil {
		return make([]T, n), func() {}
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&memory[0])), n), release
}

// Prepare asks for huge pages under values that have not been touched, and in
// the background for all of their memory at once. Where the system cannot,
// nothing is lost.
func Prepare[T Number](values []T) {
	if len(values) == 0 {
		return
	}
	prepare(unsafe.Slice((*byte)(unsafe.Pointer(&values[0])), len(values)*int(unsafe.Sizeof(values[0]))))
}
