package files

import (
	"archive/zip"
	"io"
)

// How far packed data are unpacked ahead of who reads them.
const (
	aheadSize   = bufferSize // bytes of a block, large as each has the goroutines wait for each other
	aheadBlocks = 4
	aheadFrom   = bufferSize // bytes before the first block, which a look at the beginning needs
)

// aheadReader unpacks in a goroutine of its own, which begins behind the first bytes, and ends with Close.
type aheadReader struct {
	src   *source // which counts the blocks; nil where nothing is unpacked ahead
	r     io.Reader
	close func()
	first int // bytes before the goroutine begins

	full, free chan aheadBlock // each has room for all blocks; nil before the goroutine
	block      aheadBlock
	rest       []byte // of the block
}

// aheadBlock is what came next, and the error or the panic behind it.
type aheadBlock struct {
	text  []byte
	err   error
	panic any
}

// unpackAhead returns what r unpacks. It is some blocks ahead where there is memory. A pipe is not read ahead, as that could wait for its sender.
func (s *source) unpackAhead(r io.Reader, close func()) io.ReadCloser {
	a := &aheadReader{r: r, close: close, first: aheadFrom}
	if s.read != nil || s.whole != nil {
		a.src = s
	}
	return a
}

// openMember opens a file of a zip archive.
func (s *source) openMember(f *zip.File) (io.ReadCloser, error) {
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	return s.unpackAhead(r, func() { r.Close() }), nil
}

func (a *aheadReader) Read(p []byte) (int, error) {
	if a.full == nil && (a.first > 0 || !a.begin()) {
		n, err := a.r.Read(p)
		a.first -= n
		return n, err
	}
	for len(a.rest) == 0 {
		if a.block.panic != nil {
			panic(a.block.panic)
		}
		if a.block.err != nil {
			return 0, a.block.err
		}
		if a.block.text != nil {
			a.free <- a.block
		}
		a.block = <-a.full
		a.rest = a.block.text
	}
	n := copy(p, a.rest)
	a.rest = a.rest[n:]
	return n, nil
}

// begin starts the goroutine, if it may.
func (a *aheadReader) begin() bool {
	if a.src == nil || a.src.Memory.Room() < aheadBlocks*aheadSize || a.src.Take(aheadBlocks*aheadSize, "what is unpacked ahead") != nil {
		a.src = nil
		return false
	}
	a.full, a.free = make(chan aheadBlock, aheadBlocks), make(chan aheadBlock, aheadBlocks)
	for range aheadBlocks {
		a.free <- aheadBlock{text: make([]byte, aheadSize)}
	}
	go func() {
		defer close(a.full)
		for b := range a.free {
			b.fill(a.r)
			a.full <- b
			if b.err != nil || b.panic != nil {
				return
			}
		}
	}()
	return true
}

// fill reads until the block is full or there is no more.
func (b *aheadBlock) fill(r io.Reader) {
	text, n, idle := b.text[:cap(b.text)], 0, 0
	defer func() { b.text, b.panic = text[:n], recover() }()
	for n < len(text) && b.err == nil {
		var more int
		more, b.err = r.Read(text[n:])
		if n += more; more > 0 {
			idle = 0
		} else if idle++; idle > 100 && b.err == nil {
			b.err = io.ErrNoProgress
		}
	}
}

// Close ends the goroutine.
func (a *aheadReader) Close() error {
	if a.full != nil {
		close(a.free)
		for range a.free {
		}
		for range a.full {
		}
	}
	a.close()
	return nil
}
