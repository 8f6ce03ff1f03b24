package files

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lapsvm/dataset"
	"lapsvm/internal/ranks/comm"
)

// Ranks that see different files fail, and say which of them and how.
func TestRanksSeeTheSameFiles(t *testing.T) {
	folder := t.TempDir()
	write := func(name string, text []byte) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	lines := func(n int, change int) []byte {
		var b bytes.Buffer
		b.WriteString("x,y,label\n")
		for i := range n {
			x := i % 10
			if i == change {
				x = 9 - x
			}
			fmt.Fprintf(&b, "%d,%07d,%c\n", x, i, 'a'+i%2)
		}
		return b.Bytes()
	}
	small, shorter, other := write("small.csv", lines(50, -1)), write("shorter.csv", lines(49, -1)), write("other.csv", lines(50, 31))
	const many = 400000 // 4.8 MB
	large, end, start := write("large.csv", lines(many, -1)), write("end.csv", lines(many, many-1)), write("start.csv", lines(many, 0))
	middle := write("middle.csv", lines(many, many/3))    // where the second of three ranks begins
	before := write("before.csv", lines(many, many/2-50)) // 600 bytes before the second of two begins, and in no other block
	behind := write("behind.csv", lines(many, many/2+50)) // as far behind
	images := []byte("\x00\x00\x08\x03\x00\x00\x00\x02\x00\x00\x00\x01\x00\x00\x00\x01ab")
	beside := func(name, labels string) string {
		write(name+"-labels-idx1-ubyte", []byte("\x00\x00\x08\x01\x00\x00\x00\x02"+labels))
		return write(name+"-images-idx3-ubyte", images)
	}
	first, again, turned := beside("first", "\x00\x01"), beside("again", "\x00\x01"), beside("turned", "\x01\x00")
	for name, c := range map[string]struct {
		of   []string // every rank
		want string   // in the error; "" for none
	}{
		"the same":                      {[]string{small, small, small}, ""},
		"a shorter one":                 {[]string{small, shorter}, "rank 1 sees a file of 598 bytes, rank 0 a file of 610"},
		"none":                          {[]string{small, small, filepath.Join(folder, "none.csv")}, "rank 2 sees no such file"},
		"as long, another number":       {[]string{small, small, other}, "rank 2 sees other bytes"},
		"large, the same":               {[]string{large, large}, ""},
		"large, its end":                {[]string{large, end}, "rank 1 sees other bytes"},
		"large, its start":              {[]string{large, start}, "rank 1 sees other bytes"},
		"large, where the shares begin": {[]string{large, middle, large}, "rank 1 sees other bytes"},
		"large, before a share begins":  {[]string{large, before}, "rank 1 sees other bytes"},
		"large, as a share begins":      {[]string{large, behind}, "rank 1 sees other bytes"},
		"images with the same labels":   {[]string{first, again}, ""},
		"images with other labels":      {[]string{first, turned}, "rank 1 sees other bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			errs := make([]error, len(c.of))
			if err := comm.Goroutines(ctx, len(c.of), func(ctx context.Context, ranks *comm.Comm) error {
				_, errs[ranks.Rank()] = ReadFiles(c.of[ranks.Rank():ranks.Rank()+1], Options{Ranks: dataset.NewRanks(ctx, ranks)})
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			for rank, err := range errs {
				if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
					t.Errorf("rank %d: error %v, want %q", rank, err, c.want)
				}
			}
		})
	}
}
