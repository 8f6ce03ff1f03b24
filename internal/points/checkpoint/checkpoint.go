// Package checkpoint keeps results computed from points in a folder, so that they need not be
// computed again. Each part has a file, written aside, synced and renamed, with its settings and a
// checksum. Ranks that share the points each keep their own parts.
package checkpoint

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"lapsvm/internal/ranks/comm"
	"lapsvm/internal/system/atomicfile"
	"lapsvm/points"
)

// Folder is where parts of one table of points are kept.
type Folder struct {
	path   string
	ranks  *comm.Comm
	points string // hash
	notes  []string
}

// Open returns the folder called path for p, and makes it where it is not there. Ranks that share
// the points open it together, each with its own points, and read and write parts together; a
// process alone has c nil. It fails where the folder cannot be made, and when ctx is done. Cost:
// one pass over the points.
func Open(ctx context.Context, c *comm.Comm, path string, p *points.Points) (*Folder, error) {
	if err := os.MkdirAll(path, 0o777); err != nil {
		return nil, fmt.Errorf("the folder for checkpoints: %w", err)
	}
	f := &Folder{path: path, ranks: c}
	var err error
	if f.points, err = hashOf(ctx, p); err != nil || c.Alone() {
		return f, err
	}
	// What a rank keeps may follow from the points of all.
	all, err := c.Gather(ctx, []byte(f.points))
	sum := sha256.Sum256(bytes.Join(all, nil))
	f.points = hex.EncodeToString(sum[:])
	return f, err
}

// Path returns that of the folder.
func (f *Folder) Path() string { return f.path }

// Notes returns what became of the parts, in words, one after the other; of no folder, nil,
// nothing.
func (f *Folder) Notes() []string {
	if f == nil {
		return nil
	}
	return f.notes
}

// hashOf returns a hash of the values of points, as they are stored and scaled.
func hashOf(ctx context.Context, p *points.Points) (string, error) {
	sum := sha256.New()
	w := &writer{ctx: ctx, w: sum}
	fmt.Fprintf(w, "%d×%d %v %t\n", p.Len(), p.Dim(), p.Storage(), p.Sparse())
	if p.Sparse() {
		for i := range p.Len() {
			index, value := p.SparseRow(i)
			w.int32s([]int32{int32(len(index))})
			w.int32s(index)
			w.float64s(value)
		}
		err := w.flush()
		return hex.EncodeToString(sum.Sum(nil)), err
	}
	stored, by := p.AsStored()
	fmt.Fprintln(w, by.Kind)
	for _, values := range [][]float64{by.Shift, by.Factor, by.Centre, by.Width} {
		w.float64s(values)
		fmt.Fprintln(w)
	}
	var row []byte
	for i := range stored.Len() {
		row = stored.AppendStored(row[:0], i)
		_, _ = w.Write(row) // the error is kept
	}
	err := w.flush()
	return hex.EncodeToString(sum.Sum(nil)), err
}

// A file begins with these bytes, the version, the length of the header and its text;
// then the SHA-256 of all that, the numbers, and the SHA-256 of these.
const (
	magic   = "lapsvm checkpoint\n"
	version = 1
	// longestHeader bounds what a damaged length has read.
	longestHeader = 1 << 24
)

// header says what a file is of.
type header struct {
	Part     string          `json:"part"`
	Points   string          `json:"points"` // hash, of ranks that of all
	Rank     int             `json:"rank,omitempty"`
	Ranks    int             `json:"ranks,omitempty"` // 0 of one process
	Settings json.RawMessage `json:"settings"`        // what it was made by
	Contents json.RawMessage `json:"contents"`        // numbers beside those that follow
	Bytes    int64           `json:"bytes"`           // of the numbers that follow
}

// Part is something that is kept.
type Part struct {
	Name     string // of the file, and in words
	Settings any    // all that it follows from beside the points, as JSON
	Contents any    // what is kept as JSON: a pointer, which [Folder.Read] fills
}

// file returns the name of the file of a part: of ranks but the first with their number.
func (f *Folder) file(p Part) string {
	name := p.Name
	if r := f.ranks.Rank(); r > 0 {
		name = fmt.Sprintf("%s.%d", name, r)
	}
	return filepath.Join(f.path, name+".checkpoint")
}

// Write keeps a part with its numbers: slices of int32, float32 and float64. Files of ranks take
// the place of earlier ones once all have written theirs. It fails when ctx is done, and where a
// file cannot be written; the old file then stays.
func (f *Folder) Write(ctx context.Context, p Part, numbers ...any) error {
	h := header{Part: p.Name, Points: f.points}
	if !f.ranks.Alone() {
		h.Rank, h.Ranks = f.ranks.Rank(), f.ranks.Size()
	}
	var err error
	if h.Settings, err = json.Marshal(p.Settings); err != nil {
		return err
	}
	if h.Contents, err = json.Marshal(p.Contents); err != nil {
		return err
	}
	for _, slice := range numbers {
		h.Bytes += int64(binary.Size(slice))
	}
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	return atomicfile.Write(f.file(p), func(to io.Writer) error {
		head := append([]byte(magic), binary.LittleEndian.AppendUint32(nil, version)...)
		head = append(binary.LittleEndian.AppendUint32(head, uint32(len(text))), text...)
		sum := sha256.Sum256(head)
		if _, err := to.Write(append(head, sum[:]...)); err != nil {
			return err
		}
		all := sha256.New()
		w := &writer{ctx: ctx, w: io.MultiWriter(to, all)}
		for _, slice := range numbers {
			switch slice := slice.(type) {
			case []int32:
				w.int32s(slice)
			case []float32:
				w.float32s(slice)
			case []float64:
				w.float64s(slice)
			default:
				panic(fmt.Sprintf("checkpoint: numbers of type %T", slice))
			}
		}
		if err := w.flush(); err != nil {
			return err
		}
		if _, err := to.Write(all.Sum(nil)); err != nil {
			return err
		}
		return f.ranks.Sum(ctx, make([]float64, 1)) // the others are as far
	})
}

// found is what there is of a part in the folder.
type found int

const (
	fits found = iota
	missing
	ofOtherSettings
	ofOtherPoints
)

// Read fills the contents of a part and then the slices that numbers returns, whose
// lengths it may take from the contents. It is false where there is none, or one of other
// points or settings, of ranks on any of them: to be made anew. It fails for a file that is
// damaged, of a later version or of another number of ranks, naming it, and when ctx is
// done; numbers are then of no use.
func (f *Folder) Read(ctx context.Context, p Part, numbers func() ([]any, error)) (bool, error) {
	path := f.file(p)
	file, h, size, is, err := f.find(path, p)
	if err != nil {
		return false, err
	}
	if file != nil {
		defer file.Close()
	}
	if fit, err := f.agree(ctx, p, is); err != nil || !fit {
		return false, err
	}
	if err := json.Unmarshal(h.Contents, p.Contents); err != nil {
		return false, damaged(path, err)
	}
	to, err := numbers()
	if err != nil {
		return false, err
	}
	bytes := int64(0)
	for _, slice := range to {
		bytes += int64(binary.Size(slice))
	}
	if info, err := file.Stat(); err != nil || bytes != h.Bytes || info.Size() != size+bytes+sha256.Size {
		return false, damaged(path, errors.New("it has another length than it should"))
	}
	if err := readNumbers(ctx, file, to); err != nil {
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		return false, damaged(path, err)
	}
	return true, nil
}

// find opens the file of a part, reads its header, and tells whether it is the part that
// is sought.
func (f *Folder) find(path string, p Part) (file *os.File, h header, size int64, is found, err error) {
	if file, err = os.Open(path); errors.Is(err, fs.ErrNotExist) {
		return nil, h, 0, missing, nil
	}
	if err != nil {
		return nil, h, 0, is, fmt.Errorf("the checkpoint: %w: choose another folder", err)
	}
	if h, size, err = readHeader(file); err == nil && h.Part != p.Name {
		err = fmt.Errorf("it holds the %s", h.Part)
	}
	if err != nil {
		file.Close()
		return nil, h, 0, is, damaged(path, err)
	}
	if ranks := max(h.Ranks, 1); ranks != f.ranks.Size() {
		file.Close()
		return nil, h, 0, is, fmt.Errorf("the checkpoint %s is of %s, and this is a training of %s: start as many, or choose another folder", path, processes(ranks), processes(f.ranks.Size()))
	}
	settings, err := json.Marshal(p.Settings)
	switch {
	case h.Points != f.points || h.Rank != f.ranks.Rank():
		is = ofOtherPoints
	case !bytes.Equal(h.Settings, settings):
		is = ofOtherSettings
	}
	return file, h, size, is, err
}

func processes(n int) string {
	if n == 1 {
		return "one process"
	}
	return fmt.Sprintf("%d ranks", n)
}

// agree has all ranks take a part if it fits on all, else none, and records the outcome.
func (f *Folder) agree(ctx context.Context, p Part, is found) (bool, error) {
	all := []float64{float64(is), -float64(is)}
	if err := f.ranks.Max(ctx, all); err != nil {
		return false, err
	}
	switch worst, best := found(all[0]), found(-all[1]); {
	case worst == fits:
		f.tell("%s as they were kept", p.Name)
	case worst == missing && best == fits:
		f.tell("%s made anew, as those of some ranks are missing", p.Name)
	case worst == missing:
		f.tell("%s made", p.Name)
	case worst == ofOtherSettings:
		f.tell("%s made anew, as those kept are by other settings", p.Name)
	default:
		f.tell("%s made anew, as those kept are of other points", p.Name)
	}
	return all[0] == float64(fits), nil
}

func (f *Folder) tell(format string, args ...any) {
	f.notes = append(f.notes, fmt.Sprintf(format, args...))
}

// damaged returns the error for a file that cannot be used.
func damaged(path string, err error) error {
	return fmt.Errorf("the checkpoint %s cannot be used, as %w: delete it, and what it held is computed anew", path, err)
}

// readHeader reads up to the numbers, and tells how long that is.
func readHeader(r io.Reader) (h header, size int64, err error) {
	fixed := make([]byte, len(magic)+8)
	if _, err := io.ReadFull(r, fixed); err != nil || string(fixed[:len(magic)]) != magic {
		return h, 0, errors.New("it does not begin as one does")
	}
	if v := binary.LittleEndian.Uint32(fixed[len(magic):]); v > version {
		return h, 0, fmt.Errorf("it is of the version %d, and this program knows up to %d", v, version)
	}
	length := binary.LittleEndian.Uint32(fixed[len(magic)+4:])
	if length > longestHeader {
		return h, 0, errors.New("its header is too long")
	}
	text := make([]byte, int(length)+sha256.Size)
	if _, err := io.ReadFull(r, text); err != nil {
		return h, 0, errors.New("it is cut short")
	}
	text, sum := text[:length], text[length:]
	if want := sha256.Sum256(append(fixed, text...)); !bytes.Equal(sum, want[:]) {
		return h, 0, errors.New("the checksum of its header is wrong")
	}
	if err := json.Unmarshal(text, &h); err != nil {
		return h, 0, err
	}
	return h, int64(len(fixed)) + int64(length) + sha256.Size, nil
}

// readNumbers fills slices, and checks the sum that follows.
func readNumbers(ctx context.Context, r io.Reader, to []any) error {
	sum := sha256.New()
	in := &reader{ctx: ctx, r: r, sum: sum}
	for _, slice := range to {
		switch slice := slice.(type) {
		case []int32:
			in.int32s(slice)
		case []float32:
			in.float32s(slice)
		case []float64:
			in.float64s(slice)
		default:
			panic(fmt.Sprintf("checkpoint: numbers of type %T", slice))
		}
	}
	if in.err != nil {
		return in.err
	}
	want := make([]byte, sha256.Size)
	if _, err := io.ReadFull(r, want); err != nil {
		return err
	}
	if !bytes.Equal(want, sum.Sum(nil)) {
		return errors.New("its checksum is wrong")
	}
	return nil
}
