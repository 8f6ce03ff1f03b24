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
	of       int64 // bytes of the file
	line     int   // lines before from
}

// rows returns which of n rows the extent has.
func (e *extent) rows(n int) (from, to int) {
	at := func(byte int64) int { return int(float64(n) * (float64(byte) / float64(e.of))) }
	return at(e.from), at(e.to)
}

// extents returns what this rank reads of files which ranks read together, whose rows follow
// one another: about as many bytes as each other rank, behind those of the ranks before it;
// nil of a file of which it reads nothing. One file that is uncut all ranks read. What cannot
// be opened is an error on all ranks. Cost: the bytes of files that are cut are looked through
// for line ends, each by one rank.
func (o Options) extents(paths []string) ([]*extent, error) {
	own, counts, err := o.ownExtents(paths)
	if _, err := o.ranks.Settle(0, err); err != nil {
		return nil, err
	}
	all, err := dataset.All(o.ranks, counts)
	if err != nil {
		return nil, err
	}
	for k, e := range own {
		if e == nil || e.from == e.to || e.cut != cutLines && e.cut != cutRecords {
			continue
		}
		var parts []lineCount
		for _, c := range slices.Concat(all...) {
			if c.File == k {
				parts = append(parts, c)
			}
		}
		at := slices.IndexFunc(parts, func(c lineCount) bool { return c.From == e.from })
		e.from, e.line = begin(parts, at, e.of)
		e.to, _ = begin(parts, at+1, e.of)
	}
	return own, nil
}

// ownExtents cuts files by their bytes alone, and counts the lines of what is to be cut behind
// them.
func (o Options) ownExtents(paths []string) (own []*extent, counts []lineCount, err error) {
	sizes := make([]int64, len(paths))
	all := int64(0)
	for k, path := range paths {
		f, err := openFile(path)
		if err != nil {
			return nil, nil, err
		}
		sizes[k] = newWholeFile(f, nil).size
		f.Close()
		all += sizes[k]
	}
	ranks, rank := int64(o.ranks.Size()), int64(o.ranks.Rank())
	first, last := all/ranks*rank+all%ranks*rank/ranks, all/ranks*(rank+1)+all%ranks*(rank+1)/ranks
	own = make([]*extent, len(paths))
	begin := int64(0) // of the file
	for k, size := range sizes {
		e := &extent{from: min(max(first-begin, 0), size), to: min(max(last-begin, 0), size), of: size}
		starts := first <= begin && begin < last || begin == all && last == all && first < all
		begin += size
		if e.from == e.to && !starts && len(paths) > 1 {
			continue
		}
		count, err := o.cutFile(paths[k], e)
		if err != nil {
			return nil, nil, err
		}
		switch {
		case e.cut == uncut && len(paths) > 1 && !starts:
			continue
		case e.cut == uncut:
			e.from, e.to = 0, size
		case e.from < e.to && e.cut != cutRows:
			count.File = k
			counts = append(counts, count)
		}
		own[k] = e
	}
	return own, counts, nil
}

// cutFile finds out how a file may be cut, and counts the lines of the extent.
func (o Options) cutFile(path string, e *extent) (lineCount, error) {
	form, err := formatFor(o.Format, path)
	if o.Format != "" && err != nil {
		return lineCount{}, err
	}
	if form.readPath != nil {
		return lineCount{}, nil
	}
	f, err := openFile(path)
	if err != nil {
		return lineCount{}, err
	}
	defer f.Close()
	src, err := open(newWholeFile(f, nil), path, dataset.NewMemory(o.Memory))
	if err != nil {
		return lineCount{}, err
	}
	defer src.close()
	if form.Name == "" {
		if form, err = src.look(); err != nil {
			return lineCount{}, err
		}
	}
	if form.cut == nil {
		return lineCount{}, nil
	}
	head, _ := src.Peek(src.Size()) // an error comes again
	if e.cut = form.cut(head, o); e.cut != cutRows && src.file == nil {
		e.cut = uncut
	}
	if e.cut == uncut || e.cut == cutRows {
		return lineCount{}, nil
	}
	count, err := countLines(io.NewSectionReader(f, e.from, e.to-e.from), e.cut == cutRecords)
	if err != nil {
		return count, src.Errorf(0, 0, unreadable, cause(err))
	}
	count.From = e.from
	for k := range count.Breaks {
		count.Breaks[k].At += e.from
	}
	return count, nil
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

// countLines counts the lines of a text.
func countLines(text io.Reader, quotes bool) (c lineCount, err error) {
	buffer := make([]byte, 1<<20)
	inside, at := 0, int64(0) // of quotes, where the part begins outside
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
			return c, nil
		}
		if err != nil {
			return c, err
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

// narrow has what follows be the records that a rank reads of a text, if there are several: of a
// text whose records begin at a byte behind so many lines. It reports false where all follow
// that have not been read.
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
	part := io.NewSectionReader(s.read, from, to-from)
	s.read.done.Store(0)
	s.read.size = to - from
	if s.several == nil {
		s.read.all = s.read.size
	}
	s.Reader, s.ahead, s.skipped = bufio.NewReaderSize(checkedReader{part, s, unreadable}, bufferSize), nil, 0
	return true
}

// position returns how many bytes of an uncompressed file have been taken.
func (s *source) position() int64 { return s.done(s.Reader) + s.skipped }

// noExtent is that of a file of which a rank reads nothing but what its columns are.
func noExtent() *extent { return &extent{of: 1} }
