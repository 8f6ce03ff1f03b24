//go:build static || !(linux || darwin) || !(amd64 || arm64)

package onnxruntime

import (
	"context"
	"errors"
	"runtime"
)

// Session is a network that is ready to run. This build has none.
type Session struct{}

// Open fails: this build cannot load libraries.
func Open(libraryPath, network string, data []byte, getenv func(string) string) (*Session, error) {
	return nil, errors.New("this build of the program for " + runtime.GOOS + "/" + runtime.GOARCH + " cannot load the library onnxruntime: take the ordinary build on Linux or macOS, or make vectors by a command")
}

// Inputs returns nothing.
func (*Session) Inputs() []Input { return nil }

// Metadata fails.
func (*Session) Metadata(string) (string, error) { return "", errors.ErrUnsupported }

// Run fails.
func (*Session) Run(context.Context, []Tensor) (Tensor, error) {
	return Tensor{}, errors.ErrUnsupported
}
