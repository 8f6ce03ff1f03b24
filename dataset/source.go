package dataset

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"lapsvm/internal/huge"
	"lapsvm/internal/size"
)

const (
	bufferSize = 1 << 18 // bytes read at a time
	maxLine    = 1 << 28 // bytes of one line, or of one quoted field
	maxWindow  = 1 << 27 // bytes of history that zstd data may ask for

	byteOrderMark = "\xef\xbb\xbf"
)

// compression returns the ending of a file's name that tells how it is
// compressed: ".gz", ".zst" or "".
func compression(name string) string {
	name = strings.ToLower(name)
	for _, ending := range []string{".gz", ".zst"} {
		if strings.HasSuffix(name, ending) {
			return ending
		}
	}
	return ""
}

// source is an input, decompressed, with the name that its errors carry.
type source struct {
	*bufio.Reader
	name string
	part string      // of the file, such as one of its arrays; may be ""
	rows rowPlace    // how errors of a table tell where a field is
	file io.ReaderAt // the same bytes at any place, where they are an uncompressed file
	size int64       // of file
	read *wholeFile  // what is read, unpacked or not; nil where it is no file
	*budget
	close func()
}

// budget is the memory that what is read of a file may take.
type budget struct{ most, taken int64 } // bytes; most = 0 is no limit

// take counts bytes that are about to be taken, and fails where they are too many.
func (s *source) take(bytes int) error {
	if s.taken += int64(bytes); s.most == 0 || s.taken <= s.most {
		return nil
	}
	return s.errorf(0, 0, "reading takes more than the %s of memory that may be used; take fewer rows or columns, or allow more memory", size.Text(2*s.most))
}

// grow returns values with room for more of them. Once enough of the file has
// been read to tell how many there will be it makes room for all: what grows by
// and by is copied again and again.
func (s *source) grow(values []float64, more int) []float64 {
	if len(values)+more <= cap(values) {
		return values
	}
	if s.read != nil {
		if done := s.read.done.Load() - int64(s.Buffered()); done > 16*bufferSize {
			const margin = 1.02
			all := int(margin * float64(len(values)) * (float64(s.read.size) / float64(done)))
			if s.most > 0 {
				all = min(all, int(s.most/8)) // more is not to come
			}
			grown := make([]float64, len(values), max(all, len(values)+len(values)/8+more))
			huge.Prepare(grown[:cap(grown)])
			copy(grown, values)
			return grown
		}
	}
	return slices.Grow(values, more)
}

// all reads the rest into memory.
func (s *source) all(r io.Reader) ([]byte, error) {
	var b bytes.Buffer
	for {
		n, err := io.CopyN(&b, r, bufferSize)
		if full := s.take(int(n)); full != nil {
			return nil, full
		}
		if err == io.EOF {
			return b.Bytes(), nil
		}
		if err != nil {
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
	progress func(done, of int64)
}

// newWholeFile takes an open file; without a size it tells no progress.
func newWholeFile(f *os.File, progress func(done, of int64)) *wholeFile {
	w := &wholeFile{File: f}
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		w.size, w.progress = info.Size(), progress
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
	if f.progress != nil {
		f.progress(min(done, f.size), f.size)
	}
}

// open finds out how r is compressed, by its first bytes: a name that claims
// compression of data that has none is an error, the opposite is not. Empty
// input is an error.
func open(r io.Reader, name string) (*source, error) {
	src := &source{name: name, budget: new(budget), close: func() {}}
	if f, ok := r.(*wholeFile); ok && f.size > 0 {
		src.read = f
	}
	raw := bufio.NewReaderSize(checkedReader{r, src, "cannot be read (%v); check the file and the disk"}, bufferSize)
	magic, err := raw.Peek(4)
	if err != nil && err != io.EOF {
		return nil, err
	}
	const damaged = "the %s data is damaged or cut off (%%v); fetch or write the file again"
	claimed := compression(name)
	switch {
	case len(magic) == 0:
		return nil, src.errorf(0, 0, "the file is empty; check how it was made")
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		unpacked := checkedReader{nil, src, fmt.Sprintf(damaged, "gzip")}
		z, err := gzip.NewReader(raw)
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return nil, unpacked.wrap(err)
		}
		unpacked.r = z
		src.Reader = bufio.NewReaderSize(unpacked, bufferSize)
	case bytes.Equal(magic, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		unpacked := checkedReader{nil, src, fmt.Sprintf(damaged, "zstd")}
		z, err := zstd.NewReader(raw, zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, unpacked.wrap(err)
		}
		unpacked.r, src.close = z, z.Close
		src.Reader = bufio.NewReaderSize(unpacked, bufferSize)
	case claimed == ".gz":
		return nil, src.errorf(0, 0, "is called .gz but holds no gzip data; fetch it again, or rename it without .gz")
	case claimed == ".zst":
		return nil, src.errorf(0, 0, "is called .zst but holds no zstd data; fetch it again, or rename it without .zst")
	default:
		src.Reader = raw
		if src.read != nil {
			src.file, src.size = src.read, src.read.size
		}
		return src, nil
	}
	if _, err := src.Peek(1); err == io.EOF {
		src.close()
		return nil, src.errorf(0, 0, "the file holds no data once unpacked; check how it was made")
	}
	return src, nil
}

// rowPlace says how an error names the place of a field of a table.
type rowPlace int

const (
	byLineAndColumn rowPlace = iota // text tables
	byLine                          // JSON lines, whose columns are keys
	byRow                           // Parquet
)

// fieldErrorf returns an *Error for a field: its row is a line of a text file,
// or else counts from 1; c is its column, and header the columns' names, if any.
func (s *source) fieldErrorf(row, c int, header []string, message string, args ...any) error {
	msg := fmt.Sprintf(message, args...)
	if header != nil {
		msg = fmt.Sprintf("column %q: %s", header[c], msg)
	}
	switch s.rows {
	case byLine:
		return s.errorf(row, 0, "%s", msg)
	case byRow:
		return s.errorf(0, 0, "row %d, %s", row, msg)
	}
	return s.errorf(row, c+1, "%s", msg)
}

// errorf returns an *Error in this source. The message is formatted by args.
func (s *source) errorf(line, col int, message string, args ...any) error {
	msg := fmt.Sprintf(message, args...)
	if s.part != "" {
		msg = s.part + ": " + msg
	}
	return &Error{File: s.name, Line: line, Col: col, Msg: msg}
}

// random gives access to any place of the source: in the file where it is an
// uncompressed one, else in memory, into which all of it is read.
func (s *source) random() (io.ReaderAt, int64, error) {
	if s.file != nil {
		return s.file, s.size, nil
	}
	all, err := s.all(s)
	if err != nil {
		return nil, 0, err
	}
	return bytes.NewReader(all), int64(len(all)), nil
}

// inner returns the source of a part of the file, which r unpacks and whose size
// is claimed to be size bytes. The message says what is wrong where r fails, with
// one %v for the cause.
func (s *source) inner(part string, r io.Reader, size int, message string) *source {
	in := &source{name: s.name, part: part, budget: s.budget, close: func() {}}
	in.Reader = bufio.NewReaderSize(checkedReader{r, in, message}, min(size, 1<<16))
	return in
}

// checkedReader turns every error of r but io.EOF into an *Error.
type checkedReader struct {
	r       io.Reader
	src     *source
	message string // with one %v for the cause
}

func (c checkedReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	return n, c.wrap(err)
}

func (c checkedReader) wrap(err error) error {
	var known *Error
	if err == nil || err == io.EOF || errors.As(err, &known) {
		return err
	}
	e := c.src.errorf(0, 0, c.message, cause(err)).(*Error)
	e.Err = err
	return e
}

// lines reads a source line by line.
type lines struct {
	src  *source
	n    int    // number of the line last returned, from 1
	long []byte // a line longer than the buffer
}

// next returns the next line with its end; a byte-order mark before the first
// line is left out. The line is valid until the next call. After the last line
// the error is io.EOF.
func (l *lines) next() ([]byte, error) {
	line, err := l.src.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		l.long = append(l.long[:0], line...)
		for err == bufio.ErrBufferFull {
			line, err = l.src.ReadSlice('\n')
			l.long = append(l.long, line...)
			if len(l.long) > maxLine {
				return nil, l.src.errorf(l.n+1, 0, "the line is longer than %d MiB; check that this is a text file with line ends", maxLine>>20)
			}
		}
		line = l.long
	}
	if err != nil && err != io.EOF {
		return nil, err
	}
	if len(line) == 0 {
		return nil, io.EOF
	}
	l.n++
	if l.n == 1 {
		if bytes.HasPrefix(line, []byte("\xff\xfe")) || bytes.HasPrefix(line, []byte("\xfe\xff")) {
			return nil, l.src.errorf(1, 1, "the text is UTF-16; save it as UTF-8")
		}
		line = bytes.TrimPrefix(line, []byte(byteOrderMark))
	}
	return line, nil
}

// chomp returns a line without its end, LF or CRLF.
func chomp(line []byte) []byte {
	line = bytes.TrimSuffix(line, []byte("\n"))
	return bytes.TrimSuffix(line, []byte("\r"))
}
