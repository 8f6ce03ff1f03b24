package files

import "encoding/binary"

// deltas gives whole numbers by their differences: blocks begin with their least difference, and
// are divided into miniblocks, whose differences from it have as many bits as the largest needs.
type deltas struct {
	data   []byte
	minis  int    // of a block
	each   int    // numbers of a miniblock
	left   int    // numbers to come
	begun  bool   // the first has been given
	value  int64  // the last
	least  int64  // difference of the block
	widths []byte // of the miniblocks of the block that are to come
	width  int    // bits of a difference of the miniblock
	pack   []byte // miniblock
	in     int    // numbers of it that are to come
	at     int    // bit of it
}

// newDeltas begins with at most n numbers.
func newDeltas(data []byte, n int) (*deltas, error) {
	const mostBlock = 1 << 20
	var head [3]uint64 // size of a block, miniblocks in it, numbers
	if len(data) == 0 {
		return new(deltas), nil
	}
	for k := range head {
		size := 0
		if head[k], size = binary.Uvarint(data); size <= 0 {
			return nil, errPageCut
		}
		data = data[size:]
	}
	first, size := binary.Varint(data)
	if size <= 0 {
		return nil, errPageCut
	}
	block, minis, count := head[0], head[1], head[2]
	if minis == 0 || block == 0 || block > mostBlock || minis > block || block%(8*minis) != 0 || count > uint64(n) {
		return nil, errPageValues
	}
	return &deltas{data: data[size:], minis: int(minis), each: int(block / minis), left: int(count), value: first}, nil
}

// deltasBefore begins with numbers that others data follow.
func deltasBefore(data []byte, n int) (d *deltas, rest []byte, err error) {
	d, err = newDeltas(data, n)
	if err != nil {
		return nil, nil, err
	}
	end := *d
	for end.left--; end.left > 0; end.left -= end.each {
		if err := end.mini(); err != nil {
			return nil, nil, err
		}
	}
	return d, end.data, nil
}

// mini goes to the next miniblock.
func (d *deltas) mini() error {
	if len(d.widths) == 0 {
		least, size := binary.Varint(d.data)
		if size <= 0 || len(d.data)-size < d.minis {
			return errPageCut
		}
		d.least, d.widths, d.data = least, d.data[size:size+d.minis], d.data[size+d.minis:]
	}
	if d.width, d.widths = int(d.widths[0]), d.widths[1:]; d.width > 64 {
		return errPageValues
	}
	size := d.width * d.each / 8
	if size > len(d.data) {
		return errPageCut
	}
	d.pack, d.data = d.data[:size], d.data[size:]
	d.in, d.at = d.each, 0
	return nil
}

func (d *deltas) next() (int64, error) {
	if d.left <= 0 {
		return 0, errPageCut
	}
	d.left--
	if !d.begun {
		d.begun = true
		return d.value, nil
	}
	if d.in == 0 {
		if err := d.mini(); err != nil {
			return 0, err
		}
	}
	v, ok := bitsAt(d.pack, d.at, d.width)
	if !ok {
		return 0, errPageCut
	}
	d.in--
	d.at += d.width
	d.value += d.least + int64(v)
	return d.value, nil
}

// deltaWhole are integers of so many bytes: what is beyond these is left out.
type deltaWhole struct {
	in    *deltas
	bytes int
	out   [8]byte
}

func (p *deltaWhole) next() ([]byte, error) {
	v, err := p.in.next()
	binary.LittleEndian.PutUint64(p.out[:], uint64(v))
	return p.out[:p.bytes], err
}

// deltaTexts are the lengths of all texts, then the texts.
type deltaTexts struct {
	lengths *deltas
	data    []byte
}

func (p *deltaTexts) next() ([]byte, error) {
	n, err := p.lengths.next()
	if err != nil {
		return nil, err
	}
	if n < 0 || n > int64(len(p.data)) {
		return nil, errPageCut
	}
	v := p.data[:n]
	p.data = p.data[n:]
	return v, nil
}

// deltaPrefixes are how long a beginning texts share with the one before, the lengths of the rests,
// and these.
type deltaPrefixes struct {
	prefixes, lengths *deltas
	data              []byte
	last              []byte
}

func (p *deltaPrefixes) next() ([]byte, error) {
	shared, err := p.prefixes.next()
	if err != nil {
		return nil, err
	}
	n, err := p.lengths.next()
	if err != nil {
		return nil, err
	}
	if shared < 0 || shared > int64(len(p.last)) || n < 0 || n > int64(len(p.data)) {
		return nil, errPageValues
	}
	p.last = append(p.last[:shared], p.data[:n]...)
	p.data = p.data[n:]
	return p.last, nil
}
