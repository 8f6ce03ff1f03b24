//go:build unix

package use

import (
	"os"
	"os/signal"
	"syscall"
)

// onHangup calls do at every SIGHUP until it is stopped.
func onHangup(do func()) (stop func()) {
	hangups, stopped := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(hangups, syscall.SIGHUP)
	go func() {
		for {
			select {
			case <-hangups:
				do()
			case <-stopped:
				return
			}
		}
	}()
	return func() {
		signal.Stop(hangups)
		close(stopped)
	}
}
