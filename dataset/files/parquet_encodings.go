package files

import (
	"encoding/binary"
	"errors"

	parquetformat "github.com/parquet-go/parquet-go/format"
)

// The encodings of pages, decoded value by value: nothing that a page claims takes room.
// Source: "Parquet encoding definitions", 2.11.

var (
	errPageCut    = errors.New("a page ends early")
	errPageValues = errors.New("the values of a page are impossible")
)

// parquetValues gives the values of a page one after another, each until the next is asked for.
type parquetValues interface{ next() ([]byte, error) }

// dictionaryOf1 is the encoding of the pages of version 1.0 that have a dictionary, and of dictionaries.
const dictionaryOf1 parquetformat.Encoding = 2

// decode returns the values of a page, of which there are at most n. There is nothing for an
// encoding that is not known for the type.
func (c *parquetColumn) decode(encoding parquetformat.Encoding, data []byte, n int, d *parquetDictionary) (parquetValues, error) {
	whole := c.physical == parquetformat.Int32 || c.physical == parquetformat.Int64
	texts, fixed := c.physical == parquetformat.ByteArray, c.physical == parquetformat.FixedLenByteArray
	switch {
	case encoding == parquetformat.Plain:
		switch {
		case texts:
			return &plainTexts{data}, nil
		case c.physical == parquetformat.Boolean:
			return &plainBits{data: data}, nil
		case c.bytes == 0:
			return nil, errPageValues
		}
		return &plainFixed{data, c.bytes}, nil
	case encoding == dictionaryOf1 || encoding == parquetformat.RLEDictionary:
		if len(data) == 0 {
			return &plainTexts{}, nil // no value is there
		}
		if data[0] > 32 || d == nil {
			return nil, errPageValues
		}
		return &dictionaryValues{hybrid{data: data[1:], width: int(data[0])}, d}, nil
	case encoding == parquetformat.RLE && c.physical == parquetformat.Boolean:
		bits, _, err := prefixed(data)
		return &hybridBits{in: hybrid{data: bits, width: 1}}, err
	case encoding == parquetformat.DeltaBinaryPacked && whole:
		in, err := newDeltas(data, n)
		return &deltaWhole{in: in, bytes: c.bytes}, err
	case encoding == parquetformat.DeltaLengthByteArray && texts:
		lengths, data, err := deltasBefore(data, n)
		return &deltaTexts{lengths, data}, err
	case encoding == parquetformat.DeltaByteArray && (texts || fixed):
		prefixes, data, err := deltasBefore(data, n)
		if err != nil {
			return nil, err
		}
		lengths, data, err := deltasBefore(data, n)
		return &deltaPrefixes{prefixes: prefixes, lengths: lengths, data: data}, err
	case encoding == parquetformat.ByteStreamSplit && !texts && c.physical != parquetformat.Boolean && c.bytes > 0:
		if len(data)%c.bytes != 0 {
			return nil, errPageValues
		}
		return &splitValues{data: data, n: len(data) / c.bytes, out: make([]byte, c.bytes)}, nil
	}
	return nil, nil
}

// prefixed returns data that begin with their size, and what is behind them.
func prefixed(data []byte) (part, rest []byte, err error) {
	if len(data) == 0 {
		return nil, nil, nil
	}
	if len(data) < 4 {
		return nil, nil, errPageCut
	}
	size := binary.LittleEndian.Uint32(data)
	if data = data[4:]; uint64(size) > uint64(len(data)) {
		return nil, nil, errPageCut
	}
	return data[:size], data[size:], nil
}

type plainFixed struct {
	data  []byte
	bytes int
}

func (p *plainFixed) next() ([]byte, error) {
	if len(p.data) < p.bytes {
		return nil, errPageCut
	}
	v := p.data[:p.bytes]
	p.data = p.data[p.bytes:]
	return v, nil
}

// bitValues are the decoded booleans; constants.
var bitValues = [2][1]byte{{0}, {1}}

type plainBits struct {
	data []byte
	at   int
}

func (p *plainBits) next() ([]byte, error) {
	if p.at>>3 >= len(p.data) {
		return nil, errPageCut
	}
	bit := p.data[p.at>>3] >> (p.at & 7) & 1
	p.at++
	return bitValues[bit][:], nil
}

type plainTexts struct{ data []byte }

func (p *plainTexts) next() ([]byte, error) {
	if len(p.data) == 0 {
		return nil, errPageCut
	}
	v, rest, err := prefixed(p.data)
	p.data = rest
	return v, err
}

// hybridBits are booleans in runs.
type hybridBits struct{ in hybrid }

func (p *hybridBits) next() ([]byte, error) {
	bit, err := p.in.next()
	return bitValues[bit&1][:], err
}

// parquetDictionary are the values that pages have indices of.
type parquetDictionary struct {
	data  []byte
	bytes int      // of each value; 0 for
	ends  []uint32 // where values end
}

// newParquetDictionary returns the dictionary of a page of plain values.
func newParquetDictionary(data []byte, bytes int) (*parquetDictionary, error) {
	d := &parquetDictionary{data: data, bytes: bytes}
	if bytes > 0 {
		return d, nil
	}
	for rest := data; len(rest) > 0; {
		var err error
		if _, rest, err = prefixed(rest); err != nil {
			return nil, err
		}
		d.ends = append(d.ends, uint32(len(data)-len(rest)))
	}
	return d, nil
}

func (d *parquetDictionary) at(k uint32) ([]byte, error) {
	if d.bytes > 0 {
		from := int64(k) * int64(d.bytes)
		if from+int64(d.bytes) > int64(len(d.data)) {
			return nil, errPageValues
		}
		return d.data[from : from+int64(d.bytes)], nil
	}
	if int64(k) >= int64(len(d.ends)) {
		return nil, errPageValues
	}
	from := uint32(0)
	if k > 0 {
		from = d.ends[k-1]
	}
	return d.data[from+4 : d.ends[k]], nil
}

type dictionaryValues struct {
	indices hybrid
	of      *parquetDictionary
}

func (p *dictionaryValues) next() ([]byte, error) {
	k, err := p.indices.next()
	if err != nil {
		return nil, err
	}
	return p.of.at(k)
}

// splitValues are the first bytes of all values, then the second ones, and so on.
type splitValues struct {
	data  []byte
	at, n int
	out   []byte
}

func (p *splitValues) next() ([]byte, error) {
	if p.at == p.n {
		return nil, errPageCut
	}
	for k := range p.out {
		p.out[k] = p.data[k*p.n+p.at]
	}
	p.at++
	return p.out, nil
}

// hybrid gives numbers of so many bits each, in runs of one number and in packs of eight.
type hybrid struct {
	data  []byte
	width int // bits, at most 32
	runs  int // numbers left of a run
	value uint32
	packs int    // numbers left of packs,
	pack  []byte // which are these,
	at    int    // read up to this bit
}

func (h *hybrid) next() (uint32, error) {
	for h.runs == 0 && h.packs == 0 {
		if err := h.begin(); err != nil {
			return 0, err
		}
	}
	if h.runs > 0 {
		h.runs--
		return h.value, nil
	}
	v, ok := bitsAt(h.pack, h.at, h.width)
	if !ok {
		return 0, errPageCut
	}
	h.packs--
	h.at += h.width
	return uint32(v), nil
}

// begin begins a run or packs.
func (h *hybrid) begin() error {
	head, n := binary.Uvarint(h.data)
	if n <= 0 || head > 1<<32 {
		return errPageCut
	}
	h.data = h.data[n:]
	if head&1 == 1 {
		groups := int(head >> 1)
		size := min(groups*h.width, len(h.data)) // the last packs of some writers are cut off
		h.packs, h.pack, h.at, h.data = 8*groups, h.data[:size], 0, h.data[size:]
		return nil
	}
	size := (h.width + 7) / 8
	if len(h.data) < size {
		return errPageCut
	}
	h.value = 0
	for k, digit := range h.data[:size] {
		h.value |= uint32(digit) << (8 * k)
	}
	if uint64(h.value)>>h.width != 0 {
		return errPageValues
	}
	h.runs, h.data = int(head>>1), h.data[size:]
	return nil
}

// bitsAt returns the number of at most 64 bits that begins at a bit.
func bitsAt(data []byte, at, width int) (v uint64, ok bool) {
	if (at+width+7)/8 > len(data) {
		return 0, false
	}
	first, shift := at>>3, at&7
	if first+8 <= len(data) {
		v = binary.LittleEndian.Uint64(data[first:]) >> shift
	} else {
		for k, b := range data[first:] {
			v |= uint64(b) << (8 * k)
		}
		v >>= shift
	}
	if shift+width > 64 {
		v |= uint64(data[first+8]) << (64 - shift)
	}
	if width < 64 {
		v &= 1<<width - 1
	}
	return v, true
}
