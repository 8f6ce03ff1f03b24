package files

import (
	"bufio"
	"bytes"
	"io"
	"runtime"
	"slices"
	"sync"

	"lapsvm/dataset"
)

// blockSize is how many bytes of a table a goroutine takes at a time, about: blocks
// are cut at the ends of records, and so are the same whatever the number of
// goroutines.
const blockSize = 1 << 18

// block is some records of a table.
type block struct {
	text    []byte
	lines   int   // line ends in text
	quoted  bool  // text has quotes
	end     int64 // how far the file has been read to its end, for [source.expect]
	endless bool  // no record ends in text: the rest of the source belongs to it

	batch  dataset.Batch
	plain  bool // batch has all of its rows
	parsed sync.WaitGroup
}

// blockReader reads the records that follow the first of a table, several blocks of
// them at once, and adds them to the table in their order. Records of numbers and gaps are parsed
// in parallel. Blocks with other records are left to rec, which reports their errors.
type blockReader struct {
	src   *source
	in    *bufio.Reader // that of the source
	rec   *records
	table *dataset.Table
	width int // of a row
	top   int // line of the first row

	rest []byte // what was read behind the last block
	err  error  // by which reading ended; nil while there is more
	free []*block
}

// read adds all records to the table. So many goroutines parse numbers.
func (b *blockReader) read(threads int) error {
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	work := make(chan *block, threads)
	var workers sync.WaitGroup
	for range threads {
		workers.Go(func() {
			scratch := records{comma: b.rec.comma}
			for k := range work {
				k.plain = b.parse(&scratch, k)
				k.parsed.Done()
			}
		})
	}
	defer workers.Wait()
	defer close(work)
	b.in = b.src.Reader // from now on that of the source reads blocks
	defer func() { b.src.Reader, b.src.at = b.in, 0 }()
	var ahead []*block
	for more := true; more || len(ahead) > 0; {
		for more && len(ahead) <= threads {
			k := b.next()
			if more = k != nil; more {
				k.parsed.Add(1)
				work <- k
				ahead = append(ahead, k)
			}
		}
		if len(ahead) == 0 {
			break
		}
		k := ahead[0]
		ahead = ahead[1:]
		k.parsed.Wait()
		if err := b.add(k); err != nil {
			return err
		}
		b.free = append(b.free, k)
	}
	if b.err != io.EOF {
		return b.err
	}
	return nil
}

// next returns the next block, nil after the last one.
func (b *blockReader) next() *block {
	const most = 16 * blockSize // of a record in a block
	if b.err != nil {
		return nil
	}
	k := new(block)
	if last := len(b.free) - 1; last >= 0 {
		k, b.free = b.free[last], b.free[:last]
	}
	k.text, k.endless = append(k.text[:0], b.rest...), false
	b.rest = b.rest[:0]
	size := blockSize
	if b.src.whole != nil {
		size = int(min(blockSize, b.src.whole.Size()+1))
	}
	for ; ; size *= 2 {
		from := len(k.text)
		k.text = slices.Grow(k.text, max(size-from, 0))[:max(size, from)]
		n, err := io.ReadFull(b.in, k.text[from:])
		k.text = k.text[:from+n]
		if b.err = err; err == io.ErrUnexpectedEOF {
			b.err = io.EOF
		}
		var end int
		end, k.quoted = lastRecord(k.text, b.rec.quotes)
		switch {
		case b.err == io.EOF:
			end = len(k.text)
		case b.err != nil: // the rest is not whole
		case end == 0 && size < most:
			continue
		case end == 0:
			k.endless, end = true, len(k.text)
		default:
			b.rest = append(b.rest, k.text[end:]...)
		}
		k.text = k.text[:end]
		k.end = b.src.done(b.in) - int64(len(b.rest))
		if k.endless {
			b.err = io.EOF // which add reads up to
		}
		return k
	}
}

// lastRecord returns the end of the last whole record of text, after a line end outside quotes, or 0
// where no record ends. text begins with a record. quoted reports whether there are quotes.
func lastRecord(text []byte, quotes bool) (end int, quoted bool) {
	at, inside := 0, false
	for quotes {
		next := bytes.IndexByte(text[at:], '"')
		if next < 0 {
			break
		}
		if i := bytes.LastIndexByte(text[at:at+next], '\n'); i >= 0 && !inside {
			end = at + i + 1
		}
		at, inside, quoted = at+next+1, !inside, true
	}
	if i := bytes.LastIndexByte(text[at:], '\n'); i >= 0 && !inside {
		end = at + i + 1
	}
	return end, quoted
}

// parse reads a block into its batch. It reports false where a row has anything but
// numbers and gaps, or a zero byte.
func (b *blockReader) parse(scratch *records, k *block) bool {
	k.lines = bytes.Count(k.text, []byte{'\n'})
	if k.quoted || k.endless || bytes.IndexByte(k.text, 0) >= 0 {
		return false
	}
	k.batch.Clear()
	for line := range bytes.Lines(k.text) {
		if line = chomp(line); len(bytes.Trim(line, " ")) == 0 {
			continue
		}
		if bytes.Count(line, []byte{scratch.comma})+1 != b.width || !b.table.Read(&k.batch, scratch.plain(line)) {
			return false
		}
	}
	return true
}

// add takes the rows of a block.
func (b *blockReader) add(k *block) error {
	b.src.at = k.end
	if k.plain {
		b.rec.lines.n += k.lines
		return b.table.AddBatch(&k.batch)
	}
	text := io.Reader(bytes.NewReader(k.text))
	if k.endless {
		text, b.src.at = io.MultiReader(text, b.in), 0
	}
	b.src.Reader = bufio.NewReaderSize(text, bufferSize)
	return b.rows()
}

// rows adds the records that come, one after the other.
func (b *blockReader) rows() error {
	for {
		fields, err := b.rec.next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = b.row(fields)
		}
		if err != nil {
			return err
		}
	}
}

// row adds a record.
func (b *blockReader) row(fields [][]byte) error {
	if len(fields) != b.width {
		if isComment(fields[0]) {
			return b.src.Errorf(b.rec.line, 1, "the line begins with %c and has %s, but line %d has %d; remove it if it is a comment", fields[0][0], fieldsOf(len(fields)), b.top, b.width)
		}
		return b.src.Errorf(b.rec.line, min(len(fields), b.width)+1, "the row has %d columns, but line %d has %d; make them equal (a value with a %q needs quotes, a number a decimal point)", len(fields), b.top, b.width, b.rec.comma)
	}
	return b.table.Add(fields, b.rec.line)
}
