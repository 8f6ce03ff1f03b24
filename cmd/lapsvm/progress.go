package main

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"golang.org/x/term"

	"lapsvm/solve"
)

// progress shows what is going on on standard error: one line that
// is written over on a terminal, a line a second in plain mode.
type progress struct {
	w        io.Writer
	terminal bool
	on       bool
	last     time.Time
	shown    bool
}

func newProgress(w io.Writer, f *reportFlags) *progress {
	p := &progress{w: w, on: !f.quiet && f.progress != "off", last: time.Now()}
	if file, ok := w.(*os.File); ok && f.progress == "auto" {
		p.terminal = term.IsTerminal(int(file.Fd()))
	}
	if f.progress == "auto" && !p.terminal {
		p.on = false
	}
	return p
}

// step shows an iteration, at most one in a while.
func (p *progress) step(s *solve.Step) {
	if s.Iteration == 0 || !p.due() {
		return
	}
	objective, errorVectors := 0.0, 0
	for _, c := range s.Columns {
		objective += c.Objective
		errorVectors += c.ErrorVectors
	}
	p.show(fmt.Sprintf("iteration %d: objective %.6g, %d error vectors, %d decisions changed", s.Iteration, objective, errorVectors, s.Changed))
}

// compared shows how many machines were compared.
func (p *progress) compared(done, of int) {
	if p.due() {
		p.show(fmt.Sprintf("choosing parameters: %d of %d machines compared", done, of))
	}
}

// due reports whether it is time for another line.
func (p *progress) due() bool {
	interval := time.Second
	if p.terminal {
		interval = 100 * time.Millisecond
	}
	return p.on && time.Since(p.last) >= interval
}

func (p *progress) show(line string) {
	p.last, p.shown = time.Now(), true
	if p.terminal {
		fmt.Fprintf(p.w, "\r\x1b[K%s", line)
	} else {
		fmt.Fprintln(p.w, line)
	}
}

// done clears the line of a terminal.
func (p *progress) done() {
	if p.terminal && p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
	p.shown = false
}

// warnings returns a logger that writes warnings for people, unless quiet.
func (p *program) warnings(f *reportFlags) *slog.Logger {
	if f.quiet {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(slog.NewTextHandler(p.stderr, &slog.HandlerOptions{
		Level: slog.LevelWarn,
		ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		},
	}))
}
