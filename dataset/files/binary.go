package files

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/bits"
	"slices"

	"lapsvm/dataset"
)

// element is how one number lies in a binary file.
type element struct {
	kind  byte // 'u', 'i' or 'f': unsigned, signed, IEEE 754
	size  int  // bytes
	order binary.ByteOrder
}

// isByte reports whether it is a whole number from 0 to 255.
func (e element) isByte() bool { return e.kind == 'u' && e.size == 1 }

// decode converts len(dst) numbers.
func (e element) decode(dst []float64, src []byte) {
	o := e.order
	switch {
	case e.size == 1 && e.kind == 'u':
		for i := range dst {
			dst[i] = float64(src[i])
		}
	case e.size == 1:
		for i := range dst {
			dst[i] = float64(int8(src[i]))
		}
	case e.size == 2 && e.kind == 'u':
		for i := range dst {
			dst[i] = float64(o.Uint16(src[2*i:]))
		}
	case e.size == 2 && e.kind == 'f':
		for i := range dst {
			dst[i] = halfFloat(o.Uint16(src[2*i:]))
		}
	case e.size == 2:
		for i := range dst {
			dst[i] = float64(int16(o.Uint16(src[2*i:])))
		}
	case e.size == 4 && e.kind == 'u':
		for i := range dst {
			dst[i] = float64(o.Uint32(src[4*i:]))
		}
	case e.size == 4 && e.kind == 'i':
		for i := range dst {
			dst[i] = float64(int32(o.Uint32(src[4*i:])))
		}
	case e.size == 4:
		for i := range dst {
			dst[i] = float64(math.Float32frombits(o.Uint32(src[4*i:])))
		}
	case e.kind == 'u':
		for i := range dst {
			dst[i] = float64(o.Uint64(src[8*i:]))
		}
	case e.kind == 'i':
		for i := range dst {
			dst[i] = float64(int64(o.Uint64(src[8*i:])))
		}
	default:
		for i := range dst {
			dst[i] = math.Float64frombits(o.Uint64(src[8*i:]))
		}
	}
}

// elements returns the product of a shape, and whether it is a possible number
// of values.
func elements(shape []int) (int, bool) {
	total := uint64(1)
	for _, n := range shape {
		high, low := bits.Mul64(total, uint64(n))
		if high != 0 || low > math.MaxInt/8 {
			return 0, false
		}
		total = low
	}
	return int(total), true
}

// numbers reads total numbers, after which the source must end. Without a limit
// the memory taken is at most four times that of the numbers found, whatever total
// says.
func (s *source) numbers(e element, total int) ([]float64, error) {
	values, err := s.values(e, total)
	if err != nil {
		return nil, err
	}
	return values, s.end(total)
}

// end refuses a source that goes on after its total values.
func (s *source) end(total int) error {
	switch _, err := s.ReadByte(); err {
	case io.EOF:
		return nil
	case nil:
		return s.goesOn(total)
	default:
		return err
	}
}

// values reads total numbers as [source.numbers] does, but the source may go on.
func (s *source) values(e element, total int) ([]float64, error) {
	if err := s.Take(8*total, fmt.Sprintf("%d values", total)); err != nil {
		return nil, err
	}
	const step, first = 1 << 14, 1 << 20
	buf := make([]byte, step*e.size)
	room := min(total, first)
	if s.Memory.Limited() {
		room = total // which fits
	}
	values := make([]float64, 0, room)
	for len(values) < total {
		k := min(step, total-len(values))
		n, err := io.ReadFull(s, buf[:k*e.size])
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return nil, s.cut(len(values)+n/e.size, total)
		}
		if err != nil {
			return nil, err
		}
		at := len(values)
		if at+k > cap(values) {
			values = slices.Grow(values, min(total, 4*cap(values))-at)
		}
		values = values[:at+k]
		e.decode(values[at:], buf)
	}
	return values, nil
}

// finite refuses NaN and infinities among features of a binary file; column is
// the place in the file of a feature.
func (s *source) finite(d *dataset.Dataset, column func(feature int) int) error {
	row, feature, found := d.Points.FirstNotFinite()
	if !found {
		return nil
	}
	return s.Errorf(0, 0, "row %d, column %d holds %v; replace it by a number or remove the row", s.Own.Row(row)+1, column(feature)+1, d.Points.At(row, feature))
}
