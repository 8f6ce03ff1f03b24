//go:build !unix

package cli

import "io"

// isClosed reports whether standard output was closed when the program began, which is not
// known here.
func isClosed(io.Writer) bool { return false }
