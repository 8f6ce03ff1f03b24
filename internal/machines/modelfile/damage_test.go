package modelfile_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"lapsvm/calibrate"
	"lapsvm/dataset"
	"lapsvm/internal/machines/modelfile"
	"lapsvm/internal/testing/detector"
)

// files that between them have all parts a file can have.
func files(t testing.TB) [][]byte {
	all := examples()
	var files [][]byte
	for _, name := range []string{`gaussian, sigma 0.1, "zscore", 2 classes, sparse false`, `linear, "unit-norm", 5 classes, sparse true`} {
		c, found := all[name]
		if !found {
			t.Fatalf("no example %s", name)
		}
		files = append(files, write(t, c))
	}
	return append(files, write(t, withNeighbours(t)[0]), write(t, describedTable(t)))
}

// refused checks that b is refused with an error, and without a model.
func refused(t *testing.T, what string, b []byte) error {
	t.Helper()
	c, err := modelfile.Read(bytes.NewReader(b))
	if err == nil || c != nil {
		t.Errorf("%s: read %v, error %v", what, c, err)
	}
	return err
}

// refusedFile is refused of a file, whose length is known before it is read.
func refusedFile(t *testing.T, what string, b []byte) error {
	t.Helper()
	path := filepath.Join(t.TempDir(), "m.lapsvm")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := modelfile.ReadFile(path)
	if err == nil || c != nil {
		t.Errorf("%s, as a file: read %v, error %v", what, c, err)
	}
	return err
}

func TestTruncated(t *testing.T) {
	for k, file := range files(t) {
		for length := 8; length < len(file); length += 97 {
			if err := refusedFile(t, fmt.Sprintf("file %d cut to %d of %d bytes", k, length, len(file)), file[:length]); !strings.Contains(err.Error(), "cut short") {
				t.Errorf("file %d cut to %d of %d bytes: %v, want it to say so", k, length, len(file), err)
			}
		}
		for length := range file {
			err := refused(t, fmt.Sprintf("file %d cut to %d of %d bytes", k, length, len(file)), file[:length])
			switch {
			case length < 8 && !errors.Is(err, modelfile.ErrNotModel):
				t.Errorf("file %d cut to %d bytes: %v", k, length, err)
			case length >= 8 && !strings.Contains(err.Error(), "cut short"):
				t.Errorf("file %d cut to %d of %d bytes: %v, want it to say so", k, length, len(file), err)
			}
		}
	}
}

func TestFlippedBits(t *testing.T) {
	detector.Spare(t)
	for k, file := range files(t) {
		for i := range file {
			for bit := range 8 {
				damaged := bytes.Clone(file)
				damaged[i] ^= 1 << bit
				refused(t, fmt.Sprintf("file %d with bit %d of byte %d flipped", k, bit, i), damaged)
			}
		}
	}
}

func TestForeignFiles(t *testing.T) {
	file := files(t)[0]
	for _, text := range []string{"", "a,b\n", "LAPSVM\n\n", "LAPSVM\r", "LAPSVM\n" + string(file[8:]), "\x89PNG\r\n\x1a\n0000", strings.Repeat("\x00", 100)} {
		if err := refused(t, fmt.Sprintf("%q", text), []byte(text)); !errors.Is(err, modelfile.ErrNotModel) {
			t.Errorf("%.20q: error %v, want ErrNotModel", text, err)
		}
	}
	later := bytes.Clone(file)
	binary.LittleEndian.PutUint32(later[8:], 12)
	if err := refused(t, "version 12", later); !strings.Contains(err.Error(), "version 12") || !strings.Contains(err.Error(), "newer lapsvm") {
		t.Errorf("version 12: error %v", err)
	}
	for _, other := range []uint32{0, 3 - binary.LittleEndian.Uint32(file[8:])} { // the version is the first that holds it all
		binary.LittleEndian.PutUint32(later[8:], other)
		refused(t, fmt.Sprintf("version %d", other), later)
	}
	for _, more := range [][]byte{{0}, file} {
		if err := refused(t, "a file that goes on", append(bytes.Clone(file), more...)); !strings.Contains(err.Error(), "damaged") {
			t.Errorf("%d bytes more: error %v", len(more), err)
		}
	}
}

// An error of the reader is reported as it is.
func TestReaderFails(t *testing.T) {
	file := files(t)[0]
	broken := errors.New("the cable is out")
	for _, at := range []int{0, 4, 10, 14, 100, len(file) - 40, len(file) - 5} {
		c, err := modelfile.Read(io.MultiReader(bytes.NewReader(file[:at]), iotest.ErrReader(broken)))
		if !errors.Is(err, broken) || c != nil {
			t.Errorf("after %d bytes: read %v, error %v", at, c, err)
		}
	}
	if _, err := modelfile.Read(iotest.OneByteReader(bytes.NewReader(file))); err != nil {
		t.Errorf("byte by byte: %v", err)
	}
}

// sealed makes a file of version 1 with this header and these bytes after it, and
// with a checksum that fits.
func sealed(header string, arrays []byte) []byte { return sealedAs(1, header, arrays) }

func sealedAs(version byte, header string, arrays []byte) []byte {
	b := append([]byte("LAPSVM\r\n"), version, 0, 0, 0)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(header)))
	b = append(append(b, header...), arrays...)
	sum := sha256.Sum256(b)
	return append(b, sum[:]...)
}

// A calibration comes back from its section of the header; a file without one,
// as older programs wrote, has none, and one of a later version is refused.
func TestCalibrationSection(t *testing.T) {
	ones := bytes.Repeat([]byte{0, 0, 0, 0, 0, 0, 0xf0, 0x3f}, 9)
	file := func(section string) []byte {
		return sealed(`{"kernel":{"name":"linear"},"basis":{"rows":2,"columns":3},"machines":1,"classes":["a","b"]`+section+`}`, ones)
	}
	if c := read(t, file("")); c.Calibration != nil {
		t.Errorf("without the section: %+v", c.Calibration)
	}
	c := read(t, file(`,"calibration":{"version":1,"slope":0.1,"held_out":7}`))
	if c.Calibration == nil || !reflect.DeepEqual(*c.Calibration, calibrate.Calibration{Slope: 0.1, HeldOut: 7}) {
		t.Errorf("read %+v", c.Calibration)
	}
	later := refused(t, "later calibration", file(`,"calibration":{"version":2,"slope":0.1}`))
	if !strings.Contains(later.Error(), "version 2") || !strings.Contains(later.Error(), "newer lapsvm") {
		t.Errorf("later calibration: error %v", later)
	}
	for _, section := range []string{`{"version":1}`, `{"version":1,"slope":-1}`, `{"version":1,"slope":1,"held_out":-1}`, `{"version":1,"slope":1,"held_out":1,"own":[[0.5]]}`, `{"version":1,"slope":1,"held_out":2,"own":[[0.5],[]]}`, `{"slope":1}`, `3`} {
		refused(t, section, file(`,"calibration":`+section))
	}
}

// The origin of the basis is short in the header; without it there is none.
func TestOriginSection(t *testing.T) {
	ones := bytes.Repeat([]byte{0, 0, 0, 0, 0, 0, 0xf0, 0x3f}, 9)
	file := func(section string) []byte {
		return sealed(`{"kernel":{"name":"linear"},"basis":{"rows":2,"columns":3},"machines":1,"classes":["a","b"]`+section+`}`, ones)
	}
	if c := read(t, file("")); c.Origin != nil {
		t.Errorf("without the section: %+v", c.Origin)
	}
	c := read(t, file(`,"origin":{"labelled":[1],"class":[0]}`))
	if c.Origin == nil || !slices.Equal(c.Origin.Rows, []int{0, 1}) || !slices.Equal(c.Origin.Class, []int{-1, 0}) {
		t.Errorf("read %+v", c.Origin)
	}
	for _, section := range []string{`{"rows":[0],"labelled":[],"class":[]}`, `{"rows":[3,2],"labelled":[],"class":[]}`, `{"rows":[-1,2],"labelled":[],"class":[]}`,
		`{"labelled":[0]}`, `{"labelled":[2],"class":[0]}`, `{"labelled":[-1],"class":[0]}`, `{"labelled":[1,1],"class":[0,0]}`, `{"labelled":[1],"class":[2]}`, `{"labelled":[1],"class":[-1]}`, `3`} {
		refused(t, section, file(`,"origin":`+section))
	}
}

// What labels say of several classes comes back with the origin; files of older programs lack it.
func TestAnswersSection(t *testing.T) {
	ones := bytes.Repeat([]byte{0, 0, 0, 0, 0, 0, 0xf0, 0x3f}, 12)
	file := func(several, section string) []byte {
		return sealedAs(8, `{"kernel":{"name":"linear"},"basis":{"rows":2,"columns":3},"machines":2,"classes":["a","b"]`+several+`,"origin":`+section+`}`, ones)
	}
	several := `,"several":true`
	if c := read(t, file(several, `{"labelled":[1],"class":[0]}`)); c.Origin == nil || c.Origin.Answers != nil {
		t.Errorf("of an older program: %+v", c.Origin)
	}
	c := read(t, file(several, `{"labelled":[1],"class":[0],"answers":["+?"]}`))
	if !slices.Equal(c.Origin.Answers, []string{"", "+?"}) || !slices.Equal(c.Origin.Subset([]int{1}).Answers, []string{"+?"}) {
		t.Errorf("read %+v", c.Origin)
	}
	for _, answers := range []string{`["+"]`, `["+-?"]`, `["+ "]`, `["+−"]`, `[]`, `["+-","--"]`, `[""]`} {
		refused(t, answers, file(several, `{"labelled":[1],"class":[0],"answers":`+answers+`}`))
	}
	refused(t, "held-out rows of nothing", file(several+`,"each_held":{"has":[[],[]],"lacks":[[],[]]}`, `{"labelled":[1],"class":[0]}`))
	refused(t, "one class", sealed(`{"kernel":{"name":"linear"},"basis":{"rows":2,"columns":3},"machines":1,"classes":["a","b"],"origin":{"labelled":[1],"class":[0],"answers":["+-"]}}`, ones[:9*8]))
}

// An encoding comes back from its section of the header; a file without one, as
// older programs wrote, has none, and one of a later version is refused.
func TestEncodingSection(t *testing.T) {
	ones := bytes.Repeat([]byte{0, 0, 0, 0, 0, 0, 0xf0, 0x3f}, 9)
	file := func(section string) []byte {
		return sealed(`{"kernel":{"name":"linear"},"basis":{"rows":2,"columns":3},"machines":1,"classes":["a","b"],"features":["n","c=u","c=v"]`+section+`}`, ones)
	}
	const columns = `"columns":[{"name":"n","kind":"number","fill":2.5,"low":1,"high":4,"missing":2},{"name":"i","kind":"id"},{"name":"c","kind":"category","values":["u","v"]}]`
	if c := read(t, file("")); c.Encoding != nil {
		t.Errorf("without the section: %+v", c.Encoding)
	}
	want := &dataset.Encoding{Named: true, Columns: []dataset.Column{
		{Name: "n", Kind: dataset.Number, Fill: 2.5, Low: 1, High: 4, Missing: 2}, {Name: "i", Kind: dataset.ID}, {Name: "c", Kind: dataset.Category, Values: []string{"u", "v"}}}}
	if c := read(t, file(`,"encoding":{"version":1,"named":true,`+columns+`}`)); !reflect.DeepEqual(c.Encoding, want) {
		t.Errorf("read %+v", c.Encoding)
	}
	later := refused(t, "later encoding", file(`,"encoding":{"version":9}`))
	if !strings.Contains(later.Error(), "versions up to 8") || !strings.Contains(later.Error(), "newer lapsvm") {
		t.Errorf("later encoding: error %v", later)
	}
	for _, damage := range [][2]string{
		{`"kind":"number"`, `"kind":"colour"`}, {`"low":1`, `"low":4`}, {`"fill":2.5`, `"fill":1e999`}, {`["u","v"]`, `["v","u"]`}, {`["u","v"]`, `["u","u"]`},
		{`["u","v"]`, `["u"]`}, {`"category","values"`, `"text","words"`}, {`"kind":"id"`, `"kind":"boolean"`}, {`"name":"n"`, `"name":"m"`}, {columns, `"columns":[]`},
	} {
		if !strings.Contains(columns, damage[0]) {
			t.Fatal(damage)
		}
		refused(t, damage[1], file(`,"encoding":{"version":1,`+strings.Replace(columns, damage[0], damage[1], 1)+`}`))
	}
}

// Amounts and times of day come back from their section, of version 7.
func TestAmountsSection(t *testing.T) {
	ones := bytes.Repeat([]byte{0, 0, 0, 0, 0, 0, 0xf0, 0x3f}, 9)
	file := func(columns string) []byte {
		return sealed(`{"kernel":{"name":"linear"},"basis":{"rows":2,"columns":3},"machines":1,"classes":["a","b"],"features":["paid","cos(at)","sin(at)"],"encoding":{"version":7,"named":true,"columns":`+columns+`}}`, ones)
	}
	const columns = `[{"name":"paid","kind":"amount","fill":48.5,"low":0.7,"high":80,"unit":"€","comma":true},{"name":"at","kind":"time","fill":43200,"low":0,"high":0}]`
	want := &dataset.Encoding{Named: true, Columns: []dataset.Column{{Name: "paid", Kind: dataset.Amount, Fill: 48.5, Low: 0.7, High: 80, Unit: "€", Comma: true}, {Name: "at", Kind: dataset.TimeOfDay, Fill: 43200}}}
	c := read(t, file(columns))
	if !reflect.DeepEqual(c.Encoding, want) || c.Encoding.Version() != 7 {
		t.Errorf("read %+v of version %d", c.Encoding, c.Encoding.Version())
	}
	var b bytes.Buffer
	if err := modelfile.Write(&b, c); err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(b.Bytes(), []byte(`"encoding":{"version":7,`)) || !reflect.DeepEqual(read(t, b.Bytes()).Encoding, want) {
		t.Errorf("written as %q", b.Bytes())
	}
	for _, damage := range [][2]string{{`"unit":"€"`, `"unit":"kg"`}, {`"low":0.7`, `"low":80`}, {`43200`, `86400`}, {`43200`, `-1`}, {`"kind":"time"`, `"kind":"number"`}} {
		if !strings.Contains(columns, damage[0]) {
			t.Fatal(damage)
		}
		refused(t, damage[1], file(strings.Replace(columns, damage[0], damage[1], 1)))
	}
}

// Lists of words come back from their section, of version 8; words out of order, twice or empty are refused.
func TestTagsSection(t *testing.T) {
	ones := bytes.Repeat([]byte{0, 0, 0, 0, 0, 0, 0xf0, 0x3f}, 9)
	file := func(words string) []byte {
		return sealed(`{"kernel":{"name":"linear"},"basis":{"rows":2,"columns":3},"machines":1,"classes":["a","b"],"features":["t=a","t=b","x"],"encoding":{"version":8,"named":true,"columns":[{"name":"t","kind":"tags","values":`+
			words+`},{"name":"x","kind":"number","fill":1,"low":0,"high":2}]}}`, ones)
	}
	want := &dataset.Encoding{Named: true, Columns: []dataset.Column{{Name: "t", Kind: dataset.Tags, Values: []string{"a", "b"}}, {Name: "x", Kind: dataset.Number, Fill: 1, High: 2}}}
	c := read(t, file(`["a","b"]`))
	if !reflect.DeepEqual(c.Encoding, want) || c.Encoding.Version() != 8 {
		t.Errorf("read %+v of version %d", c.Encoding, c.Encoding.Version())
	}
	var b bytes.Buffer
	if err := modelfile.Write(&b, c); err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(b.Bytes(), []byte(`"encoding":{"version":8,`)) || !reflect.DeepEqual(read(t, b.Bytes()).Encoding, want) {
		t.Errorf("written as %q", b.Bytes())
	}
	for _, words := range []string{`["b","a"]`, `["a","a"]`, `["","b"]`, `["a"]`} {
		refused(t, words, file(words))
	}
}

// Places come back from their section, of version 3; a longitude without its latitude is refused.
func TestPlacesSection(t *testing.T) {
	ones := bytes.Repeat([]byte{0, 0, 0, 0, 0, 0, 0xf0, 0x3f}, 9)
	file := func(columns string) []byte {
		return sealed(`{"kernel":{"name":"linear"},"basis":{"rows":2,"columns":3},"machines":1,"classes":["a","b"],"features":["sin(lat)","cos(lat)cos(lon)","cos(lat)sin(lon)"],"encoding":{"version":3,"named":true,"columns":`+columns+`}}`, ones)
	}
	const columns = `[{"name":"lat","kind":"latitude","fill":48.5,"low":0.7,"high":0.8},{"name":"lon","kind":"longitude","fill":-170.25,"low":0,"high":0,"with":"lat"}]`
	want := &dataset.Encoding{Named: true, Columns: []dataset.Column{{Name: "lat", Kind: dataset.Latitude, Fill: 48.5, Low: 0.7, High: 0.8}, {Name: "lon", Kind: dataset.Longitude, Fill: -170.25, With: "lat"}}}
	c := read(t, file(columns))
	if !reflect.DeepEqual(c.Encoding, want) || c.Encoding.Version() != 3 {
		t.Errorf("read %+v of version %d", c.Encoding, c.Encoding.Version())
	}
	var b bytes.Buffer
	if err := modelfile.Write(&b, c); err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(b.Bytes(), []byte(`"encoding":{"version":3,`)) || !reflect.DeepEqual(read(t, b.Bytes()).Encoding, want) {
		t.Errorf("written as %q", b.Bytes())
	}
	for _, damage := range [][2]string{
		{`"with":"lat"`, `"with":"lot"`}, {`,"with":"lat"`, ``}, {`"fill":48.5`, `"fill":90.5`}, {`"fill":-170.25`, `"fill":361`}, {`"low":0.7`, `"low":0.8`}, {`"kind":"latitude"`, `"kind":"number"`},
	} {
		if !strings.Contains(columns, damage[0]) {
			t.Fatal(damage)
		}
		refused(t, damage[1], file(strings.Replace(columns, damage[0], damage[1], 1)))
	}
}

// Pairs and triples of characters come back from their section, of version 4.
func TestGramsSection(t *testing.T) {
	ones := bytes.Repeat([]byte{0, 0, 0, 0, 0, 0, 0xf0, 0x3f}, 9)
	file := func(columns string) []byte {
		return sealed(`{"kernel":{"name":"linear"},"basis":{"rows":2,"columns":3},"machines":1,"classes":["a","b"],"features":["t:cat","t:' c'","t:'at '"],"encoding":{"version":4,"named":true,"columns":`+columns+`}}`, ones)
	}
	const columns = `[{"name":"t","kind":"text","words":["cat"],"idf":[1.5],"grams":[" c","at "],"gram_idf":[1.25,2]}]`
	want := &dataset.Encoding{Named: true, Columns: []dataset.Column{{Name: "t", Kind: dataset.Text, Words: []string{"cat"}, IDF: []float64{1.5}, Grams: []string{" c", "at "}, GramIDF: []float64{1.25, 2}}}}
	c := read(t, file(columns))
	if !reflect.DeepEqual(c.Encoding, want) || c.Encoding.Version() != 4 {
		t.Errorf("read %+v of version %d", c.Encoding, c.Encoding.Version())
	}
	var b bytes.Buffer
	if err := modelfile.Write(&b, c); err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(b.Bytes(), []byte(`"encoding":{"version":4,`)) || !reflect.DeepEqual(read(t, b.Bytes()).Encoding, want) {
		t.Errorf("written as %q", b.Bytes())
	}
	for _, damage := range [][2]string{{`[" c","at "]`, `["at "," c"]`}, {`[1.25,2]`, `[1.25]`}, {`[1.25,2]`, `[1.25,1e999]`}, {`[" c","at "]`, `[" c"," c"]`}} {
		refused(t, damage[1], file(strings.Replace(columns, damage[0], damage[1], 1)))
	}
}

// The size of images comes back from its section, which may be missing.
func TestImageSection(t *testing.T) {
	ones := bytes.Repeat([]byte{0, 0, 0, 0, 0, 0, 0xf0, 0x3f}, 15)
	file := func(section string) []byte {
		return sealed(`{"kernel":{"name":"linear"},"basis":{"rows":2,"columns":6},"machines":1,"classes":["a","b"]`+section+`}`, ones)
	}
	if c := read(t, file("")); !c.Image.None() {
		t.Errorf("without the section: %+v", c.Image)
	}
	for section, want := range map[string]dataset.Image{
		`{"width":2,"height":3}`: {Width: 2, Height: 3}, `{"width":2,"height":1,"colour":true}`: {Width: 2, Height: 1, Colour: true},
		`{"width":6,"height":1,"white":255}`: {Width: 6, Height: 1, White: 255},
	} {
		c := read(t, file(`,"image":`+section))
		if c.Image != want {
			t.Errorf("%s: read %+v", section, c.Image)
		}
		var b bytes.Buffer
		if err := modelfile.Write(&b, c); err != nil {
			t.Fatal(err)
		}
		if again := read(t, b.Bytes()); again.Image != want {
			t.Errorf("%s: written and read %+v", section, again.Image)
		}
	}
	for _, section := range []string{`{}`, `{"width":2,"height":2}`, `{"width":-2,"height":-3}`, `{"width":6,"height":1,"colour":true}`, `{"width":1,"height":99999}`, `{"width":2,"height":3,"white":-1}`} {
		refused(t, section, file(`,"image":`+section))
	}
}

// Files whose checksum fits are still refused where their parts do not fit.
func TestSealedNonsense(t *testing.T) {
	ones := bytes.Repeat([]byte{0, 0, 0, 0, 0, 0, 0xf0, 0x3f}, 20)
	good := `{"kernel":{"name":"linear"},"basis":{"rows":2,"columns":3},"machines":1,"classes":["a","b"]}`
	if _, err := modelfile.Read(bytes.NewReader(sealed(good, ones[:9*8]))); err != nil {
		t.Fatal(err)
	}
	count := func(n uint64) []byte { return binary.LittleEndian.AppendUint64(nil, n) }
	sparse := `{"kernel":{"name":"linear"},"basis":{"rows":2,"columns":3,"sparse":true,"stored":2},"machines":1,"classes":["a","b"]}`
	rows := func(first, second uint64, columns ...int32) []byte {
		b := append(count(first), count(second)...)
		for _, j := range columns {
			b = binary.LittleEndian.AppendUint32(b, uint32(j))
		}
		return append(b, ones[:5*8]...) // 2 values, 2 coefficients, a bias
	}
	if _, err := modelfile.Read(bytes.NewReader(sealed(sparse, rows(2, 0, 0, 2)))); err != nil {
		t.Fatal(err)
	}
	for name, file := range map[string][]byte{
		"no JSON":                 sealed(`{"kernel"`, ones),
		"empty header":            sealed(``, ones),
		"JSON of another kind":    sealed(`[1, 2]`, ones),
		"one value fewer":         sealed(good, ones[:8*8]),
		"one value more":          sealed(good, ones[:10*8]),
		"unknown kernel":          sealed(strings.Replace(good, "linear", "cubic", 1), ones[:9*8]),
		"kernel without sigma":    sealed(strings.Replace(good, "linear", "gaussian", 1), ones[:9*8]),
		"unknown standardisation": sealed(strings.Replace(good, `"machines"`, `"standardise":"log","machines"`, 1), ones[:9*8]),
		"no class":                sealed(strings.Replace(good, `"a","b"`, ``, 1), ones[:9*8]),
		"two machines of two":     sealed(strings.Replace(good, `"machines":1`, `"machines":2`, 1), ones[:12*8]),
		"one class, not said":     sealed(strings.Replace(good, `"a","b"`, `"a"`, 1), ones[:9*8]),
		"feature names":           sealed(strings.Replace(good, `"machines"`, `"features":["x"],"machines"`, 1), ones[:9*8]),
		"no rows":                 sealed(strings.Replace(good, `"rows":2`, `"rows":0`, 1), ones[:8]),
		"negative rows":           sealed(strings.Replace(good, `"rows":2`, `"rows":-2`, 1), ones[:9*8]),
		"negative columns":        sealed(strings.Replace(good, `"columns":3`, `"columns":-3`, 1), ones[:9*8]),
		"negative entries":        sealed(strings.Replace(sparse, `"stored":2`, `"stored":-2`, 1), rows(2, 0, 0, 2)),
		"rows too long":           sealed(sparse, rows(2, 1, 0, 2)),
		"rows too short":          sealed(sparse, rows(1, 0, 0, 2)),
		"row of 2⁶⁴−1":            sealed(sparse, rows(1, 1<<64-1, 0, 2)),
		"column twice":            sealed(sparse, rows(2, 0, 1, 1)),
		"columns descend":         sealed(sparse, rows(2, 0, 2, 0)),
		"column beyond the table": sealed(sparse, rows(2, 0, 0, 3)),
		"degree of 2⁶²":           sealed(strings.Replace(good, `"linear"`, `"poly","degree":4611686018427387904`, 1), ones[:9*8]),
		"sparse columns of 2⁴⁰":   sealed(strings.Replace(sparse, `"columns":3`, `"columns":1099511627776`, 1), rows(2, 0, 0, 2)),
		"negative column":         sealed(sparse, rows(2, 0, -1, 0)),
	} {
		refused(t, name, file)
	}
}

// A number that is not finite is refused wherever it is, in reading and in writing.
func TestNotFinite(t *testing.T) {
	const header = `{"kernel":{"name":"gaussian","sigma":1},"standardise":"zscore","basis":{"rows":2,"columns":3},"machines":1,"classes":["a","b"],"origin":{"labelled":[1],"class":[0]},"label_shares":true}`
	const numbers = 3 + 3 + 2*3 + 2 + 1 + 2 // shift, factor, basis, coefficients, bias, shares of a label
	arrays := make([]byte, 8*numbers)
	c := read(t, sealedAs(2, header, arrays))
	for k := range numbers {
		for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			damaged := bytes.Clone(arrays)
			binary.LittleEndian.PutUint64(damaged[8*k:], math.Float64bits(bad))
			if err := refused(t, fmt.Sprintf("%v as number %d", bad, k), sealedAs(2, header, damaged)); err != nil && !strings.Contains(err.Error(), "damaged (") {
				t.Errorf("number %d: %v", k, err)
			}
		}
	}
	c.Bias[0] = math.NaN()
	var b bytes.Buffer
	if err := modelfile.Write(&b, c); err == nil || !strings.Contains(err.Error(), "biases is NaN") || b.Len() > 0 {
		t.Errorf("written %d bytes, error %v", b.Len(), err)
	}
}

// Whatever a header claims, memory grows with what is there.
func TestHugeClaims(t *testing.T) {
	claim := func(basis, standardise string) string {
		return `{"kernel":{"name":"linear"},"standardise":"` + standardise + `","basis":` + basis + `,"machines":3,"classes":["a","b","c"]}`
	}
	// A model of one basis point of three bytes, to which neighbours are to add.
	near := func(points, index string) string {
		return `{"kernel":{"name":"linear"},"basis":{"rows":1,"columns":3,"storage":"uint8"},"machines":1,"classes":["a","b"],"local":{"points":` + points +
			`,"metric":"euclidean","neighbours":1,"origin":{"labelled":[],"class":[]},"index":` + index + `}}`
	}
	const few = `{"rows":4,"columns":3,"storage":"uint8"}`
	long := append([]byte("LAPSVM\r\n"), 1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff)
	for name, file := range map[string][]byte{
		"header":                append(long, "{}"...),
		"neighbours":            sealedAs(5, near(`{"rows":2147483647,"columns":3,"storage":"uint8"}`, `{"points":2147483647,"neighbours":2147483647,"width":3,"depths":[30]}`), make([]byte, 1000)),
		"tree":                  sealedAs(5, near(few, `{"points":4,"neighbours":4,"width":1024,"directions":true,"centre":true,"depths":[2,2,2,31]}`), make([]byte, 1000)),
		"sketches":              sealedAs(5, near(few, `{"points":4,"neighbours":4,"width":1000000000000,"directions":true,"depths":[2]}`), make([]byte, 1000)),
		"columns of neighbours": sealedAs(5, strings.ReplaceAll(near(few, `{"points":4,"neighbours":4,"width":1024,"centre":true,"directions":true,"depths":[2]}`), `"columns":3`, `"columns":1152921504606846976`), make([]byte, 1000)),
		"rows":                  sealed(claim(`{"rows":1099511627776,"columns":2}`, "none"), make([]byte, 1000)),
		"columns":               sealed(claim(`{"rows":1,"columns":1152921504606846976}`, "none"), make([]byte, 1000)),
		"scaling":               sealed(claim(`{"rows":1,"columns":1152921504606846976}`, "zscore"), make([]byte, 1000)),
		"product":               sealed(claim(`{"rows":4611686018427387904,"columns":4611686018427387904}`, "none"), make([]byte, 1000)),
		"empty rows":            sealed(claim(`{"rows":4611686018427387904,"columns":0}`, "none"), make([]byte, 1000)),
		"sparse rows":           sealed(claim(`{"rows":4611686018427387904,"columns":9,"sparse":true}`, "none"), make([]byte, 1000)),
		"entries":               sealed(claim(`{"rows":1,"columns":9,"sparse":true,"stored":4611686018427387904}`, "none"), append(binary.LittleEndian.AppendUint64(nil, 1<<62), make([]byte, 1000)...)),
		"largest rows":          sealed(claim(`{"rows":9223372036854775807,"columns":9223372036854775807,"sparse":true,"stored":9223372036854775807}`, "minmax"), make([]byte, 1000)),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		refused(t, name, file)
		refusedFile(t, name, file)
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; got > 2<<20 {
			t.Errorf("%s: %d bytes were allocated for a file of %d", name, got, len(file))
		}
	}
}

// same checks that a readable file can be written, and comes back unchanged
// from then on.
func same(t *testing.T, file []byte) {
	c, err := modelfile.Read(bytes.NewReader(file))
	if err != nil {
		if c != nil {
			t.Fatalf("a model beside the error %v", err)
		}
		return
	}
	once := write(t, c)
	if again := write(t, read(t, once)); !bytes.Equal(again, once) {
		t.Fatalf("written, read and written again:\n%q\n%q", once, again)
	}
}

// FuzzRead reads a file as it is, and once more with a checksum that fits.
func FuzzRead(f *testing.F) {
	for _, file := range files(f) {
		f.Add(file)
		f.Add(file[:len(file)-sha256.Size])
	}
	f.Add([]byte("LAPSVM\r\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		same(t, b)
		sum := sha256.Sum256(b)
		same(t, append(bytes.Clone(b), sum[:]...))
	})
}

// FuzzHeader reads files whose frame is right.
func FuzzHeader(f *testing.F) {
	for _, file := range files(f) {
		length := binary.LittleEndian.Uint32(file[12:])
		f.Add(file[8], string(file[16:16+length]), file[16+length:len(file)-sha256.Size])
	}
	f.Add(byte(1), `{"kernel":{"name":"poly","degree":2},"basis":{"rows":1,"columns":0},"machines":1,"one_class":true,"classes":["a"]}`, make([]byte, 16))
	for _, storage := range []string{"uint8", "float32"} {
		f.Add(byte(4), `{"kernel":{"name":"poly","degree":2},"standardise":"unit-norm","basis":{"rows":1,"columns":2,"storage":"`+storage+`","unscaled":true},"machines":1,"one_class":true,"classes":["a"]}`, make([]byte, map[string]int{"uint8": 18, "float32": 24}[storage]))
	}
	f.Fuzz(func(t *testing.T, version byte, header string, arrays []byte) {
		same(t, sealedAs(version, header, arrays))
	})
}
