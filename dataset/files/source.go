package files

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"sync/atomic"

	"lapsvm/dataset"
)

const bufferSize = 1 << 18 // bytes read at a time

// source is an input, decompressed, with the place that its errors name and the
// memory that reading it may take.
type source struct {
	*bufio.Reader
	dataset.Origin
	file    io.ReaderAt   // random access to the input; nil unless it is an uncompressed file
	size    int64         // of file
	part    string        // of the file that is wanted; "" for what it has alone, or first
	whole   *bytes.Reader // the whole uncompressed input in memory; nil if it is not in memory
	read    *wholeFile    // the file itself, compressed or not; nil if the input is no file
	at      int64         // bytes read when the current rows were read; 0 if no reader runs ahead
	ahead   *bytes.Reader // bytes that were looked at and not yet read; may be nil
	skipped int64         // bytes of the file that were left out
	close   func()

	extent *extent // what one of several ranks reads; nil for all
	line   int     // lines before those that are read

	set   *fileSet // the table that the file is a part of; nil for one of its own
	place []int    // column of this file for each column of the table; nil if the order is the same

	unmarked bool // the text was in UTF-16 or UTF-32 by its mark, and is read as UTF-8

	cells bool // lines are the rows of a table of cells, whatever line ends these have

	comments *comments // nil where all lines are rows

	closed map[string]bool // keys of JSON objects, inside of whose values no columns are
}

// expect tells how many values a table will have of which so many have been read,
// as far into the file as that is; 0 where it is too early to tell.
func (s *source) expect(values int) int {
	done := s.at
	if done == 0 {
		done = s.done(s.Reader)
	}
	if s.read.before+done <= 16*bufferSize || s.read.all == 0 {
		return 0
	}
	const margin = 1.02
	return int(margin * float64(values) * (float64(s.read.all) / float64(s.read.before+done)))
}

// done returns how much of the file has been taken from the source, which in reads; 0
// where it is no file.
func (s *source) done(in *bufio.Reader) int64 {
	if s.read == nil {
		return 0
	}
	done := s.read.done.Load() - int64(in.Buffered())
	if s.ahead != nil {
		done -= int64(s.ahead.Len())
	}
	return done
}

// peek returns so many of the bytes to come, or all if they are fewer; they are still
// to be read.
func (s *source) peek(bytesAhead int) []byte {
	var head bytes.Buffer
	_, err := io.CopyN(&head, s.Reader, int64(bytesAhead))
	s.ahead = bytes.NewReader(head.Bytes())
	rest := io.Reader(s.Reader)
	if err != nil && err != io.EOF {
		rest = failed{err} // it comes again
	}
	s.Reader = bufio.NewReaderSize(io.MultiReader(s.ahead, rest), bufferSize)
	return head.Bytes()
}

// failed is a reader that fails.
type failed struct{ err error }

func (f failed) Read([]byte) (int, error) { return 0, f.err }

// all reads the rest of r into memory, in parts that double up to bufferSize.
func (s *source) all(r io.Reader) ([]byte, error) {
	var all, part []byte
	for {
		if len(part) < bufferSize {
			part = make([]byte, min(bufferSize, max(4096, 2*len(part))))
		}
		n, err := io.ReadFull(r, part)
		var full error
		if all, full = s.extend(all, part[:n], func() string { return "the unpacked file" }); full != nil {
			return nil, full
		}
		switch err {
		case nil:
		case io.EOF, io.ErrUnexpectedEOF:
			return all, nil
		default:
			return nil, err
		}
	}
}

// wholeFile is a file that is read from its start to its end. It tells progress,
// if not nil, how much of it has been read.
type wholeFile struct {
	*os.File
	size     int64
	done     atomic.Int64
	before   int64 // bytes of the files that are read before it
	all      int64 // of all files; 0 where that is unknown
	progress func(done, total int64)
}

// newWholeFile takes an open file; without a size it tells no progress.
func newWholeFile(f *os.File, progress func(done, total int64)) *wholeFile {
	w := &wholeFile{File: f}
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		w.size, w.all, w.progress = info.Size(), info.Size(), progress
	}
	return w
}

func (f *wholeFile) Read(b []byte) (int, error) {
	n, err := f.File.Read(b)
	f.read(n)
	return n, err
}

func (f *wholeFile) ReadAt(b []byte, at int64) (int, error) {
	n, err := f.File.ReadAt(b, at)
	f.read(n)
	return n, err
}

// read counts n bytes; what is read at any place may be read twice.
func (f *wholeFile) read(n int) {
	done := f.done.Add(int64(n))
	if f.progress != nil && f.all > 0 {
		f.progress(f.before+min(done, f.size), f.all)
	}
}

// open finds out how r is compressed, by its first bytes: a name that claims
// compression of data that has none is an error, the opposite is not. Empty
// input is an error. Reading may take so much memory, see Options.Memory, and goes on as
// check says, see [dataset.Origin.Check]. A decoder may read ahead in a goroutine of its own from here on.
func open(r io.Reader, name string, memory *dataset.Memory, check func(rows int) error) (*source, error) {
	src := &source{Origin: dataset.Origin{File: name, Memory: memory, Check: check}, close: func() {}}
	if f, ok := r.(*wholeFile); ok && f.size > 0 {
		src.read, src.Expect = f, src.expect
	}
	size := bufferSize
	if whole, is := r.(interface{ Len() int }); is { // as a bytes.Reader tells what is left of it
		size = min(size, whole.Len())
	}
	raw := bufio.NewReaderSize(checkedReader{r, src, unreadable}, size)
	src.Reader = raw
	magic, err := raw.Peek(6)
	if err != nil && err != io.EOF {
		return nil, err
	}
	claimed, claims := packed(name)
	how, is := packingOf(magic)
	switch {
	case len(magic) == 0:
		return nil, src.Errorf(0, 0, "the file is empty; check how it was made")
	case is:
		unpacked := checkedReader{nil, src, "the " + how.name + " data is damaged or cut off (%v); fetch or write the file again"}
		text, end, err := how.unpack(src, raw)
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return nil, unpacked.wrap(err)
		}
		if end == nil { // else it has goroutines of its own
			ahead := src.unpackAhead(text, func() {})
			text, end = ahead, func() { ahead.Close() }
		}
		src.close, unpacked.r = end, text
		src.Reader = bufio.NewReaderSize(unpacked, bufferSize)
	case claims:
		return nil, src.Errorf(0, 0, "is called %s but holds no %s data; fetch it again, or rename it without %[1]s", claimed.ending, claimed.name)
	default:
		if whole, is := r.(*bytes.Reader); is && int64(whole.Len())+int64(raw.Buffered()) == whole.Size() {
			src.whole = whole
		}
		if src.read != nil {
			src.file, src.size = src.read, src.read.size
		}
		return src, nil
	}
	if _, err := src.Peek(1); err == io.EOF {
		src.close()
		return nil, src.Errorf(0, 0, "the file holds no data once unpacked; check how it was made")
	}
	return src, nil
}

// Unpacked returns what a stream holds, unpacked as its first bytes tell. Text whose mark tells UTF-16 or UTF-32 becomes UTF-8. Its memory is counted; nil
// is no limit. An error of reading is a [*dataset.Error]. Call close once it has been read.
func Unpacked(r io.Reader, name string, memory *dataset.Memory) (text io.Reader, close func(), err error) {
	src, err := open(r, name, memory, nil)
	if err != nil {
		return nil, nil, err
	}
	if err := src.decodeMarked(); err != nil {
		src.close()
		return nil, nil, err
	}
	return src, src.close, nil
}

// random gives access to any place of the source: in the file where it is an
// uncompressed one, else in memory, into which all of it is read.
func (s *source) random() (io.ReaderAt, int64, error) {
	if s.file != nil {
		return s.file, s.size, nil
	}
	if s.whole != nil {
		return s.whole, s.whole.Size(), nil
	}
	all, err := s.all(s)
	if err != nil {
		return nil, 0, err
	}
	s.whole = bytes.NewReader(all)
	s.Reader = bufio.NewReaderSize(s.whole, bufferSize) // what was looked at is read once more
	s.ahead = nil
	return s.whole, s.whole.Size(), nil
}

// skip leaves out so many bytes: in a file they are not read.
func (s *source) skip(bytes int64) error {
	if s.file == nil {
		_, err := io.CopyN(io.Discard, s.Reader, bytes)
		return err // io.EOF where it ends before
	}
	at := s.size - s.left() + bytes
	rest := checkedReader{io.NewSectionReader(s.file, at, max(s.size-at, 0)), s, unreadable}
	s.Reader, s.ahead, s.skipped = bufio.NewReaderSize(rest, bufferSize), nil, at-s.read.done.Load()
	return nil
}

// left returns how many bytes of a file, which is not compressed, are still to be read.
func (s *source) left() int64 { return s.size - s.done(s.Reader) - s.skipped }

// inner returns the source of a part of the file, which r unpacks and whose size
// is claimed to be size bytes. The message says what is wrong where r fails, with
// one %v for the cause.
func (s *source) inner(part string, r io.Reader, size int, message string) *source {
	in := &source{Origin: dataset.Origin{File: s.File, Part: part, Rows: s.Rows, Memory: s.Memory, Own: s.Own, Ranks: s.Ranks, Decimal: s.Decimal, Guessed: s.Guessed, Declared: s.Declared, Check: s.Check}, extent: s.extent, line: s.line, set: s.set, closed: s.closed, close: func() {}}
	in.Reader = bufio.NewReaderSize(checkedReader{r, in, message}, min(size, 1<<16))
	return in
}

// unreadable is the message of a checkedReader of a file.
const unreadable = "cannot be read (%v); check the file and the disk"

// checkedReader turns every error of r but io.EOF into an *dataset.Error.
type checkedReader struct {
	r       io.Reader
	src     *source
	message string // with one %v for the cause
}

func (c checkedReader) Read(p []byte) (int, error) {
	if err := c.src.Going(0); err != nil { // however much of the file is no row
		return 0, err
	}
	n, err := c.r.Read(p)
	return n, c.wrap(err)
}

func (c checkedReader) wrap(err error) error {
	var dataErr *dataset.Error
	if err == nil || err == io.EOF || errors.As(err, &dataErr) {
		return err
	}
	e := c.src.Damagedf(c.message, cause(err)).(*dataset.Error)
	e.Err = err
	return e
}
