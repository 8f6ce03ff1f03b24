package files

import (
	"fmt"
	"io"
	"math"

	"lapsvm/dataset"
)

// storedRows reads n rows of width values, after which the source must end, and keeps the own rows
// as [source.stored] keeps all. labels has the values of the column label for all rows, unless
// label is −1. In a file it skips other rows unread, if neither their labels nor the type that
// holds all values is needed.
func (s *source) storedRows(e element, n, width int, own dataset.Own, label int) (v stored, labels []float64, err error) {
	total := n * width
	from, to := own.Between(n)
	_, fits := e.storage()
	switch {
	case own.All():
		v, err = s.stored(e, total)
	case fits && label < 0:
		if v, err = s.storedPart(e, from*width, to*width, total); err != nil {
			return v, nil, err
		}
		if s.file != nil {
			return v, nil, nil // the size is right
		}
	default:
		v, labels, err = s.storedAndLabels(e, n, width, own, label)
	}
	if err != nil {
		return v, nil, err
	}
	if own.All() && label >= 0 {
		labels = make([]float64, n)
		for i := range labels {
			labels[i] = v.at(i*width + label)
		}
	}
	return v, labels, s.end(total)
}

// storedPart reads the values from ≤ k < to of so many, and leaves out the others.
func (s *source) storedPart(e element, from, to, total int) (v stored, err error) {
	size := int64(e.size)
	if s.file != nil {
		switch left := s.left(); {
		case left < int64(total)*size:
			return v, s.cut(int(left/size), total)
		case left > int64(total)*size:
			return v, s.goesOn(total)
		}
	}
	if err := s.skip(int64(from) * size); err != nil {
		return v, s.short(err, total)
	}
	if v, err = s.stored(e, to-from); err == nil {
		err = s.short(s.skip(int64(total-to)*size), total)
	}
	return v, err
}

// storedAndLabels reads all values, and keeps those of own rows, in what holds all, and of
// the column label.
func (s *source) storedAndLabels(e element, n, width int, own dataset.Own, label int) (v stored, labels []float64, err error) {
	storage, fits := e.storage()
	from, to := own.Between(n)
	from, to = from*width, to*width
	v.storage = storage
	if err := s.Take(storage.Size()*(to-from), "the values of a part of the rows"); err != nil {
		return v, nil, err
	}
	const step = 1 << 14
	raw, part := make([]byte, step*e.size), make([]float64, step)
	total, kept := n*width, 0
	for k := 0; k < total; k += len(part) {
		size := min(step, total-k)
		for _, border := range []int{from, to} {
			if k < border {
				size = min(size, border-k)
			}
		}
		part = part[:size]
		got, err := io.ReadFull(s, raw[:size*e.size])
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return v, nil, s.cut(k+got/e.size, total)
		}
		if err != nil {
			return v, nil, err
		}
		e.decode(part, raw)
		if !fits {
			if err := v.fit(s, part, kept, to-from); err != nil {
				return v, nil, err
			}
		}
		if from <= k && k < to {
			v.grow(kept+size, min(to-from, 1<<20), to-from)
			v.set(kept, part)
			kept += size
		}
		if label >= 0 {
			for at := ((label-k)%width + width) % width; at < size; at += width {
				labels = append(labels, part[at])
			}
		}
	}
	return v, labels, nil
}

// fits refuses numbers that there is no memory for, before anything is read.
func (s *source) fits(e element, values int) error {
	storage, _ := e.storage()
	bytes := storage.Size() * values
	if err := s.Take(bytes, fmt.Sprintf("%d values", values)); err != nil {
		return err
	}
	s.Give(bytes)
	return nil
}

// cut refuses a source that ends after so many of its values.
func (s *source) cut(values, total int) error {
	return s.Errorf(0, 0, "the file ends after %d of %d values; fetch or write it again", values, total)
}

// goesOn refuses a source that goes on after its values.
func (s *source) goesOn(total int) error {
	return s.Errorf(0, 0, "the file goes on after its %d values; check that it holds one array only, and fetch or write it again", total)
}

// short words that a source ended among its values.
func (s *source) short(err error, total int) error {
	if err == io.EOF {
		return s.Errorf(0, 0, "the file ends before its %d values do; fetch or write it again", total)
	}
	return err
}

// holdsRow reports whether a whole row of the values to come is there: a damaged header
// may claim any width.
func (s *source) holdsRow(e element, width int) bool {
	bytes := float64(width) * float64(e.size)
	if s.file != nil {
		return bytes <= float64(s.left())
	}
	return bytes <= math.MaxInt32 && (bytes <= float64(s.Size()) || len(s.peek(int(bytes))) == int(bytes))
}
