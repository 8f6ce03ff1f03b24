package files

import (
	"bufio"
	"errors"
	"io"
)

// thriftSize goes through a struct of the compact protocol of Thrift, as the
// descriptions in Parquet files are, without keeping any of it: a reader takes room for
// as many bytes or elements as are claimed.
// Source: Apache Thrift, "Thrift Compact protocol encoding".
type thriftSize struct {
	in    *bufio.Reader
	left  int64 // bytes that may follow
	bytes int64 // that a reader takes, about
}

var errThrift = errors.New("its description is impossible")

// Types of the compact protocol.
const (
	thriftTrue   = 1
	thriftFalse  = 2
	thriftByte   = 3
	thriftI64    = 6
	thriftDouble = 7
	thriftBinary = 8
	thriftSet    = 10
	thriftMap    = 11
	thriftStruct = 12
)

// walk goes through a struct, at most so many levels deep.
func (t *thriftSize) walk(levels int) error {
	const object = 300 // bytes of a struct
	if t.bytes += object; levels == 0 {
		return errThrift
	}
	for {
		header, err := t.byte()
		if err != nil || header == 0 {
			return err
		}
		if header>>4 == 0 { // the number of the field follows
			if _, err := t.varint(); err != nil {
				return err
			}
		}
		if kind := header & 15; kind != thriftTrue && kind != thriftFalse {
			if err := t.value(kind, levels); err != nil {
				return err
			}
		}
	}
}

// value goes through a value that has bytes of its own.
func (t *thriftSize) value(kind byte, levels int) error {
	switch {
	case kind == thriftStruct:
		return t.walk(levels - 1)
	case kind == thriftDouble:
		return t.skip(8)
	case kind <= thriftByte:
		return t.skip(1)
	case kind <= thriftI64:
		_, err := t.varint()
		return err
	case kind == thriftBinary:
		n, err := t.varint()
		if err != nil {
			return err
		}
		t.bytes += n
		return t.skip(n)
	case kind <= thriftSet:
		header, err := t.byte()
		if err != nil {
			return err
		}
		n := int64(header >> 4)
		if n == 15 {
			if n, err = t.varint(); err != nil {
				return err
			}
		}
		return t.elements(n, levels, header&15)
	case kind == thriftMap:
		n, err := t.varint()
		if err != nil || n == 0 {
			return err
		}
		kinds, err := t.byte()
		if err != nil {
			return err
		}
		return t.elements(n, levels, kinds>>4, kinds&15)
	}
	return errThrift
}

// elements goes through n elements of these kinds, or groups of them.
func (t *thriftSize) elements(n int64, levels int, kinds ...byte) error {
	const element = 32 // bytes, where it is no struct
	if n > t.left {
		return errThrift
	}
	for range n {
		for _, kind := range kinds {
			t.bytes += element
			if err := t.value(kind, levels); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *thriftSize) byte() (byte, error) {
	if t.left--; t.left < 0 {
		return 0, errThrift
	}
	b, err := t.in.ReadByte()
	if err == io.EOF {
		err = errThrift
	}
	return b, err
}

func (t *thriftSize) skip(n int64) error {
	if t.left -= n; n < 0 || t.left < 0 {
		return errThrift
	}
	_, err := t.in.Discard(int(n))
	if err == io.EOF {
		err = errThrift
	}
	return err
}

// varint reads a number of at most 63 bits.
func (t *thriftSize) varint() (int64, error) {
	var v int64
	for shift := 0; shift < 63; shift += 7 {
		b, err := t.byte()
		if err != nil {
			return 0, err
		}
		if v |= int64(b&127) << shift; b < 128 {
			return v, nil
		}
	}
	_, err := t.byte() // the last bit of a negative number
	return v, err
}
