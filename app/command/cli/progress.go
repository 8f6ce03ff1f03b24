package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"lapsvm"
	"lapsvm/internal/machines/solve"
	"lapsvm/internal/numbers/parallel"
)

// Progress shows the present step on standard error. On a terminal it overwrites one
// line. In plain mode it writes a line a second, and without a terminal a line every
// ten seconds. Callbacks from any goroutine set what is shown. Progress writes from
// a goroutine of its own, so that also silent steps are seen to go on. The nil
// *Progress shows nothing.
type Progress struct {
	w        io.Writer
	terminal bool
	interval time.Duration

	lock      sync.Mutex
	now       activity
	prefix    string // before every line, such as the number of the repeat
	lineShown bool   // a line stands on the terminal
	stop      chan struct{}
	stopped   chan struct{}
}

// activity is a step under way.
type activity struct {
	task  string  // what is done; "" for nothing
	count string  // how far it is, in words; "" to say it in percent
	known bool    // the share is
	share float64 // done, from 0 to 1; it never falls
	first float64 // that of the beginning
	began time.Time
	risen time.Time     // when the share rose last
	shown time.Duration // the time to go that was shown last; 0 for none
}

// Watch makes the progress that a command shows, as its flags ask.
func (p *Program) Watch(output *OutputFlags) *Progress {
	p.Quiet = output.Quiet
	progress := &Progress{w: p.stderr.w, interval: time.Second}
	switch {
	case output.Quiet, output.Progress == "off":
		return nil
	case output.Progress == "auto":
		if isTerminal(p.stderr) && steerable(fileOf(p.stderr)) {
			progress.terminal, progress.interval = true, 200*time.Millisecond
		} else {
			progress.interval = 10 * time.Second // for a log
		}
	}
	p.Progress = progress
	return progress
}

// Begin says that a step begins.
func (p *Progress) Begin(task string) { p.set(task, "", 0, 0) }

// part is a [lapsvm.Trainer]'s Progress.
func (p *Progress) part(name string, done, of int) { p.set(name, "", int64(done), int64(of)) }

// step shows an iteration; limit is how many there will be, 0 where a condition
// decides.
func (p *Progress) step(s *solve.Step, limit int) {
	objective := 0.0
	for _, c := range s.Columns {
		objective += c.Objective
	}
	p.set("solving", fmt.Sprintf("iteration %d, %s changed, objective %.5g", s.Iteration, Count(s.Changed, "decision", "decisions"), objective),
		int64(s.Iteration), int64(limit))
}

// compared shows how many machines were compared.
func (p *Progress) compared(done, of int) {
	p.set("comparing parameters", fmt.Sprintf("%d of %d machines", done, of), int64(done), int64(of))
}

// Reading returns a function that shows the share of a file read so far, nil where
// nothing is shown.
func (p *Progress) Reading(name string) func(done, of int64) {
	if p == nil {
		return nil
	}
	task := "reading " + filepath.Base(name)
	p.Begin(task)
	return func(done, of int64) {
		p.set(task, fmt.Sprintf("%.1f of %.1f MB", float64(done)/1e6, float64(of)/1e6), done, of)
	}
}

// Over returns a context whose passes over points are shown as a task.
func (p *Progress) Over(ctx context.Context, task string) context.Context {
	if p == nil {
		return ctx
	}
	p.Begin(task)
	return parallel.Watch(ctx, func(done, of int) { p.part(task, done, of) })
}

// set sets the present step.
func (p *Progress) set(task, count string, done, of int64) {
	if p == nil {
		return
	}
	share := 0.0
	if of > 0 {
		share = min(float64(done)/float64(of), 1)
	}
	p.lock.Lock()
	defer p.lock.Unlock()
	a, now := &p.now, time.Now()
	if a.task != task || a.known != (of > 0) {
		*a = activity{task: task, known: of > 0, share: share, first: share, began: now, risen: now}
	}
	if a.count = count; share > a.share {
		a.share, a.risen = share, now
	}
	if p.stop == nil {
		p.stop, p.stopped = make(chan struct{}), make(chan struct{})
		go p.show(p.stop, p.stopped)
	}
}

// task returns the name of the step under way, "" for none.
func (p *Progress) task() string {
	if p == nil {
		return ""
	}
	p.lock.Lock()
	defer p.lock.Unlock()
	return p.now.task
}

// Within puts a text before every line from now on. Steps of the same name begin anew.
func (p *Progress) Within(prefix string) {
	if p == nil {
		return
	}
	p.lock.Lock()
	p.prefix, p.now = prefix, activity{}
	p.lock.Unlock()
}

// show shows the present step until stop.
func (p *Progress) show(stop, stopped chan struct{}) {
	defer close(stopped)
	tick := time.NewTicker(p.interval)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return
		case now := <-tick.C:
			p.lock.Lock()
			line := strings.TrimSuffix(visible(p.prefix+p.now.line(now)), "; ")
			if p.terminal {
				p.lineShown = true
				fmt.Fprintf(p.w, "\r\x1b[K%s", fitting(p.now.bar()+line, cmp.Or(width(p.w), 80)))
			} else {
				fmt.Fprintln(p.w, line)
			}
			p.lock.Unlock()
		}
	}
}

// fitting cuts a line that a terminal would break.
func fitting(line string, width int) string {
	if r := []rune(line); len(r) >= width {
		return string(r[:max(width-2, 0)]) + "…"
	}
	return line
}

// bar draws the finished share, where it is known.
func (a *activity) bar() string {
	if !a.known {
		return ""
	}
	const width = 20
	filled := int(width * a.share)
	return strings.Repeat("━", filled) + strings.Repeat("┈", width-filled) + " "
}

// line describes a step with its progress and the time that it will take, or else has taken.
// It says nothing between two steps.
func (a *activity) line(now time.Time) string {
	if a.task == "" {
		return ""
	}
	line, elapsed := a.task, now.Sub(a.began)
	switch {
	case a.count != "":
		line += ": " + a.count
	case a.known:
		line += fmt.Sprintf(": %d %%", int(100*a.share+1e-9))
	}
	if left := a.toGo(now); left > 0 {
		return line + ", " + Roughly(left) + " to go"
	}
	if elapsed >= time.Second {
		line += fmt.Sprintf(", %d s", int(elapsed.Seconds()))
	}
	return line
}

// toGo predicts how long a step goes on, from a second and a fiftieth of the work on, by the time that the share has taken. A prediction that
// is shown never rises. It stays where a later one is up to half as much again. It is 0 where there is none: also where a later one is more, or its time
// is over.
func (a *activity) toGo(now time.Time) time.Duration {
	worked, elapsed := a.share-a.first, a.risen.Sub(a.began)
	if !a.known || a.share >= 1 || worked <= 0 || worked*50 < 1-a.first || elapsed < time.Second {
		return 0
	}
	left := time.Duration(float64(elapsed)*(1-a.share)/worked) - now.Sub(a.risen)
	if a.shown > 0 && left > a.shown {
		if left > a.shown+a.shown/2 {
			return 0
		}
		left = a.shown
	}
	if left > 0 {
		a.shown = left
	}
	return max(left, 0)
}

// Roughly writes a time that is not known exactly.
func Roughly(d time.Duration) string {
	switch s := d.Seconds(); {
	case s < 99.5:
		return fmt.Sprintf("about %.0f s", max(s, 1))
	case s < 9.95*60:
		return fmt.Sprintf("about %.1f min", s/60)
	case s < 99.5*60:
		return fmt.Sprintf("about %.0f min", s/60)
	default:
		return fmt.Sprintf("about %.0f h", s/3600)
	}
}

// Done ends the showing and clears the line of a terminal. It may be called
// again, and showing goes on with the next step.
func (p *Progress) Done() {
	if p == nil {
		return
	}
	p.lock.Lock()
	stop, stopped := p.stop, p.stopped
	p.stop = nil
	p.lock.Unlock()
	if stop != nil {
		close(stop)
		<-stopped
	}
	p.lock.Lock()
	defer p.lock.Unlock()
	p.clear()
	p.now = activity{}
}

// clear clears the line of a terminal; the caller holds the lock.
func (p *Progress) clear() {
	if p.lineShown {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
	p.lineShown = false
}

// Write writes other text to standard error, on lines of its own.
func (p *Progress) Write(b []byte) (int, error) {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.clear()
	return people{p.w}.Write(b)
}

// Errors is standard error for text written while progress is shown.
func (p *Program) Errors() io.Writer {
	if p.Progress == nil {
		return p.stderr
	}
	return p.Progress
}

// Warnings returns a logger that writes warnings for people, unless quiet.
func (p *Program) Warnings(output *OutputFlags) *slog.Logger {
	if output.Quiet {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(warningHandler{p, new(sync.Map)})
}

// warningHandler writes a warning as a line for people: the message, then its
// values. It writes each line once, as views and repeats have the same to warn of.
type warningHandler struct {
	p    *Program
	said *sync.Map
}

func (warningHandler) Enabled(_ context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn
}

func (h warningHandler) Handle(_ context.Context, r slog.Record) error {
	line := "warning: " + r.Message
	separator := " ("
	r.Attrs(func(a slog.Attr) bool {
		line += separator + a.Key + " " + a.Value.String()
		separator = ", "
		return true
	})
	if separator == ", " {
		line += ")"
	}
	if _, before := h.said.LoadOrStore(line, true); before {
		return nil
	}
	_, err := fmt.Fprintln(h.p.Errors(), line)
	return err
}

func (h warningHandler) WithAttrs([]slog.Attr) slog.Handler { return h }
func (h warningHandler) WithGroup(string) slog.Handler      { return h }

// Follow makes a trainer show its steps.
func (p *Program) Follow(t *lapsvm.Trainer, output *OutputFlags) {
	progress, limit := p.Progress, 0
	if t.Recipe.Stop == solve.None {
		limit = t.Recipe.MaxIterations
	}
	t.Log = p.Warnings(output)
	t.Planned, t.Alone = heapLimiter(p), p.ranks.alone
	if progress != nil {
		t.Progress, t.Compared = progress.part, progress.compared
		t.Step = func(s *solve.Step) { progress.step(s, limit) }
	}
}
