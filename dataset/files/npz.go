package files

import (
	"archive/zip"
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"lapsvm/dataset"
	"lapsvm/points"
)

// NPZ is the name of the format of this file.
const NPZ = "npz" // NumPy arrays in a zip archive, or a SciPy matrix

func npzFormat() Format {
	return Format{
		Name:    NPZ,
		Endings: []string{"npz"},
		parts:   "array",
		inZip: func(names []string) bool {
			return slices.ContainsFunc(names, func(name string) bool { return strings.HasSuffix(name, ".npy") })
		},
		Holds: "NumPy archive of X, dense or SciPy's sparse, y, and feature_names",
		Loses: "the name of the column of labels",
		loses: losesLabel,
		read:  readNPZ,
		write: func(w *bufio.Writer, d *dataset.Dataset, _ classes) error {
			return writeNPZ(w, d)
		},
		writeSeries: writeNPZSeries,
		keyed:       true,
		className: func(class, _ string) string {
			if strings.HasSuffix(class, "\x00") {
				return "ends in a zero, which NumPy leaves out; rename the class"
			}
			return ""
		},
	}
}

// maxNPYText is the number of characters that a string of an array may have.
const maxNPYText = 1 << 20

// readNPZ reads the arrays of a NumPy archive, compressed or not. The n×d
// points are X (or x, fea, data, arr_0), or the array that FILE#NAME names. The labels, numbers or strings, are y (or Y,
// gnd, labels, label, arr_1), else an array whose name [dataset.NamesLabels] knows. NaN and the empty string mean
// no label. In place of X there may be the parts of a sparse matrix that
// scipy.sparse.save_npz writes: data, indices, indptr and shape, by rows (csr)
// or columns (csc). Archives of graphs have them as attr_matrix.data or attr_data, and so on. Names of the columns are in
// feature_names, if it is there.
func readNPZ(src *source, o Options) (*dataset.Dataset, error) {
	archive, err := src.zip("this is no npz file, or it is damaged (%v); write it again with numpy.savez")
	if err != nil {
		return nil, err
	}
	if err := src.isOtherArchive(NPZ, namesIn(archive)); err != nil {
		return nil, err
	}
	z, names, err := newNPZ(src, archive)
	if err != nil {
		return nil, err
	}
	names = z.group(names)
	c, err := src.choose(names, z.look, o)
	if err != nil {
		return nil, err
	}
	var labels *dataset.Labels
	if c.labels != "" {
		if labels, err = z.labels(c.labels, o); err != nil {
			return nil, err
		}
	}
	var p *points.Points
	var h npyHeader
	n := 0
	if prefix, sparse := z.sparse[c.points]; sparse {
		if p, err = z.matrix(prefix); err == nil {
			n = p.Len()
			src.Own = o.Ranks.Part().Range(n)
			p = src.kept(p)
		}
	} else if p, h, err = z.dense(c.points, o); err == nil {
		n = h.shape[0]
	}
	if err != nil {
		return nil, err
	}
	d, err := src.together(p, n, labels, o)
	if err == nil {
		d.Features, err = z.names(p.Dim(), o)
	}
	if err != nil {
		return nil, err
	}
	h.flattened(d)
	if h.element.long() {
		doubtRounded(d)
	}
	src.noteUnread(d, names, c, func(name string) bool { return name == namesArray }, z.look)
	if o.Label != "" {
		d.Label = c.labels
	}
	return d, nil
}

// group finds the sparse matrices, each several arrays whose names begin alike, and returns the names of arrays with a
// matrix in the place of its parts. Without a beginning it is called data.
func (z npz) group(names []string) []string {
	part := map[string]bool{}
	for _, name := range names {
		prefix, is := strings.CutSuffix(name, "indptr")
		if whole, other := strings.CutSuffix(name, "format"); !is && other && z.files[whole+"shape"] != nil {
			prefix, is = whole, true
		}
		if !is || z.files[prefix+"indptr"] != nil && z.files[prefix+"indices"] == nil {
			continue
		}
		called := strings.TrimRight(prefix, "._")
		if called == "" {
			called = "data"
		}
		if _, other := z.files[called]; other && called != prefix+"data" {
			continue
		}
		z.sparse[called] = prefix
		for _, of := range []string{"data", "indices", "indptr", "shape", "format", "is_array", "_is_array"} {
			part[prefix+of] = true
		}
	}
	if len(z.sparse) == 0 {
		return names
	}
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return part[name] })
	return append(names, slices.Sorted(maps.Keys(z.sparse))...)
}

// look tells what an array is like, as far as it can be read.
func (z npz) look(name string) array {
	if prefix, sparse := z.sparse[name]; sparse {
		shape, err := z.shape(prefix)
		if err != nil {
			return array{numbers: true}
		}
		return array{shape: shape, numbers: true}
	}
	in, h, err := z.open(name)
	if err != nil {
		return array{}
	}
	in.close()
	return array{shape: append([]int{}, h.shape...), numbers: h.numeric, words: strings.ContainsAny(h.descr, "US")}
}

type npz struct {
	src    *source
	files  map[string]*zip.File
	sparse map[string]string // what the names of the parts of each sparse matrix begin with
}

// newNPZ returns the arrays of an archive and their names in its order.
func newNPZ(src *source, archive *zip.Reader) (z npz, names []string, err error) {
	z = npz{src: src, files: map[string]*zip.File{}, sparse: map[string]string{}}
	for _, f := range archive.File {
		name := strings.TrimSuffix(f.Name, ".npy")
		if _, twice := z.files[name]; twice {
			return z, nil, src.Errorf(0, 0, "two arrays are called %q; keep one of them", name)
		}
		z.files[name] = f
		names = append(names, name)
	}
	return z, names, nil
}

// open returns a source of the values of an array, whose header it reads.
func (z npz) open(name string) (*source, npyHeader, error) {
	const damaged = "the archive is damaged or cut off (%v); fetch or write the file again"
	f := z.files[name]
	if f == nil {
		return nil, npyHeader{}, z.src.Errorf(0, 0, "the array %s is missing; write the file again", name)
	}
	r, err := z.src.openMember(f)
	if err != nil {
		return nil, npyHeader{}, z.src.Damagedf("%s: "+damaged, name, err)
	}
	in := z.src.inner(name, r, bufferSize, damaged)
	in.close = func() { r.Close() }
	h, err := readNPYHeader(in)
	if err != nil {
		in.close()
	}
	return in, h, err
}

// dense reads points from an array of at least two dimensions: of one in C's order those
// rows that the source keeps.
func (z npz) dense(name string, o Options) (*points.Points, npyHeader, error) {
	in, h, err := z.open(name)
	if err != nil {
		return nil, npyHeader{}, err
	}
	defer in.close()
	if err := h.isTable(in); err != nil {
		return nil, npyHeader{}, err
	}
	n, d := h.shape[0], h.width()
	z.src.Own = o.Ranks.Part().Range(n)
	own := z.src.Own
	if h.fortran {
		own = dataset.Own{}
	}
	values, _, err := in.storedRows(h.element, n, d, own, -1)
	if err != nil {
		return nil, npyHeader{}, err
	}
	if h.fortran {
		values.turn(h, h.columns())
		return z.src.kept(values.points(n, d)), h, nil
	}
	return values.points(values.len()/d, d), h, nil
}

// kept returns those rows of a whole table that the source keeps.
func (s *source) kept(p *points.Points) *points.Points {
	if s.Own.All() {
		return p
	}
	return p.Subset(s.Own.Rows(p.Len()))
}

// columns returns all columns of a row, in their order.
func (h npyHeader) columns() []int {
	all := make([]int, h.width())
	for c := range all {
		all[c] = c
	}
	return all
}

// vector reads a one-dimensional array of numbers.
func (z npz) vector(name string) ([]float64, element, error) {
	in, h, err := z.open(name)
	if err != nil {
		return nil, element{}, err
	}
	defer in.close()
	total, err := h.isVector(in)
	if err != nil {
		return nil, element{}, err
	}
	if !h.numeric {
		return nil, element{}, in.Errorf(0, 0, "the array's type is %q; save numbers, such as int64 or float64", h.descr)
	}
	values, err := in.numbers(h.element, total)
	return values, h.element, err
}

// isVector returns the length of an array that is one row or one column.
func (h npyHeader) isVector(src *source) (int, error) {
	total, ok := elements(h.shape)
	if !ok || len(h.shape) > 2 || len(h.shape) == 0 || total != slices.Max(h.shape) {
		advice := "y.argmax(axis=1) where it has a column for each class"
		if ok && len(h.shape) > 0 && total == slices.Max(h.shape) {
			advice = "y.ravel()"
		}
		return 0, src.Errorf(0, 0, "the array has the shape %v; save one value for each row, such as %s", h.shape, advice)
	}
	return total, nil
}

// labels reads labels, which are numbers or strings.
func (z npz) labels(name string, o Options) (*dataset.Labels, error) {
	labels := dataset.NewLabels(&z.src.Origin, false, o.rules())
	in, h, err := z.open(name)
	if err != nil {
		return nil, err
	}
	defer in.close()
	total, err := h.isVector(in)
	if err != nil {
		return nil, err
	}
	z.src.Own = o.Ranks.Part().Range(total)
	if h.numeric {
		values, err := in.numbers(h.element, total)
		if err != nil {
			return nil, err
		}
		return labels, in.addNumbers(labels, h.element, values)
	}
	return labels, h.eachText(in, total, labels.Add)
}

// eachText reads strings of a fixed length, in UCS-4 ("<U7") or bytes ("|S7").
func (h npyHeader) eachText(in *source, total int, f func([]byte) error) error {
	var length int
	var order, kind byte
	if n, _ := fmt.Sscanf(h.descr, "%c%c%d", &order, &kind, &length); n != 3 || kind != 'U' && kind != 'S' ||
		length < 0 || length > maxNPYText || strings.IndexByte("<>|=", order) < 0 {
		return in.Errorf(0, 0, "the array's type is %q; save labels as numbers or as strings, such as y.astype(str)", h.descr)
	}
	size := 1
	if kind == 'U' {
		size = 4
	}
	if err := in.Take(2*length*size, fmt.Sprintf("labels of %d characters", length)); err != nil {
		return err
	}
	raw, text := make([]byte, length*size), make([]byte, 0, length)
	for i := range total {
		if length == 0 { // such an array takes no room, so its length is only a claim
			return in.Errorf(0, 0, "all %d labels are empty; leave the array out", total)
		}
		if _, err := io.ReadFull(in, raw); err != nil {
			return ended(err, in.Errorf(0, 0, "the file ends after %d of %d values; fetch or write it again", i, total))
		}
		text = text[:0]
		for k := 0; k < len(raw); k += size {
			switch {
			case kind == 'S':
				text = append(text, raw[k])
			case order == '>':
				text = utf8.AppendRune(text, codepoint(binary.BigEndian.Uint32(raw[k:])))
			default:
				text = utf8.AppendRune(text, codepoint(binary.LittleEndian.Uint32(raw[k:])))
			}
		}
		for len(text) > 0 && text[len(text)-1] == 0 { // the padding
			text = text[:len(text)-1]
		}
		if err := f(text); err != nil {
			return err
		}
	}
	return in.end(total)
}

// codepoint is a character; what is none becomes the replacement character.
func codepoint(v uint32) rune {
	if v > utf8.MaxRune {
		return utf8.RuneError
	}
	return rune(v)
}

// matrix reads points from the parts of a sparse matrix, whose names begin with prefix.
func (z npz) matrix(prefix string) (*points.Points, error) {
	byColumns := false
	if z.files[prefix+"format"] != nil {
		format, err := z.format(prefix + "format")
		if err != nil {
			return nil, err
		}
		byColumns = format == "csc"
		if format != "csr" && format != "csc" {
			return nil, z.src.Errorf(0, 0, "the sparse matrix is stored as %q; save it by rows: scipy.sparse.save_npz(f, X.tocsr())", format)
		}
	}
	shape, err := z.shape(prefix)
	if err != nil {
		return nil, err
	}
	var c compressed
	for _, part := range []struct {
		name string
		to   *[]float64
	}{{"indptr", &c.start}, {"indices", &c.minor}, {"data", &c.value}} {
		if *part.to, _, err = z.vector(prefix + part.name); err != nil {
			return nil, err
		}
	}
	if len(c.minor) != len(c.value) {
		return nil, z.src.Damagedf(damagedSparse, "the numbers of values and of indices differ")
	}
	if byColumns {
		return c.byColumns(z.src, shape[0], shape[1])
	}
	return c.byRows(z.src, shape[0], shape[1])
}

// shape reads the numbers of rows and columns of a sparse matrix.
func (z npz) shape(prefix string) ([]int, error) {
	shape, _, err := z.vector(prefix + "shape")
	if err != nil {
		return nil, err
	}
	if len(shape) != 2 || slices.ContainsFunc(shape, func(v float64) bool { return !(v >= 1 && v <= maxSide) || v != math.Trunc(v) }) {
		return nil, z.src.Errorf(0, 0, "the sparse matrix has the shape %v; save one of rows and columns, at least one of each and at most %d", shape, maxSide)
	}
	return []int{int(shape[0]), int(shape[1])}, nil
}

// format reads how a sparse matrix is stored: one string without dimensions.
func (z npz) format(name string) (string, error) {
	in, h, err := z.open(name)
	if err != nil {
		return "", err
	}
	defer in.close()
	var format string
	err = h.eachText(in, 1, func(text []byte) error {
		format = string(text)
		return nil
	})
	return format, err
}
