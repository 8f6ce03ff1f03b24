package command

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"lapsvm/internal/system/machine"
	"lapsvm/internal/system/size"
	"lapsvm/internal/testing/detector"
)

// peakOf runs the command and then writes its peak memory to standard error, without the mapped pages.
func peakOf() {
	code := Run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	fmt.Fprintf(os.Stderr, "\npeak %d\n", machine.Peak()-mapped())
	os.Exit(code)
}

// mapped returns the bytes of this program's file in memory, or 0 where the system does not tell.
// How many pages of the file the system maps beside the touched ones depends on its page cache
// (24 to 37 MB here), and the system may take them back.
func mapped() int64 {
	status, _ := os.ReadFile("/proc/self/status")
	_, rest, _ := strings.Cut(string(status), "RssFile:")
	var kilobytes int64
	fmt.Sscan(rest, &kilobytes)
	return kilobytes << 10
}

// packed writes a compressed file: a text repeated between two others.
func packed(t *testing.T, path, head, text string, times int, end string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(f)
	io.WriteString(z, head)
	for range times {
		io.WriteString(z, text)
	}
	io.WriteString(z, end)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// Small files that unpack to much are errors with advice, and never take much more than
// the memory allowed. What the program takes beside it is stated in docs/manual/faq.md.
func TestPeakMemory(t *testing.T) {
	detector.Spare(t)
	if machine.Peak() == 0 {
		t.Skip("the system does not tell the peak")
	}
	own := int64(64 << 20)
	if info, ok := debug.ReadBuildInfo(); ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "CGO_ENABLED", Value: "1"}) {
		own += 16 << 20 // of the C library's threads, with which the program is not linked by make build
	}
	folder := t.TempDir()
	join := func(name string) string { return filepath.Join(folder, name) }
	packed(t, join("wide.csv.gz"), "", strings.Repeat("1,", 1<<19), 48, "a\n1,2\n")
	packed(t, join("commas.csv.gz"), "", strings.Repeat(",", 1<<20), 48, "\n")
	packed(t, join("vectors.jsonl.gz"), `{"vector":[`, strings.Repeat("0,", 1<<19), 48, "0]}\n")
	packed(t, join("rows.svm.gz"), "", strings.Repeat("1 1:1 2:1\n", 1<<16), 48, "")
	packed(t, join("text.csv.gz"), "text,label\n", strings.Repeat("a b c d e f g h,1\n", 1<<14), 96, "")
	chunk := binary.BigEndian.AppendUint32([]byte("IHDR"), 9900)
	chunk = append(binary.BigEndian.AppendUint32(chunk, 10000), 8, 6, 0, 0, 0)
	image := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d"), chunk...)
	image = binary.BigEndian.AppendUint32(image, crc32.ChecksumIEEE(chunk))
	for _, class := range []string{"a", "b"} {
		if err := os.MkdirAll(join("photos/"+class), 0o777); err != nil {
			t.Fatal(err)
		}
		file(t, join("photos/"+class), "1.png", string(image))
	}
	many := moons(t, folder, 2500)
	for _, c := range []struct {
		args    string
		allowed int64
	}{
		{"convert wide.csv.gz OUT.csv", 60 << 20}, {"train commas.csv.gz -o OUT", 60 << 20}, {"graph vectors.jsonl.gz", 60 << 20},
		{"convert rows.svm.gz OUT.svm", 20 << 20}, {"train text.csv.gz -o OUT", 20 << 20}, {"convert photos OUT.csv", 100 << 20},
		{"train " + many + " -o OUT", 60 << 20},
	} {
		args := append(strings.Fields(c.args), "--memory", fmt.Sprintf("%dMB", c.allowed>>20))
		command := exec.CommandContext(t.Context(), "lapsvm-peak", args...)
		command.Dir = folder
		text, err := command.CombinedOutput()
		lines := strings.Split(strings.TrimSpace(string(text)), "\n")
		var peak int64
		if _, bad := fmt.Sscanf(lines[len(lines)-1], "peak %d", &peak); bad != nil || err == nil || !strings.Contains(string(text), "memory") {
			t.Errorf("lapsvm %v: %v\n%.500s", args, err, text)
		}
		if most := c.allowed + own; peak > most {
			t.Errorf("lapsvm %v: %s, of which %s are allowed", args, size.Text(peak), size.Text(c.allowed))
		}
	}
}
