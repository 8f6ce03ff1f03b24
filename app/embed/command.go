package embed

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
	"unicode/utf8"

	"lapsvm/internal/system/fault"
	"lapsvm/internal/system/regular"
	"lapsvm/internal/system/size"
)

// command is a program that gets JSON lines, {"text": …} or {"path": …}, and answers with as many vectors: an array of npy, or
// a JSON array, or an object with the key vector, in each line.
type command struct {
	text   string
	stderr io.Writer
	memory int64         // that its answer may take; 0 for no limit
	places chan struct{} // of processes that run at a time; nil for no limit
}

// key returns a hash of the command and of the files that it names: another program makes other vectors.
func (c *command) key() string {
	sum := sha256.New()
	fmt.Fprintf(sum, "%q", c.text)
	for _, word := range strings.Fields(c.text) {
		if own, err := fileHash(word); err == nil {
			fmt.Fprintf(sum, "%x", own)
		}
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// fileHash returns the SHA-256 of a regular file.
func fileHash(path string) ([]byte, error) {
	f, _, err := regular.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return nil, err
	}
	return sum.Sum(nil), nil
}

// What a command may write.
const (
	longestAnswer = 1 << 19 // bytes of a vector: 16,384 numbers as text
	answerCopies  = 4       // of an answer, as text and as numbers
	keptErrors    = 8 << 10 // bytes of what it says of its errors
)

// vectors implements source. Where the command fails, the pictures that cannot be read are the error, if there are any.
func (c *command) vectors(ctx context.Context, inputs []string, pictures bool) ([][]float32, error) {
	in, err := c.lines(inputs, pictures)
	if err != nil {
		return nil, err
	}
	vectors, err := c.run(ctx, in, len(inputs))
	if err != nil && pictures && ctx.Err() == nil {
		if unmade := unread(ctx, inputs, c.memory); unmade != nil {
			return nil, unmade
		}
	}
	return vectors, err
}

// run runs the command once, on n lines. When ctx is done, or when the command writes more than the vectors of the inputs can take, it is
// killed with all that it started.
func (c *command) run(ctx context.Context, in io.Reader, n int) ([][]float32, error) {
	if c.places != nil {
		select {
		case c.places <- struct{}{}:
			defer func() { <-c.places }()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	running, kill := context.WithCancel(ctx)
	defer kill()
	most := int64(n+1) * longestAnswer
	if c.memory > 0 {
		most = min(most, max(c.memory/answerCopies, longestAnswer))
	}
	out, said := &bounded{most: most, full: kill}, &tail{most: keptErrors}
	run := shell(running, c.text)
	run.Stdin, run.Stdout, run.Stderr = in, out, said
	if c.stderr != nil {
		run.Stderr = io.MultiWriter(c.stderr, said)
	}
	run.WaitDelay = 2 * time.Second
	runtime.LockOSThread() // the system tells the command when the thread that began it has ended
	err := run.Run()
	runtime.UnlockOSThread()
	var ended *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case out.over:
		return nil, fmt.Errorf("the command %s wrote more than %s for %d inputs: it is to answer each line of its input with one vector, as npy or as JSON lines", c.text, size.Text(most), n)
	case errors.As(err, &ended):
		return nil, fmt.Errorf("the command %s ended with %v%s", c.text, ended, lastLine(string(said.text)))
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		return nil, fmt.Errorf("the command %s cannot be run: %w", c.text, err)
	}
	vectors, err := readVectors(out.text.Bytes())
	if err == nil && len(vectors) != n {
		err = fmt.Errorf("%d vectors for %d inputs", len(vectors), n)
	}
	if err != nil {
		return nil, fmt.Errorf("the command %s answered with %w; it is to answer each line of its input with one vector, as npy or as JSON lines", c.text, err)
	}
	return vectors, nil
}

// lines writes the inputs of the command.
func (c *command) lines(inputs []string, pictures bool) (io.Reader, error) {
	in := new(bytes.Buffer)
	lines := json.NewEncoder(in)
	lines.SetEscapeHTML(false)
	for _, input := range inputs {
		row := map[string]string{"text": input}
		if pictures {
			path, err := filepath.Abs(input)
			if err != nil {
				return nil, err
			}
			if !utf8.ValidString(path) {
				return nil, fault.Errorf("the name %q is not UTF-8, and JSON cannot give it to the command: rename the file", path)
			}
			row = map[string]string{"path": path}
		}
		if err := lines.Encode(row); err != nil {
			return nil, err
		}
	}
	return in, nil
}

// bounded keeps what is written up to a limit. Beyond it calls full once, and fails.
type bounded struct {
	text bytes.Buffer
	most int64
	full func()
	over bool
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.over || int64(b.text.Len()+len(p)) > b.most {
		if !b.over {
			b.over = true
			b.full()
		}
		return 0, errors.New("more than is taken")
	}
	return b.text.Write(p)
}

// tail keeps the end of what is written.
type tail struct {
	text []byte
	most int
}

func (t *tail) Write(p []byte) (int, error) {
	n := len(p)
	if len(p) > t.most {
		p = p[len(p)-t.most:]
	}
	if over := len(t.text) + len(p) - t.most; over > 0 {
		t.text = append(t.text[:0], t.text[over:]...)
	}
	t.text = append(t.text, p...)
	return n, nil
}

// lastLine returns what was said last, after a colon.
func lastLine(text string) string {
	text = strings.TrimSpace(text)
	if text == "" {
		return ""
	}
	return ": " + text[strings.LastIndexByte(text, '\n')+1:]
}
