// Package machine tells how much memory this machine leaves to a process, how much the process has
// used, and on which processors it may run. Each system has files of its own.
package machine
