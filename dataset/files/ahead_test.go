package files

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"runtime"
	"testing"
	"testing/iotest"
	"time"

	"lapsvm/dataset"
)

// What is unpacked ahead is what is there, with its error behind it, and no goroutine outlives Close.
func TestUnpackedAhead(t *testing.T) {
	text := make([]byte, 7*aheadSize+13)
	for k := range text {
		text[k] = byte(rand.Uint32())
	}
	torn := errors.New("torn")
	before := runtime.NumGoroutine()
	whole := func() *source {
		return &source{Origin: dataset.Origin{Memory: dataset.NewMemory(1 << 22)}, whole: bytes.NewReader(nil)}
	}
	for name, src := range map[string]*source{"file": whole(), "stream": {}, "no memory": {Origin: dataset.Origin{Memory: dataset.NewMemory(aheadSize)}, whole: bytes.NewReader(nil)}} {
		for _, end := range []error{io.EOF, torn} {
			closed := 0
			a := src.unpackAhead(io.MultiReader(iotest.HalfReader(bytes.NewReader(text)), failed{end}), func() { closed++ })
			got, err := io.ReadAll(iotest.HalfReader(a))
			if want := end; !bytes.Equal(got, text) || want == torn && err != torn || want == io.EOF && err != nil {
				t.Errorf("%s: %d bytes of %d, %v, want %v", name, len(got), len(text), err, end)
			}
			if n, again := a.Read(make([]byte, 1)); n != 0 || again != end {
				t.Errorf("%s: %d, %v after the end", name, n, again)
			}
			if runs := a.(*aheadReader).full != nil; runs != (name == "file") {
				t.Errorf("%s: unpacked ahead: %v", name, runs)
			}
			if a.Close(); closed != 1 {
				t.Errorf("%s: closed %d times", name, closed)
			}
		}
	}
	for _, read := range []int{0, 1, aheadFrom + 1, 3 * aheadSize} { // and then no more
		a := whole().unpackAhead(bytes.NewReader(text), func() {})
		if _, err := io.CopyN(io.Discard, a, int64(read)); err != nil {
			t.Error(err)
		}
		a.Close()
	}
	func() {
		a := whole().unpackAhead(io.MultiReader(bytes.NewReader(text), panics{}), func() {})
		defer a.Close()
		defer func() {
			if cause := recover(); cause != "damaged" {
				t.Error(cause)
			}
		}()
		io.Copy(io.Discard, a)
		t.Error("no panic")
	}()
	for range 100 { // a goroutine that has closed its channel ends soon
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines, and %d before", runtime.NumGoroutine(), before)
}

type panics struct{}

func (panics) Read([]byte) (int, error) { panic("damaged") }
