package files

// longestPiece is how many bytes of a text are read for one of its elements, whose attributes and words are kept at once.
const longestPiece = 1 << 24

// pieces reads a source for a decoder that keeps one piece of it at a time.
type pieces struct {
	src  *source
	left int // bytes that the piece may still have
}

// next begins another piece.
func (p *pieces) next() { p.left = longestPiece }

func (p *pieces) Read(b []byte) (int, error) {
	if p.left <= 0 {
		return 0, p.src.Errorf(0, 0, "an element is longer than %d MiB; check how the file was made", longestPiece>>20)
	}
	n, err := p.src.Read(b[:min(len(b), p.left)])
	p.left -= n
	return n, err
}
