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
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// command is a program that gets JSON lines, {"text": …} or {"path": …}, and answers with as many vectors: an array of npy, or
// a JSON array, or an object with the key vector, in each line.
type command struct {
	text   string
	stderr io.Writer
}

// key returns a hash of the command and of the files that it names: another program makes other vectors.
func (c *command) key() string {
	sum := sha256.New()
	fmt.Fprintf(sum, "%q", c.text)
	for _, word := range strings.Fields(c.text) {
		if info, err := os.Stat(word); err != nil || !info.Mode().IsRegular() {
			continue
		}
		if data, err := os.ReadFile(word); err == nil {
			fmt.Fprintf(sum, "%x", sha256.Sum256(data))
		}
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// vectors runs the command once. When ctx is done it is killed, with all that it started.
func (c *command) vectors(ctx context.Context, inputs []string, pictures bool) ([][]float32, error) {
	var in bytes.Buffer
	lines := json.NewEncoder(&in)
	lines.SetEscapeHTML(false)
	for _, input := range inputs {
		row := map[string]string{"text": input}
		if pictures {
			path, err := filepath.Abs(input)
			if err != nil {
				return nil, err
			}
			row = map[string]string{"path": path}
		}
		if err := lines.Encode(row); err != nil {
			return nil, err
		}
	}
	var out, said bytes.Buffer
	run := shell(ctx, c.text)
	run.Stdin, run.Stdout, run.Stderr = &in, &out, &said
	if c.stderr != nil {
		run.Stderr = io.MultiWriter(c.stderr, &said)
	}
	run.WaitDelay = 2 * time.Second
	err := run.Run()
	var ended *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.As(err, &ended):
		return nil, fmt.Errorf("the command %s ended with %v%s", c.text, ended, lastLine(said.String()))
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		return nil, fmt.Errorf("the command %s cannot be run: %w", c.text, err)
	}
	vectors, err := readVectors(out.Bytes())
	if err == nil && len(vectors) != len(inputs) {
		err = fmt.Errorf("%d vectors for %d inputs", len(vectors), len(inputs))
	}
	if err != nil {
		return nil, fmt.Errorf("the command %s answered with %w; it is to answer each line of its input with one vector, as npy or as JSON lines", c.text, err)
	}
	return vectors, nil
}

// lastLine returns what was said last, after a colon.
func lastLine(text string) string {
	text = strings.TrimSpace(text)
	if text == "" {
		return ""
	}
	return ": " + text[strings.LastIndexByte(text, '\n')+1:]
}
