//go:build !unix

package command

import "io"

// isClosed reports whether standard output was closed when the program began, which is not
// known here.
func isClosed(io.Writer) bool { return false }
