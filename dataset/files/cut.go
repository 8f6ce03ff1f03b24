package files

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"

	"lapsvm/dataset"
)

// cut says between which bytes a file is cut for ranks that read it together.
type cut int

// The ways to cut files.
const (
	uncut      cut = iota // not at all: all ranks read it, or of several files one
	cutLines              // behind line ends
	cutRecords            // behind line ends that are in no quotes
	cutRows               // between rows whose number is known
)

// extent is what a rank reads of a file.
type extent struct {
	cut
	from, to int64 // bytes; of cutRows they tell the share of the rows
	size     int64 // bytes of the file
	line     int   // lines before from
	packed   bool  // bytes are those of the unpacked text
}

// rows returns which of n rows the extent has.
func (e *extent) rows(n int) (from, to int) {
	at := func(byte int64) int { return int(float64(n) * (float64(byte) / float64(e.size))) }
	return at(e.from), at(e.to)
}

// extents returns the extent of each file that this rank reads, nil for a file it does not read.
// The ranks divide the bytes of all files, one file after another, into equal parts in the order
// of the ranks. All ranks read a single file that is not divided. A file that cannot be opened is
// an error on all ranks. Cost: one rank searches each byte of a divided file for line ends.
func (o Options) extents(paths []string) ([]*extent, error) {
	own, counts, err := o.ownExtents(paths)
	if _, err := o.Ranks.Settle(0, err); err != nil {
		return nil, err
	}
	all, err := dataset.All(o.Ranks, counts)
	if err != nil {
		return nil, err
	}
	for k, e := range own {
		if e == nil || e.from == e.to || e.packed || e.cut != cutLines && e.cut != cutRecords {
			continue
		}
		var parts []lineCount
		for _, c := range slices.Concat(all...) {
			if c.File == k {
				parts = append(parts, c)
			}
		}
		at := slices.IndexFunc(parts, func(c lineCount) bool { return c.From == e.from })
		e.from, e.line = begin(parts, at, e.size)
		e.to, _ = begin(parts, at+1, e.size)
	}
	return own, nil
}

// ownExtents cuts files by their bytes alone, and counts the lines of what is to be cut behind
// them.
func (o Options) ownExtents(paths []string) (own []*extent, counts []lineCount, err error) {
	sizes := make([]int64, len(paths))
	all := int64(0)
	for k, path := range paths {
		if isFolder(path) { // of images, which are dealt as rows
			continue
		}
		f, err := openFile(path)
		if err != nil {
			return nil, nil, err
		}
		sizes[k] = newWholeFile(f, nil).size
		f.Close()
		all += sizes[k]
	}
	ranks, rank := int64(o.Ranks.Size()), int64(o.Ranks.Rank())
	first, last := all/ranks*rank+all%ranks*rank/ranks, all/ranks*(rank+1)+all%ranks*(rank+1)/ranks
	own = make([]*extent, len(paths))
	begin := int64(0) // of the file
	for k, size := range sizes {
		e := &extent{from: min(max(first-begin, 0), size), to: min(max(last-begin, 0), size), size: size}
		starts := first <= begin && begin < last || begin == all && last == all && first < all
		begin += size
		if e.from == e.to && !starts && len(paths) > 1 {
			continue
		}
		count, err := o.cutFile(paths[k], e, len(paths) == 1)
		if err != nil {
			return nil, nil, err
		}
		switch {
		case e.cut == uncut && len(paths) > 1 && !starts:
			continue
		case e.cut == uncut:
			e.from, e.to = 0, size
		case e.from < e.to && e.cut != cutRows && !e.packed:
			count.File = k
			counts = append(counts, count)
		}
		own[k] = e
	}
	return own, counts, nil
}

// cutFile finds out how a file may be cut, which may be the only one, and counts the lines of
// the extent.
func (o Options) cutFile(path string, e *extent, only bool) (lineCount, error) {
	form, err := formatFor(o.Format, path)
	if o.Format != "" && err != nil {
		return lineCount{}, err
	}
	if form.readPath != nil || isFolder(path) {
		return lineCount{}, nil
	}
	f, err := openFile(path)
	if err != nil {
		return lineCount{}, err
	}
	defer f.Close()
	src, err := open(newWholeFile(f, nil), path, dataset.NewMemory(o.Memory), o.Check)
	if err != nil {
		return lineCount{}, err
	}
	defer src.close()
	if form.Name == "" {
		form = src.binary()
	}
	if src.isZip() && form.inZip == nil || (form.Name == "" || form.text) && (o.SkipLines > 0 || src.recoded(o) || src.saysSeparator()) {
		return lineCount{}, nil
	}
	if form.Name == "" {
		if form, err = src.look(); err != nil {
			return lineCount{}, err
		}
	}
	if form.cut == nil {
		return lineCount{}, nil
	}
	head, _ := src.Peek(src.Size()) // an error comes again
	switch e.cut = form.cut(head, o); {
	case e.cut == uncut || e.cut == cutRows:
		return lineCount{}, nil
	case src.file == nil && only:
		return lineCount{}, e.cutUnpacked(src.Reader, o.Ranks)
	case src.file == nil:
		e.cut = uncut
		return lineCount{}, nil
	}
	count, _, err := countLines(io.NewSectionReader(f, e.from, e.to-e.from), e.from, e.cut == cutRecords)
	if err != nil {
		return count, src.Errorf(0, 0, unreadable, cause(err))
	}
	return count, nil
}

// cutUnpacked cuts a compressed text, which each rank unpacks once to count its lines, and once
// more to read its part.
func (e *extent) cutUnpacked(text io.Reader, ranks *dataset.Ranks) error {
	const size = 1 << 20 // of parts of which the ranks have as many each
	var parts []lineCount
	e.size, e.packed = 0, true
	for {
		part, length, err := countLines(io.LimitReader(text, size), e.size, e.cut == cutRecords)
		if err != nil {
			return err
		}
		if length == 0 {
			break
		}
		parts = append(parts, part)
		e.size += length
	}
	from, to := ranks.Part().Range(len(parts)).Between(len(parts))
	e.from, e.line = begin(parts, from, e.size)
	e.to, _ = begin(parts, to, e.size)
	return nil
}

// lineCount is what has to be known of a part of a text to cut it behind a record.
type lineCount struct {
	File   int
	From   int64
	Lines  int  // line ends
	Quoted bool // there is an odd number of quotes
	Breaks [2]lineBreak
}

// lineBreak is the first place behind a line end that is in no quotes, where the part begins
// outside of quotes, or inside.
type lineBreak struct {
	At    int64
	Lines int // before it, 0 where there is no such place
}

// countLines counts the lines of a part of a text that begins at a byte, and its bytes.
func countLines(text io.Reader, from int64, quotes bool) (c lineCount, length int64, err error) {
	buffer := make([]byte, 1<<18)
	c.From = from
	inside, at := 0, from // of quotes, where the part begins outside
	for {
		n, err := io.ReadFull(text, buffer)
		for part := buffer[:n]; len(part) > 0; {
			end := -1
			if quotes {
				end = bytes.IndexByte(part, '"')
			}
			plain := part
			if end >= 0 {
				plain = part[:end]
			}
			if b := &c.Breaks[inside]; b.Lines == 0 {
				if k := bytes.IndexByte(plain, '\n'); k >= 0 {
					*b = lineBreak{at + int64(k) + 1, c.Lines + 1}
				}
			}
			c.Lines += bytes.Count(plain, []byte{'\n'})
			if end >= 0 {
				inside = 1 - inside
				plain = part[:end+1]
			}
			at, part = at+int64(len(plain)), part[len(plain):]
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			c.Quoted = inside == 1
			return c, at - from, nil
		}
		if err != nil {
			return c, 0, err
		}
	}
}

// begin returns where the records of a part of a text begin, of all of which line ends have been
// counted, and the lines before; at is the part. A record is of the part in which the one
// before it ends; the first of all, of the first.
func begin(parts []lineCount, at int, size int64) (from int64, line int) {
	if at == 0 {
		return 0, 0
	}
	inside := 0
	for k, c := range parts {
		if b := c.Breaks[inside]; k >= at && b.Lines > 0 {
			return b.At, line + b.Lines
		}
		line += c.Lines
		if c.Quoted {
			inside = 1 - inside
		}
	}
	return size, line
}

// narrow limits the source to the records of a text that this rank reads. The records of the text
// begin at byte at, after line lines. It reports false where there is one rank, which reads all.
func (s *source) narrow(at int64, line int) bool {
	e := s.extent
	if e == nil {
		return false
	}
	from, to := max(e.from, at), max(e.to, at)
	if s.line = e.line; from == at {
		s.line = line
	}
	if e.cut == uncut {
		from, to = 0, 0
	}
	if e.packed {
		s.unpackAgain(from, to)
		return true
	}
	part := io.NewSectionReader(s.read, from, to-from)
	s.read.done.Store(0)
	s.read.size = to - from
	if s.set == nil {
		s.read.all = s.read.size
	}
	s.Reader, s.ahead, s.skipped = bufio.NewReaderSize(checkedReader{part, s, unreadable}, bufferSize), nil, 0
	return true
}

// unpackAgain has what follows be some bytes of a compressed file, which is unpacked from its
// start.
func (s *source) unpackAgain(from, to int64) {
	s.ahead, s.skipped, s.Expect = nil, 0, nil
	text, err := s.unpackFrom(from)
	if err != nil {
		text = failed{err}
	}
	s.Reader = bufio.NewReaderSize(io.LimitReader(checkedReader{text, s, unreadable}, to-from), bufferSize)
}

// unpackFrom opens the file once more, and unpacks it from a byte on.
func (s *source) unpackFrom(from int64) (io.Reader, error) {
	f, err := openFile(s.read.Name())
	if err != nil {
		return nil, err
	}
	before := s.close
	s.close = func() { before(); f.Close() }
	again, err := open(newWholeFile(f, s.read.progress), s.File, s.Memory, s.Check)
	if err != nil {
		return nil, err
	}
	s.close = func() { before(); again.close(); f.Close() }
	_, err = io.CopyN(io.Discard, again, from)
	return again, err
}

// noExtent is the extent of a file of which a rank reads the columns, and no rows.
func noExtent() *extent { return &extent{size: 1} }
