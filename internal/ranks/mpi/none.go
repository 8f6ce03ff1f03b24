//go:build static || !(linux || darwin) || !(amd64 || arm64)

package mpi

import (
	"context"
	"errors"
	"runtime"
	"time"
)

// Supported reports whether this program was built with MPI.
const Supported = false

// Transport is a rank of several processes. This build has none.
type Transport struct{}

// Join fails: this build has no MPI.
func Join(ctx context.Context, l Launch, path string, getenv func(string) string) (*Transport, context.Context, error) {
	if (runtime.GOOS == "linux" || runtime.GOOS == "darwin") && (runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64") {
		return nil, ctx, errors.New("this program is linked statically, and so without MPI: take the ordinary build, which needs glibc on Linux")
	}
	return nil, ctx, errors.New("on " + runtime.GOOS + "/" + runtime.GOARCH + " this program has no MPI: Linux and macOS on amd64 and arm64 have it")
}

func (*Transport) Rank() int                                           { return 0 }
func (*Transport) Size() int                                           { return 1 }
func (*Transport) Library() string                                     { return "" }
func (*Transport) Crowded()                                            {}
func (*Transport) Exchange(context.Context, [][]byte, [][]byte) error  { return errors.ErrUnsupported }
func (*Transport) Finish(context.Context) error                        { return errors.ErrUnsupported }
func (*Transport) Fail(int, string, time.Duration, func()) (int, bool) { return 0, false }
func (*Transport) Abort(int)                                           {}
