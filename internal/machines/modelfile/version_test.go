package modelfile_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"reflect"
	"slices"
	"strings"
	"testing"

	"lapsvm/internal/machines/drift"
	"lapsvm/internal/machines/modelfile"
	"lapsvm/internal/machines/task"
	"lapsvm/kernel"
	"lapsvm/points"
)

// A file names the first version that can hold its contents. With a right checksum but any other
// version it is refused.
func TestVersionOfTheContents(t *testing.T) {
	for name, c := range examples() {
		file := write(t, c)
		own := binary.LittleEndian.Uint32(file[8:])
		want := uint32(1)
		switch {
		case c.Kind == task.OfOrdered:
			want = 11
		case c.Attachment != nil:
			want = 9
		case c.Kind == task.OfSeveral:
			want = 8
		case c.Scaling.Kind == points.Columns:
			want = 3
		case len(c.LabelShares) > 0:
			want = 2
		}
		if own != want {
			t.Errorf("%s: version %d, want %d", name, own, want)
		}
		for v := range uint32(13) {
			other := slices.Clone(file[:len(file)-sha256.Size])
			binary.LittleEndian.PutUint32(other[8:], v)
			sum := sha256.Sum256(other)
			_, err := modelfile.Read(strings.NewReader(string(append(other, sum[:]...))))
			if (err == nil) != (v == own) {
				t.Errorf("%s: as version %d, it is of %d: error %v", name, v, own, err)
			}
		}
	}
}

// A profile of a later version is unknown, and the rest of the file is read.
func TestLaterProfileIsUnknown(t *testing.T) {
	c := &modelfile.Contents{Kernel: kernel.Gaussian{Sigma: 1}, Basis: points.Dense(1, 1, []float64{1}), Classes: []string{"a", "b"},
		Coefficients: [][]float64{{1}}, Bias: []float64{0}, Profile: &drift.Profile{Points: 77}}
	data := write(t, c)
	later := bytes.Replace(data[:len(data)-sha256.Size], []byte(`"drift":{"version":1`), []byte(`"drift":{"version":9`), 1)
	sum := sha256.Sum256(later)
	got, err := modelfile.Read(bytes.NewReader(append(later, sum[:]...)))
	if err != nil {
		t.Fatal(err)
	}
	if got.Profile != nil || !reflect.DeepEqual(got.Coefficients, c.Coefficients) {
		t.Errorf("the profile %v", got.Profile)
	}
}
