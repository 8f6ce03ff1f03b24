//go:build !linux

package machine

import "errors"

// Processors returns nil: the system does not tell.
func Processors() []int { return nil }

// RunOn fails with [errors.ErrUnsupported].
func RunOn([]int) error { return errors.ErrUnsupported }
