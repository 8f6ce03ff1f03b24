package cli

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"time"
)

// A line shows the progress of a step, with a prediction where that is reliable.
func TestProgressLine(t *testing.T) {
	began := time.Now()
	at := func(seconds float64, a activity) string {
		a.began = began
		return a.line(began.Add(time.Duration(seconds * float64(time.Second))))
	}
	for _, c := range []struct{ got, want string }{
		{at(0.5, activity{task: "graph"}), "graph"},
		{at(7.2, activity{task: "graph"}), "graph, 7 s"},
		{at(0.5, activity{task: "Gram", done: 30, of: 100}), "Gram: 30 %"},
		{at(3, activity{task: "Gram", done: 30, of: 100}), "Gram: 30 %, about 7 s to go"},
		{at(3, activity{task: "Gram", done: 30, first: 20, of: 100}), "Gram: 30 %, about 21 s to go"},
		{at(3, activity{task: "Gram", done: 1, of: 100}), "Gram: 1 %, 3 s"},
		{at(3, activity{task: "Gram", done: 100, of: 100}), "Gram: 100 %, 3 s"},
		{at(60, activity{task: "reading x", count: "3.0 of 93.0 MB", done: 3, of: 93}), "reading x: 3.0 of 93.0 MB, about 30 min to go"},
		{at(4, activity{task: "solving", count: "iteration 9", done: 9}), "solving: iteration 9, 4 s"},
		{Roughly(0), "about 1 s"},
		{Roughly(99 * time.Second), "about 99 s"},
		{Roughly(100 * time.Second), "about 1.7 min"},
		{Roughly(10 * time.Minute), "about 10 min"},
		{Roughly(5 * time.Hour), "about 5 h"},
		{activity{task: "graph"}.bar(), ""},
		{activity{of: 40}.bar(), "┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈ "},
		{activity{done: 13, of: 40}.bar(), "━━━━━━┈┈┈┈┈┈┈┈┈┈┈┈┈┈ "},
		{activity{done: 41, of: 40}.bar(), "━━━━━━━━━━━━━━━━━━━━ "},
		{fitting("abcdef", 7), "abcdef"},
		{fitting("abcdef", 6), "abcd…"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

// A step that begins again, or another, is timed anew.
func TestProgressRestarts(t *testing.T) {
	p := &Progress{w: new(bytes.Buffer), interval: time.Hour}
	defer p.Done()
	p.set("a", "", 0, 10)
	p.now.began = p.now.began.Add(-time.Hour)
	began := p.now.began
	if p.set("a", "", 5, 10); p.now.began != began {
		t.Error("the same step begins again")
	}
	if p.set("a", "", 2, 10); p.now.began == began || p.now.first != 2 {
		t.Errorf("a second pass is timed with the first: %+v", p.now)
	}
	if p.set("b", "", 3, 10); p.now.first != 3 || p.now.task != "b" {
		t.Errorf("%+v", p.now)
	}
}

// On a terminal one line is written over; other text stands on lines of its own,
// and nothing is left at the end.
func TestProgressOnATerminal(t *testing.T) {
	var out lockedBuffer
	p := &Progress{w: &out, terminal: true, interval: time.Millisecond}
	p.compared(5, 10)
	for !strings.Contains(out.String(), "━━━━━━━━━━┈┈┈┈┈┈┈┈┈┈ comparing") {
		time.Sleep(time.Millisecond)
	}
	if _, err := p.Write([]byte("a warning\n")); err != nil {
		t.Fatal(err)
	}
	p.Done()
	text := out.String()
	if !strings.Contains(text, "\r\x1b[Ka warning\n") || strings.Count(text, "\n") != 1 {
		t.Errorf("%q", text)
	}
	if last := text[strings.LastIndex(text, "\n")+1:]; last != "" && !strings.HasSuffix(last, "\r\x1b[K") {
		t.Errorf("left on the terminal: %q", last)
	}
	p.Done() // again
	if out.String() != text {
		t.Error("something was shown after the end")
	}
}

// Without a terminal there are whole lines, with what they are a part of.
func TestPlainProgress(t *testing.T) {
	var out lockedBuffer
	p := &Progress{w: &out, interval: time.Millisecond}
	p.Within("repeat 2 of 3; ")
	p.compared(5, 20)
	for strings.Count(out.String(), "\n") < 2 {
		time.Sleep(time.Millisecond)
	}
	p.Done()
	for line := range strings.Lines(out.String()) {
		if line != "repeat 2 of 3; comparing parameters: 5 of 20 machines\n" {
			t.Errorf("%q", line)
		}
	}
}

// lockedBuffer is read while the progress writes.
type lockedBuffer struct {
	lock sync.Mutex
	b    bytes.Buffer
}

func (l *lockedBuffer) Write(b []byte) (int, error) {
	l.lock.Lock()
	defer l.lock.Unlock()
	return l.b.Write(b)
}

func (l *lockedBuffer) String() string {
	l.lock.Lock()
	defer l.lock.Unlock()
	return l.b.String()
}

func TestNoProgress(t *testing.T) {
	var none *Progress // shows nothing, and takes everything
	none.Begin("a")
	none.part("a", 1, 2)
	none.Within("b")
	none.Done()
	if none.Reading("x") != nil || none.Over(t.Context(), "x") != t.Context() {
		t.Error("nobody watches, but something is reported")
	}
}
