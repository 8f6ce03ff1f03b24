//go:build !race

package main

// instrumented says that the race detector takes memory of its own.
const instrumented = false
