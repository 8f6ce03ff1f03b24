package checkpoint

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"lapsvm/points"
)

// kept is contents beside the numbers.
type kept struct{ Length int }

// numbers is one slice of each type, longer than a chunk together.
type numbers struct {
	ints    []int32
	singles []float32
	doubles []float64
}

func (n *numbers) all() []any { return []any{n.ints, n.singles, n.doubles} }

func someNumbers() *numbers {
	n := &numbers{make([]int32, 100), make([]float32, chunk/4+3), make([]float64, chunk/8+5)}
	for i := range n.singles {
		n.singles[i] = float32(i) / 7
	}
	for i := range n.doubles {
		n.doubles[i] = float64(i) / 7
	}
	n.ints[99] = -5
	return n
}

func some(t *testing.T, seed float64) *points.Points {
	t.Helper()
	return points.Dense(2, 2, []float64{1, 2, 3, seed})
}

func open(t *testing.T, folder string, p *points.Points) *Folder {
	t.Helper()
	f, err := Open(t.Context(), nil, folder, p)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// read reads what write wrote.
func (f *Folder) read(ctx context.Context, settings any) (*numbers, bool, error) {
	var contents kept
	n := &numbers{}
	there, err := f.Read(ctx, Part{"part", settings, &contents}, func() ([]any, error) {
		n.ints, n.singles, n.doubles = make([]int32, 100), make([]float32, chunk/4+3), make([]float64, contents.Length)
		return n.all(), nil
	})
	return n, there, err
}

func (f *Folder) write(ctx context.Context, settings any) error {
	n := someNumbers()
	return f.Write(ctx, Part{"part", settings, &kept{len(n.doubles)}}, n.all()...)
}

// What is kept comes back to the bit, for the same points and settings alone.
func TestPartsComeBack(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a", "b")
	f := open(t, folder, some(t, 4))
	if _, there, err := f.read(t.Context(), "settings"); there || err != nil {
		t.Fatalf("an empty folder: %v, %v", there, err)
	}
	if err := f.write(t.Context(), "settings"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		points   float64
		settings string
		told     string
	}{{4, "settings", "as they were kept"}, {5, "settings", "other points"}, {4, "others", "other settings"}} {
		f := open(t, folder, some(t, c.points))
		got, there, err := f.read(t.Context(), c.settings)
		if want := c.told == "as they were kept"; there != want || err != nil {
			t.Errorf("%v: %v, %v, want %v", c, there, err, want)
		} else if want && !reflect.DeepEqual(got, someNumbers()) {
			t.Error("other numbers came back")
		}
		if told := strings.Join(f.Notes(), "; "); !strings.Contains(told, c.told) {
			t.Errorf("%v: told %q", c, told)
		}
	}
}

// A file of which any byte is another, or the end is missing, is refused.
func TestDamageIsRefused(t *testing.T) {
	folder := t.TempDir()
	f := open(t, folder, some(t, 4))
	if err := f.write(t.Context(), "settings"); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "part.checkpoint")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	refused := func(what string, content []byte) {
		t.Helper()
		if err := os.WriteFile(path, content, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, there, err := f.read(t.Context(), "settings"); there || err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "delete it") {
			t.Errorf("%s: %v, %v", what, there, err)
		}
	}
	var places []int
	for at := range 400 { // header and beginning of the numbers
		places = append(places, at)
	}
	for at := 400; at < len(whole); at += len(whole) / 100 {
		places = append(places, at)
	}
	places = append(places, len(whole)-1)
	for _, at := range places {
		content := slices.Clone(whole)
		content[at] ^= 0x10
		refused("a byte changed", content)
		refused("cut short", whole[:at])
	}
	refused("longer", append(slices.Clone(whole), 0))
}

// dying is a context that is done after so many looks at it.
type dying struct {
	context.Context
	left *int
}

func (d dying) Err() error {
	if *d.left--; *d.left < 0 {
		return context.Canceled
	}
	return nil
}

// Interrupted at any look, writing leaves what was there, and reading gives nothing.
func TestInterruptedLeavesNothing(t *testing.T) {
	folder := t.TempDir()
	f := open(t, folder, some(t, 4))
	for looks := 0; ; looks++ {
		left := looks
		err := f.write(dying{t.Context(), &left}, "settings")
		if err == nil {
			if looks < 3 {
				t.Errorf("written within %d looks at the context", looks)
			}
			break
		}
		files, _ := os.ReadDir(folder)
		if !errors.Is(err, context.Canceled) || len(files) > 0 {
			t.Fatalf("after %d looks: %v, and %d files", looks, err, len(files))
		}
	}
	for looks := 0; ; looks++ {
		left := looks
		if _, there, err := f.read(dying{t.Context(), &left}, "settings"); err == nil && there {
			break
		} else if there || !errors.Is(err, context.Canceled) {
			t.Fatalf("reading, after %d looks: %v, %v", looks, there, err)
		}
	}
}

// The hash tells points by values, storage and scaling.
func TestHashTellsPoints(t *testing.T) {
	bytes := points.DenseBytes(2, 2, []uint8{1, 2, 3, 4})
	z, err := points.FitScaling(t.Context(), points.ZScore, bytes)
	if err != nil {
		t.Fatal(err)
	}
	all := []*points.Points{some(t, 4), some(t, 5), bytes, z.Apply(bytes), points.Scaling{Kind: points.UnitNorm}.Apply(bytes),
		points.Dense(1, 4, []float64{1, 2, 3, 4}), points.Dense(4, 1, []float64{1, 2, 3, 4}), points.Dense32(2, 2, []float32{1, 2, 3, 4}),
		points.CSR(2, []int{0, 1, 2}, []int32{0, 1}, []float64{1, 2}), points.CSR(2, []int{0, 2, 2}, []int32{0, 1}, []float64{1, 2})}
	seen := make(map[string]int)
	for k, p := range all {
		h, err := hashOf(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		if j, found := seen[h]; found {
			t.Errorf("points %d and %d have the same hash", j, k)
		}
		seen[h] = k
	}
}
