package modelfile

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"math"
	"os"
	"slices"

	"lapsvm/dataset"
	"lapsvm/internal/system/fault"
	"lapsvm/points"
)

// ReadFile reads the model file called path. Its errors name the file.
func ReadFile(path string) (*Contents, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: there is no such model file (%w)", path, fs.ErrNotExist)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, fault.Errorf("%s is a folder: name a model file", path)
	}
	size := unknown
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		size = info.Size()
	}
	c, err := read(f, size)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

// Read reads a model. It fails with [ErrNotModel] for another kind of file. Its error says so where
// the file comes from a later version, is cut short, or does not match its checksum. It also fails
// for parts that do not fit together and for numbers that are not finite. It never returns a part
// of a model.
//
// Memory grows with the bytes actually read, not with the claims of a damaged header. Where r has a
// method Size, as [bytes.Reader] and [io.SectionReader] have, a header that claims more is refused
// at once.
func Read(r io.Reader) (*Contents, error) {
	if whole, is := r.(interface{ Size() int64 }); is {
		return read(r, whole.Size())
	}
	return read(r, unknown)
}

// unknown is the size of what has no end before it is read.
const unknown int64 = -1

// read is Read with the size of the file, or unknown. With a known size, a header that claims more
// is refused, and memory for the rest is reserved at once.
func read(r io.Reader, size int64) (*Contents, error) {
	d := &decoder{r: bufio.NewReaderSize(r, 1<<16), sum: sha256.New(), size: size}
	h, err := d.header()
	if err != nil {
		return nil, err
	}
	c, err := h.contents()
	if err != nil {
		return nil, damaged(err)
	}
	basis, local, err := d.arrays(h, c)
	if err != nil {
		return nil, damaged(err)
	}
	if err := d.end(); err != nil {
		return nil, err
	}
	if c.Basis, err = basis(); err != nil {
		return nil, damaged(err)
	}
	if c.Origin, err = h.Origin.origin(h.Basis.Rows); err == nil {
		c.Local, err = local()
	}
	if err == nil {
		err = c.validate()
	}
	if err != nil {
		return nil, damaged(err)
	}
	return c, nil
}

// header reads what comes before the arrays. It fails for files of other kinds
// and versions, and for a header that no model can have.
func (d *decoder) header() (*header, error) {
	if got := d.bytes(len(magic)); string(got) != magic {
		if d.err != nil && !errors.Is(d.err, io.ErrUnexpectedEOF) {
			return nil, d.err
		}
		return nil, ErrNotModel
	}
	v := d.uint32()
	if d.err == nil && (v < 1 || v > version) {
		return nil, fault.Version.Errorf("the model is of format version %d, this program reads versions up to %d: use a newer lapsvm", v, version)
	}
	h := new(header)
	if err := d.json(int(d.uint32()), h); err != nil {
		return nil, err
	}
	for _, part := range h.Parts {
		if !part.Skip && !slices.Contains([]string{viewsPart, meanEachPart, cellsPart}, part.Name) {
			return nil, fault.Version.Errorf("the model has a part %q, which this program does not know and must not skip: use a newer lapsvm", part.Name)
		}
	}
	if h.Encoding != nil && (h.Encoding.Version < 1 || h.Encoding.Version > dataset.LatestVersion()) {
		return nil, fault.Version.Errorf("the model's encoding of columns is of version %d, this program reads versions up to %d: use a newer lapsvm", h.Encoding.Version, dataset.LatestVersion())
	}
	if h.Description != nil && (h.Description.Version < descriptionVersion || h.Description.Version > alignedVersion) {
		return nil, fault.Version.Errorf("the model's description of points is of version %d, this program reads versions up to %d: use a newer lapsvm", h.Description.Version, alignedVersion)
	}
	if err := h.validate(); err != nil {
		return nil, damaged(err)
	}
	if v != h.version() {
		return nil, damaged(fmt.Errorf("version %d of what version %d holds", v, h.version()))
	}
	if h.Calibration != nil && h.Calibration.Version != calibrationVersion {
		return nil, fault.Version.Errorf("the model's calibration is of version %d, this program reads version %d: use a newer lapsvm", h.Calibration.Version, calibrationVersion)
	}
	return h, nil
}

// contents returns what the header alone says of the model.
func (h *header) contents() (*Contents, error) {
	k, err := h.Kernel.kernel()
	if err != nil {
		return nil, err
	}
	c := &Contents{Kernel: k, Kind: h.kind(), Classes: h.Classes, Features: h.Features, Featureless: h.Featureless, Label: h.Label,
		Encoding: h.Encoding.encoding(), Image: h.Image.image(), Calibration: h.Calibration.calibration(), Each: h.Each.each(h.Held),
		Profile: h.Drift.profile(), Importance: h.Importance,
		Recipe: h.Recipe, Training: h.Training}
	c.Scaling.Kind = points.Standardise(h.Scaling)
	return c, nil
}

// arrays reads the numbers into c. The functions that it returns make the basis and
// what neighbours add, and are to be called once the checksum has been compared. Where
// the file is cut short, end says so.
func (d *decoder) arrays(h *header, c *Contents) (basis func() (*points.Points, error), local func() (*Local, error), err error) {
	switch c.Scaling.Kind {
	case "", points.AsIs, points.UnitNorm:
	case points.ZScore, points.MinMax, points.Columns:
		c.Scaling.Shift, c.Scaling.Factor = d.floats(h.Basis.Columns), d.floats(h.Basis.Columns)
		if c.Scaling.Kind == points.Columns {
			c.Scaling.Centre, c.Scaling.Width = d.floats(h.Basis.Columns), d.floats(h.Basis.Columns)
		}
	default:
		return nil, nil, fmt.Errorf("unknown standardisation %q", h.Scaling)
	}
	basis = d.scaled(h.Basis, &c.Scaling)
	for range h.Machines {
		c.Coefficients = append(c.Coefficients, d.floats(h.Basis.Rows))
	}
	c.Bias = d.floats(h.Machines)
	if h.LabelShares {
		if len(h.Origin.Labelled) > math.MaxInt/8/h.Basis.Rows {
			return nil, nil, errors.New("too many shares of labels")
		}
		for range h.Machines {
			c.LabelShares = append(c.LabelShares, d.floats(len(h.Origin.Labelled)*h.Basis.Rows))
		}
	}
	local = d.local(h.Local, h.Machines, &c.Scaling)
	c.Description = d.description(h.Description)
	c.Intervals = d.intervals(h.Intervals, h.Basis.Rows)
	c.Attachment = d.attachment(h.Attachment, h.Machines)
	for _, part := range h.Parts {
		switch part.Name {
		case cellsPart, meanEachPart:
			continue
		case viewsPart:
			if err := d.views(h, c); err != nil {
				return nil, nil, err
			}
			continue
		}
		d.skip(part.Bytes)
		c.Skipped = append(c.Skipped, part.Name)
	}
	return basis, local, nil
}

// scaled is points for a table that is stored as it was before a scaling, or not.
func (d *decoder) scaled(h basisHeader, s *points.Scaling) func() (*points.Points, error) {
	stored := d.points(h)
	if !h.Unscaled {
		return stored
	}
	return func() (*points.Points, error) {
		p, err := stored()
		if err != nil {
			return nil, err
		}
		return s.Apply(p), nil
	}
}

// end reads the checksum of all that has been read, and nothing after it.
func (d *decoder) end() error {
	want := d.sum.Sum(nil)
	got := d.bytes(sha256.Size)
	if d.err != nil {
		return d.failure()
	}
	if !slices.Equal(got, want) {
		return damaged(errors.New("its checksum does not match"))
	}
	if _, err := d.r.ReadByte(); err != io.EOF {
		return damaged(errors.New("it goes on after its end"))
	}
	return nil
}

func damaged(err error) error {
	return fault.Damaged.Errorf("the model file is damaged (%w): copy it again or train anew", err)
}

// decoder reads values until the first error, which it keeps.
type decoder struct {
	r    *bufio.Reader
	sum  hash.Hash
	size int64 // that is left to read, where it is known
	err  error
}

// failure words the error that ended the reading.
func (d *decoder) failure() error {
	if errors.Is(d.err, io.ErrUnexpectedEOF) {
		return fault.Damaged.Errorf("the model file is cut short: copy it again or train anew")
	}
	return d.err
}

// reserve returns how many of n values to allocate at once, of width bytes each. It is all of them
// where the file is long enough, and a few where its size is unknown. Where the file is too short
// it is 0, with an error. So a wrong n costs no memory.
func (d *decoder) reserve(n, width int) int {
	switch {
	case d.size == unknown:
		return max(min(n, 1<<16/width), 0)
	case n > int(d.size)/width:
		d.err = io.ErrUnexpectedEOF
		return 0
	}
	return max(n, 0)
}

// bytes reads n bytes.
func (d *decoder) bytes(n int) []byte {
	b := make([]byte, 0, d.reserve(n, 1))
	for len(b) < n && d.err == nil {
		from := len(b)
		b = slices.Grow(b, min(n-from, 1<<16))
		b = b[:from+min(n-from, 1<<16)]
		if _, err := io.ReadFull(d.r, b[from:]); err != nil {
			d.err = err
			if err == io.EOF {
				d.err = io.ErrUnexpectedEOF
			}
		}
		if d.sum.Write(b[from:]); d.size != unknown {
			d.size = max(d.size-int64(len(b)-from), 0)
		}
	}
	return b
}

// skip passes over n bytes.
func (d *decoder) skip(n int) {
	for n > 0 && d.err == nil {
		n -= len(d.bytes(min(n, 1<<16)))
	}
}

// json reads n bytes of JSON into a value. It fails at the first byte that is no JSON, before it
// takes memory for the rest.
func (d *decoder) json(n int, to any) error {
	if d.size != unknown && int64(n) > d.size {
		d.err = io.ErrUnexpectedEOF
	}
	if d.err != nil {
		return d.failure()
	}
	in := &io.LimitedReader{R: d.r, N: int64(n)}
	text := json.NewDecoder(io.TeeReader(in, d.sum))
	err := text.Decode(to)
	if err == nil {
		if _, err = text.Token(); err == io.EOF && in.N == 0 {
			if d.size != unknown {
				d.size -= int64(n)
			}
			return nil
		}
		err = cmp.Or(err, errors.New("something follows the header"))
	}
	switch {
	case in.N == 0 || errors.As(err, new(*json.SyntaxError)) || errors.As(err, new(*json.UnmarshalTypeError)):
		return damaged(err)
	case err == io.EOF:
		err = io.ErrUnexpectedEOF
	}
	d.err = err
	return d.failure()
}

func (d *decoder) uint32() uint32 {
	b := d.bytes(4)
	if d.err != nil {
		return 0
	}
	return binary.LittleEndian.Uint32(b)
}

// floats reads n values.
func (d *decoder) floats(n int) []float64 {
	x := make([]float64, 0, d.reserve(n, 8))
	for len(x) < n && d.err == nil {
		b := d.bytes(8 * min(n-len(x), 1<<13))
		for ; len(b) >= 8; b = b[8:] {
			x = append(x, math.Float64frombits(binary.LittleEndian.Uint64(b)))
		}
	}
	return x
}

// singles reads n values of float32.
func (d *decoder) singles(n int) []float32 {
	x := make([]float32, 0, d.reserve(n, 4))
	for len(x) < n && d.err == nil {
		b := d.bytes(4 * min(n-len(x), 1<<14))
		for ; len(b) >= 4; b = b[4:] {
			x = append(x, math.Float32frombits(binary.LittleEndian.Uint32(b)))
		}
	}
	return x
}

// points reads a table. It returns a function that makes it, to be called once
// the checksum has been compared.
func (d *decoder) points(h basisHeader) func() (*points.Points, error) {
	if !h.Sparse {
		if h.Columns > 0 && h.Rows > math.MaxInt/8/h.Columns {
			d.err = io.ErrUnexpectedEOF
			return nil
		}
		switch storage, _ := h.storage(); storage {
		case points.Float32:
			values := d.singles(h.Rows * h.Columns)
			return func() (*points.Points, error) { return points.Dense32(h.Rows, h.Columns, values), nil }
		case points.Uint8:
			values := d.bytes(h.Rows * h.Columns)
			return func() (*points.Points, error) { return points.DenseBytes(h.Rows, h.Columns, values), nil }
		}
		values := d.floats(h.Rows * h.Columns)
		return func() (*points.Points, error) { return points.Dense(h.Rows, h.Columns, values), nil }
	}
	start := []int{0}
	for range h.Rows {
		b := d.bytes(8)
		if d.err != nil {
			return nil
		}
		length := binary.LittleEndian.Uint64(b)
		if length > uint64(h.Stored-start[len(start)-1]) {
			d.err = damaged(errors.New("rows longer than the table"))
			return nil
		}
		start = append(start, start[len(start)-1]+int(length))
	}
	if start[h.Rows] != h.Stored {
		d.err = damaged(errors.New("rows shorter than the table"))
		return nil
	}
	var index []int32
	for range h.Stored {
		if d.err != nil {
			return nil
		}
		index = append(index, int32(d.uint32()))
	}
	value := d.floats(h.Stored)
	return func() (*points.Points, error) {
		for i := range h.Rows {
			last := int32(-1)
			for _, j := range index[start[i]:start[i+1]] {
				if j <= last || int(j) >= h.Columns {
					return nil, fmt.Errorf("row %d has the column %d after %d", i, j, last)
				}
				last = j
			}
		}
		return points.CSR(h.Columns, start, index, value), nil
	}
}
