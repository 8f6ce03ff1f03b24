package labelpage

import (
	"context"
	"encoding/binary"
	"io"
	"math"
	"os"

	"lapsvm/app/labelpage/store"
)

// Hashes returns a hash of the contents of every row, by which the store recognises the row. The
// contents are the file of an image, the fields of a row of a table except the label, and else the
// features. It fails where a file cannot be read and when ctx is done. Cost: the first call makes
// one pass over the data and over the files of images.
func (c *Content) Hashes(ctx context.Context) ([]string, error) {
	if c.hashes != nil {
		return c.hashes, nil
	}
	all := make([]string, c.Len())
	var b []byte
	values := make([]float64, c.Data.Points.Dim())
	for i := range all {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		b = b[:0]
		switch {
		case c.Files != nil:
			var err error
			if b, err = readInto(b, c.Files[i]); err != nil {
				return nil, err
			}
		case c.Fields != nil:
			for _, field := range c.Fields[i] {
				b = binary.AppendUvarint(b, uint64(len(field)))
				b = append(b, field...)
			}
		case c.Data.Points.Sparse():
			index, value := c.Data.Points.SparseRow(i)
			for k, column := range index {
				b = binary.LittleEndian.AppendUint32(b, uint32(column))
				b = binary.LittleEndian.AppendUint64(b, math.Float64bits(value[k]))
			}
		default:
			c.Data.Points.CopyRow(values, i)
			for _, v := range values {
				b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
			}
		}
		all[i] = store.Hash(b)
	}
	c.hashes = all
	return all, nil
}

// readInto reads a file to the end of b.
func readInto(b []byte, path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for {
		if len(b) == cap(b) {
			b = append(b, 0)[:len(b)]
		}
		n, err := f.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		if err == io.EOF {
			return b, nil
		}
		if err != nil {
			return b, err
		}
	}
}
