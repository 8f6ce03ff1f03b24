package compare

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"lapsvm/dataset"
	"lapsvm/dataset/files"
)

// rivalMethods returns the methods of rivals.py, where they are defined.
func rivalMethods() []string {
	return []string{"svc", "logistic", "knn", "spreading-knn", "spreading-knn-z", "spreading-rbf", "spreading-rbf-z"}
}

//go:embed rivals.py
var program []byte

// startLimit is how long an interpreter may take to begin, with all its imports.
const startLimit = 2 * time.Minute

// Rivals are the classifiers of scikit-learn, in an interpreter of Python.
type Rivals struct {
	Version string // of scikit-learn
	python  string
	folder  string // for the program and the points
}

// FindRivals looks for scikit-learn in an interpreter; its error says what is
// missing. The caller closes the result.
func FindRivals(ctx context.Context, python string) (*Rivals, error) {
	folder, err := os.MkdirTemp("", "lapsvm-rivals-")
	if err != nil {
		return nil, err
	}
	r := &Rivals{python: python, folder: folder}
	if err := os.WriteFile(r.program(), program, 0o600); err != nil {
		r.Close()
		return nil, err
	}
	p, err := r.start(ctx)
	if err != nil {
		r.Close()
		return nil, err
	}
	p.end()
	r.Version = p.version
	return r, nil
}

// Close removes the files of the rivals.
func (r *Rivals) Close() error { return os.RemoveAll(r.folder) }

func (r *Rivals) program() string { return filepath.Join(r.folder, "rivals.py") }

// on writes the points of a set for the rivals, without a label. On a failure all
// rivals have a gap.
func (r *Rivals) on(ctx context.Context, d *dataset.Dataset, seed uint64, limit time.Duration) *rivalsOn {
	blind := &dataset.Dataset{Points: d.Points, Y: make([]int, len(d.Y))}
	for i := range blind.Y {
		blind.Y[i] = dataset.Unlabelled
	}
	o := &rivalsOn{rivals: r, data: d, points: filepath.Join(r.folder, "points.npz"), seed: seed, limit: limit}
	o.unwritten = files.WriteFile(ctx, o.points, blind, files.WriteOptions{})
	return o
}

// rivalsOn measures the rivals on one set.
type rivalsOn struct {
	rivals    *Rivals
	data      *dataset.Dataset
	points    string // file
	unwritten error  // why it is not there; nil where it is
	seed      uint64
	limit     time.Duration
	process   *process // nil where none runs
}

func (*rivalsOn) methods() []string { return rivalMethods() }

func (o *rivalsOn) close() {
	if o.process != nil {
		o.process.end()
		o.process = nil
	}
}

// request asks for the classes of all points, and reply has them, or says why not.
type request struct {
	Points   string `json:"points"` // file
	Method   string `json:"method"`
	Labelled []int  `json:"labelled"` // rows
	Class    []int  `json:"class"`    // of each of these
	Seed     uint64 `json:"seed"`
}

type reply struct {
	Class   []int   `json:"class"`
	Seconds float64 `json:"seconds"`
	Gap     string  `json:"gap"`
}

// measure asks the process, and starts one where none runs. A process that fails or
// takes too long is ended, and the method has a gap.
func (o *rivalsOn) measure(ctx context.Context, d draw, method string) ([]outcome, error) {
	ask := request{o.points, method, d.split.Labelled, nil, o.seed + uint64(d.number)}
	for _, i := range d.split.Labelled {
		ask.Class = append(ask.Class, o.data.Y[i])
	}
	gap := func(text string) ([]outcome, error) { return []outcome{{method: method, gap: text}}, nil }
	if o.unwritten != nil {
		return gap("the points cannot be written: " + o.unwritten.Error())
	}
	if o.process == nil {
		p, err := o.rivals.start(ctx)
		if err != nil {
			return gap(err.Error())
		}
		o.process = p
	}
	var answer reply
	if err := o.process.ask(ctx, o.limit, ask, &answer); err != nil {
		o.close()
		if text := late(err, o.limit); text != "" {
			return gap(text)
		}
		return gap(err.Error())
	}
	if answer.Gap != "" {
		return gap(answer.Gap)
	}
	if len(answer.Class) != len(o.data.Y) {
		return gap(fmt.Sprintf("%d predictions for %d points", len(answer.Class), len(o.data.Y)))
	}
	wrong := 0
	for _, i := range d.split.Hidden {
		if answer.Class[i] != o.data.Y[i] {
			wrong++
		}
	}
	return []outcome{{method, 100 * float64(wrong) / float64(len(d.split.Hidden)), answer.Seconds, ""}}, nil
}

// process is a running interpreter that answers a line of JSON with one.
type process struct {
	version string
	command *exec.Cmd
	in      io.WriteCloser
	lines   chan []byte // of its standard output, closed at its end
	failure *tail       // of its standard error
}

// start starts the interpreter. It fails where that has no scikit-learn.
func (r *Rivals) start(ctx context.Context) (*process, error) {
	p := &process{command: exec.CommandContext(ctx, r.python, "-B", r.program()), lines: make(chan []byte), failure: &tail{most: 4096}}
	p.command.Stderr, p.command.WaitDelay = p.failure, time.Second
	in, err := p.command.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.in = in
	if err := p.command.Start(); err != nil {
		return nil, fmt.Errorf("%s cannot be started: %w", r.python, err)
	}
	go p.read(out)
	var greeting struct{ Version, Absent string }
	if err := p.ask(ctx, startLimit, nil, &greeting); err != nil {
		p.end()
		return nil, fmt.Errorf("%s does not begin: %w", r.python, err)
	}
	if greeting.Version == "" {
		p.end()
		return nil, fmt.Errorf("%s has no scikit-learn: %s", r.python, greeting.Absent)
	}
	p.version = greeting.Version
	return p, nil
}

// read passes on the lines of the standard output.
func (p *process) read(out io.Reader) {
	defer close(p.lines)
	text := bufio.NewReader(out)
	for {
		line, err := text.ReadBytes('\n')
		if err != nil {
			return
		}
		p.lines <- line
	}
}

// ask writes a line, unless it is nil, and waits for the answer, no longer than the
// limit.
func (p *process) ask(ctx context.Context, limit time.Duration, line, answer any) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if line != nil {
		text, err := json.Marshal(line)
		if err != nil {
			return err
		}
		if _, err := p.in.Write(append(text, '\n')); err != nil {
			return p.ended()
		}
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case text, more := <-p.lines:
		if !more {
			return p.ended()
		}
		if err := json.Unmarshal(text, answer); err != nil {
			return fmt.Errorf("the answer is none: %.100q", text)
		}
		return nil
	}
}

// ended returns the error of a process that ended by itself, with its last line of
// output.
func (p *process) ended() error {
	p.end()
	said := strings.Split(strings.TrimSpace(p.failure.text()), "\n")
	if last := said[len(said)-1]; last != "" {
		return fmt.Errorf("the process ended: %s", last)
	}
	return fmt.Errorf("the process ended: %v", p.command.ProcessState)
}

// end ends the process and waits for it.
func (p *process) end() {
	p.in.Close()
	p.command.Process.Kill()
	for range p.lines { // what nobody waited for
	}
	_ = p.command.Wait() // it was killed
}
