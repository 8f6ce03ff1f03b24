//go:build unix

package embed

import (
	"context"
	"errors"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"lapsvm/dataset"
)

// vectorsOf has a command make vectors of some texts.
func vectorsOf(t *testing.T, ctx context.Context, text string, inputs ...string) ([][]float32, error) {
	t.Helper()
	e, err := Open(Options{Command: text})
	if err != nil {
		t.Fatal(err)
	}
	return e.With(ctx).Embed(inputs, false)
}

func TestCommand(t *testing.T) {
	// Two numbers of float32 and of float64, and lines of JSON.
	header := func(descr string) string {
		return `printf '\223NUMPY\001\000\106\000%-69s\n' "{'descr': '` + descr + `', 'fortran_order': False, 'shape': (2, 1), }"`
	}
	for name, text := range map[string]string{
		"float32": `cat >/dev/null; ` + header("<f4") + `; printf '\000\000\200\077\000\000\000\300'`,
		"float64": `cat >/dev/null; ` + header("<f8") + `; printf '\000\000\000\000\000\000\360\077\000\000\000\000\000\000\000\300'`,
		"arrays":  `cat >/dev/null; echo '[1]'; echo; echo ' [-2.0]'`,
		"objects": `grep -c '"text":"<a>"' >/dev/null; echo '{"vector": [1]}'; echo '{"vector": [-2]}'`,
		"early":   `echo '[1]'; echo '[-2]'`, // without reading its input
	} {
		got, err := vectorsOf(t, t.Context(), text, "<a>", "b")
		if err != nil || len(got) != 2 || got[0][0] != 1 || got[1][0] != -2 {
			t.Errorf("%s: %v, error %v", name, got, err)
		}
	}
}

func TestCommandErrors(t *testing.T) {
	for want, text := range map[string]string{
		"ended with exit status 3: no such network":     `echo wait >&2; echo no such network >&2; exit 3`,
		"ended with exit status 127":                    `no-such-program-here`,
		"1 vectors for 2 inputs":                        `echo '[1, 2]'`,
		"vector 2 of 1 numbers, after one of 2":         `echo '[1, 2]'; echo '[1]'`,
		"line 2, \"nothing\", which is no JSON array":   `echo '[1, 2]'; echo nothing`,
		"line 1, \"[NaN]\", which is no JSON array":     `echo '[NaN]'; echo '[1]'`,
		"vector 1 of 0 numbers":                         `echo '[]'; echo '[]'`,
		"an npy array: the header of the npy file":      `printf '\223NUMPY\001\000'`,
		"an npy array: the file ends after 0 of 2":      `printf '\223NUMPY\001\000\106\000%-69s\n' "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), }"; printf '\000\000\200'`,
		"an npy array with numbers that are not finite": `printf '\223NUMPY\001\000\106\000%-69s\n' "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }"; printf '\000\000\200\077\000\000\300\177\000\000\200\077\000\000\200\077'`,
		"answer each line of its input with one vector": `true`,
	} {
		if _, err := vectorsOf(t, t.Context(), text, "a", "b"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
}

// A command that hangs ends with its context, and so do the processes that it started.
func TestCommandIsEnded(t *testing.T) {
	started := filepath.Join(t.TempDir(), "started")
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for {
			if _, err := os.Stat(started); err == nil {
				cancel()
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
	begin := time.Now()
	_, err := vectorsOf(t, ctx, `trap '' INT TERM; touch `+started+`; sleep 600 | sleep 600`, "a")
	if !errors.Is(err, context.Canceled) || time.Since(begin) > time.Minute {
		t.Errorf("error %v after %v", err, time.Since(begin))
	}
}

// What a folder keeps is asked for once, by several processes and for equal inputs. Another command, another program of the same
// name, and a damaged file are told apart.
func TestCache(t *testing.T) {
	dir := t.TempDir()
	folder, asked, program := filepath.Join(dir, "kept"), filepath.Join(dir, "asked"), filepath.Join(dir, "program.sh")
	write := func(text string) {
		if err := os.WriteFile(program, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(`tee -a ` + asked + ` | sed 's/.*/[1, 2]/'`)
	ask := func(inputs ...string) ([][]float32, error) {
		e, err := Open(Options{Command: "sh " + program, Cache: folder})
		if err != nil {
			return nil, err
		}
		return e.With(t.Context()).Embed(inputs, false)
	}
	count := func() int {
		text, err := os.ReadFile(asked)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Count(string(text), "\n")
	}
	if got, err := ask("a", "b", "a"); err != nil || len(got) != 3 || got[2][1] != 2 || count() != 2 {
		t.Fatalf("%v, error %v, %d asked", got, err, count())
	}
	if got, err := ask("b", "c"); err != nil || len(got) != 2 || count() != 3 {
		t.Fatalf("%v, error %v, %d asked", got, err, count())
	}
	var all sync.WaitGroup
	for range 8 { // as so many processes
		all.Go(func() {
			if _, err := ask("d", "e"); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	before := count()
	if _, err := ask("a", "b", "c", "d", "e"); err != nil || count() != before {
		t.Errorf("error %v, %d asked in place of %d", err, count(), before)
	}
	write(`sed 's/.*/[3, 4, 5]/'`)
	if got, err := ask("a"); err != nil || len(got[0]) != 3 {
		t.Errorf("another program: %v, error %v", got, err)
	}
	files, err := filepath.Glob(filepath.Join(folder, "*", "*.vectors"))
	if err != nil || len(files) < 3 {
		t.Fatal(files, err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range [][]byte{data[:len(data)/2], append([]byte("x"), data[1:]...), append(data[:len(data)-1:len(data)-1], ^data[len(data)-1]), nil} {
		c := &cache{vectors: make(map[key][]float32)}
		if err := c.read(bad); err == nil || len(c.vectors) > 0 {
			t.Errorf("a damaged file of %d bytes is read", len(bad))
		}
	}
	if err := os.WriteFile(files[0], data[:20], 0o666); err != nil {
		t.Fatal(err)
	}
	write(`tee -a ` + asked + ` | sed 's/.*/[1, 2]/'`)
	_, one := ask("a")
	write(`sed 's/.*/[3, 4, 5]/'`)
	if _, other := ask("a"); (one == nil) == (other == nil) || !strings.Contains(errors.Join(one, other).Error(), "the file is damaged: delete the file") {
		t.Errorf("a damaged file: errors %v and %v", one, other)
	}
}

// Pictures that cannot be read are an error of their own, where a command ends at them, and the vectors of the others are asked for without them.
func TestUnreadPictures(t *testing.T) {
	dir := t.TempDir()
	good, broken, locked := filepath.Join(dir, "good.png"), filepath.Join(dir, "broken.png"), filepath.Join(dir, "folder.png")
	f, err := os.Create(good)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(png.Encode(f, image.NewGray(image.Rect(0, 0, 3, 3))), f.Close(), os.WriteFile(broken, []byte("\x89PNG\r\n\x1a\ncut"), 0o666), os.Mkdir(locked, 0o777)); err != nil {
		t.Fatal(err)
	}
	e, err := Open(Options{Command: `lines=$(cat); case "$lines" in *broken*) echo "cannot identify image file" >&2; exit 1;; esac; echo "$lines" | sed 's/.*/[1, 2]/'`, Cache: filepath.Join(dir, "kept")})
	if err != nil {
		t.Fatal(err)
	}
	by := e.With(t.Context())
	_, err = by.Embed([]string{good, broken, locked, good}, true)
	var unmade dataset.Unmade
	if !errors.As(err, &unmade) || len(unmade) != 2 || unmade[1] == nil || !strings.Contains(unmade[1].Error(), "broken.png: the image is damaged") || unmade[2] == nil {
		t.Fatalf("error %v", err)
	}
	if got, err := by.Embed([]string{good, good}, true); err != nil || len(got) != 2 || got[1][1] != 2 {
		t.Errorf("%v, error %v", got, err)
	}
	other, err := Open(Options{Command: `exit 3`})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.With(t.Context()).Embed([]string{good}, true); err == nil || !strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("error %v", err)
	}
}
