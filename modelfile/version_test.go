package modelfile_test

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"lapsvm/modelfile"
	"lapsvm/points"
)

// A file says the first version that can hold what it has, and is refused with any
// other one, the checksum being right.
func TestVersionOfTheContents(t *testing.T) {
	for name, c := range examples() {
		file := write(t, c)
		own := binary.LittleEndian.Uint32(file[8:])
		want := uint32(1)
		switch {
		case c.Scaling.Kind == points.Columns:
			want = 3
		case len(c.LabelShares) > 0:
			want = 2
		}
		if own != want {
			t.Errorf("%s: version %d, want %d", name, own, want)
		}
		for v := range uint32(5) {
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
