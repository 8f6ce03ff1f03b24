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
		a.risen = began.Add(time.Duration(seconds * float64(time.Second)))
		return a.line(a.risen)
	}
	of := func(task string, done, first float64) activity {
		return activity{task: task, known: true, share: done / 100, first: first / 100}
	}
	for _, c := range []struct{ got, want string }{
		{at(0.5, activity{task: "graph"}), "graph"},
		{new(activity).line(began), ""}, // between two steps
		{at(7.2, activity{task: "graph"}), "graph, 7 s"},
		{at(0.5, of("Gram", 30, 0)), "Gram: 30 %"},
		{at(3, of("Gram", 30, 0)), "Gram: 30 %, about 7 s to go"},
		{at(3, of("Gram", 30, 20)), "Gram: 30 %, about 21 s to go"},
		{at(3, of("Gram", 1, 0)), "Gram: 1 %, 3 s"},
		{at(3, of("Gram", 100, 0)), "Gram: 100 %, 3 s"},
		{at(60, activity{task: "reading x", count: "3.0 of 93.0 MB", known: true, share: 3.0 / 93}), "reading x: 3.0 of 93.0 MB, about 30 min to go"},
		{at(4, activity{task: "solving", count: "iteration 9"}), "solving: iteration 9, 4 s"},
		{Roughly(0), "about 1 s"},
		{Roughly(99 * time.Second), "about 99 s"},
		{Roughly(100 * time.Second), "about 1.7 min"},
		{Roughly(10 * time.Minute), "about 10 min"},
		{Roughly(5 * time.Hour), "about 5 h"},
		{(&activity{task: "graph"}).bar(), ""},
		{(&activity{known: true}).bar(), "┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈ "},
		{(&activity{known: true, share: 13.0 / 40}).bar(), "━━━━━━┈┈┈┈┈┈┈┈┈┈┈┈┈┈ "},
		{(&activity{known: true, share: 1}).bar(), "━━━━━━━━━━━━━━━━━━━━ "},
		{fitting("abcdef", 7), "abcdef"},
		{fitting("abcdef", 6), "abcd…"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

// A share never falls, another step is timed anew, and so is the same of another repeat.
func TestProgressRestarts(t *testing.T) {
	p := &Progress{w: new(bytes.Buffer), interval: time.Hour}
	defer p.Done()
	p.set("a", "", 0, 10)
	began := p.now.began
	if p.set("a", "", 5, 10); p.now.began != began || p.now.share != 0.5 {
		t.Errorf("the same step begins again: %+v", p.now)
	}
	if p.set("a", "2 of 20", 2, 20); p.now.began != began || p.now.share != 0.5 || p.now.count != "2 of 20" {
		t.Errorf("the share falls: %+v", p.now)
	}
	if p.set("a", "", 30, 20); p.now.share != 1 {
		t.Errorf("more than all is done: %+v", p.now)
	}
	if p.set("b", "", 3, 10); p.now.first != 0.3 || p.now.task != "b" {
		t.Errorf("%+v", p.now)
	}
	p.Within("repeat 2 of 2; ")
	if p.set("b", "", 1, 10); p.now.first != 0.1 || p.now.share != 0.1 {
		t.Errorf("a repeat goes on with the one before: %+v", p.now)
	}
}

// The time to go follows the clock while the share stands still, and never rises: a prediction that is little longer leaves the one
// before, and one that is much longer is not shown.
func TestTimeToGoNeverRises(t *testing.T) {
	began := time.Now()
	a := activity{task: "a", known: true, began: began}
	for _, c := range []struct {
		at, share float64 // of seconds; 0 of a share that stands still
		want      string
	}{
		{10, 0.2, "about 40 s to go"},
		{15, 0, "about 35 s to go"},
		{20, 0.36, "about 35 s to go"},
		{25, 0, "about 31 s to go"},
		{60, 0, "60 s"},
		{70, 0.4, "70 s"},
		{80, 0.8, "about 20 s to go"},
	} {
		now := began.Add(time.Duration(c.at * float64(time.Second)))
		if c.share > 0 {
			a.share, a.risen = c.share, now
		}
		if got := a.line(now); !strings.HasSuffix(got, "%, "+c.want) {
			t.Errorf("after %g s: %q, want %q", c.at, got, c.want)
		}
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

// Views and repeats warn of the same, and other values are another warning.
func TestWarningsAreSaidOnce(t *testing.T) {
	var b bytes.Buffer
	log := (&Program{stderr: people{&b}}).Warnings(&OutputFlags{})
	for _, points := range []int{14, 14, 3} {
		log.Warn("apart", "points", points)
	}
	if got, want := b.String(), "warning: apart (points 14)\nwarning: apart (points 3)\n"; got != want {
		t.Errorf("%q, not %q", got, want)
	}
}
