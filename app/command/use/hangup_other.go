//go:build !unix

package use

// onHangup does nothing where there is no SIGHUP.
func onHangup(func()) (stop func()) { return func() {} }
