// Package machine tells how much memory this machine leaves to a process, and how much
// the process has used. Each system has files of its own.
package machine
