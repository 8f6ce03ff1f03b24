package modelfile_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"reflect"
	"slices"
	"strings"
	"testing"

	"lapsvm/internal/machines/modelfile"
	"lapsvm/internal/machines/task"
)

// withParts returns a file with further keys of its header, and bytes behind its arrays, as a later program writes it.
func withParts(file []byte, keys string, more []byte) []byte {
	length := binary.LittleEndian.Uint32(file[12:])
	header := strings.TrimSuffix(string(file[16:16+length]), "}") + "," + keys + "}"
	other := slices.Concat(file[:8], binary.LittleEndian.AppendUint32(nil, max(10, binary.LittleEndian.Uint32(file[8:]))), binary.LittleEndian.AppendUint32(nil, uint32(len(header))),
		[]byte(header), file[16+length:len(file)-sha256.Size], more)
	sum := sha256.Sum256(other)
	return append(other, sum[:]...)
}

// A part that this program does not know is skipped where it says so, with its bytes and its keys. Else the model is refused by its name.
func TestPartsOfLaterPrograms(t *testing.T) {
	for name, c := range examples() {
		file := write(t, c)
		want, err := modelfile.Read(bytes.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		got, err := modelfile.Read(bytes.NewReader(withParts(file, `"parts":[{"name":"pages","bytes":70000,"skip":true},{"name":"notes","skip":true}],"pages":{"count":3}`, make([]byte, 70000))))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !slices.Equal(got.Skipped, []string{"pages", "notes"}) {
			t.Errorf("%s: skipped %q", name, got.Skipped)
		}
		if again := write(t, got); !bytes.Equal(again, file) {
			t.Errorf("%s: written again it is another file", name)
		}
		if got.Skipped = nil; !reflect.DeepEqual(got.Coefficients, want.Coefficients) || !reflect.DeepEqual(got.Bias, want.Bias) {
			t.Errorf("%s: other numbers", name)
		}
		if _, err := modelfile.Read(bytes.NewReader(withParts(file, `"parts":[]`, nil))); (err == nil) != (c.Kind == task.OfOrdered) { // which are of a later version
			t.Errorf("%s, no parts: %v", name, err)
		}
		for what, other := range map[string]struct {
			keys, says string
			more       int
		}{
			"must not be skipped": {`"parts":[{"name":"pages","bytes":8}]`, `the model has a part "pages", which this program does not know`, 8},
			"one of two must not": {`"parts":[{"name":"notes","skip":true},{"name":"pages"}]`, `a part "pages"`, 0},
			"too few bytes":       {`"parts":[{"name":"pages","bytes":80,"skip":true}]`, "cut short", 8},
			"too many bytes":      {`"parts":[{"name":"pages","bytes":8,"skip":true}]`, "damaged", 80},
			"no name":             {`"parts":[{"bytes":8,"skip":true}]`, "damaged", 8},
			"negative":            {`"parts":[{"name":"pages","bytes":-8,"skip":true}]`, "damaged", 0},
			"more than there is":  {`"parts":[{"name":"pages","bytes":9223372036854775807,"skip":true}]`, "cut short", 8},
		} {
			if _, err := modelfile.Read(bytes.NewReader(withParts(file, other.keys, make([]byte, other.more)))); err == nil || !strings.Contains(err.Error(), other.says) {
				t.Errorf("%s, %s: %v, want %q", name, what, err, other.says)
			}
		}
	}
}
