package files

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	parquetformat "github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"
)

// The library's own codecs unpack without regard to the size that a page announces, and that of
// LZ4_RAW loses pages. These fill the announced size, and nothing else.

var errPageSize = errors.New("a page has another size than it says")

// parquetCodecs unpack pages.
type parquetCodecs struct {
	window uint64 // most bytes of history that zstd may ask for
	gzip   *gzip.Reader
	brotli *brotli.Reader
	zstd   *zstd.Decoder
}

// unknown returns "" for a codec whose pages are read, and its name for another.
func (*parquetCodecs) unknown(codec parquetformat.CompressionCodec) string {
	switch codec {
	case parquetformat.Uncompressed, parquetformat.Snappy, parquetformat.Gzip, parquetformat.Brotli, parquetformat.Zstd, parquetformat.Lz4Raw:
		return ""
	case parquetformat.Lz4, parquetformat.LZO:
		return codec.String()
	}
	return fmt.Sprintf("%d", int32(codec))
}

// unpack fills to with what was packed.
func (u *parquetCodecs) unpack(codec parquetformat.CompressionCodec, to, packed []byte) error {
	switch codec {
	case parquetformat.Snappy:
		n, err := snappy.DecodedLen(packed)
		if err != nil {
			return err
		}
		if n != len(to) {
			return errPageSize
		}
		_, err = snappy.Decode(to, packed)
		return err
	case parquetformat.Lz4Raw:
		n, err := lz4.UncompressBlock(packed, to)
		if err == nil && n != len(to) {
			err = errPageSize
		}
		return err
	case parquetformat.Gzip:
		var err error
		if u.gzip == nil {
			u.gzip, err = gzip.NewReader(bytes.NewReader(packed))
		} else {
			err = u.gzip.Reset(bytes.NewReader(packed))
		}
		if err != nil {
			return err
		}
		return fill(to, u.gzip)
	case parquetformat.Brotli:
		if u.brotli == nil {
			u.brotli = brotli.NewReader(nil)
		}
		if err := u.brotli.Reset(bytes.NewReader(packed)); err != nil {
			return err
		}
		return fill(to, u.brotli)
	}
	if u.zstd == nil {
		var err error
		if u.zstd, err = zstd.NewReader(nil, zstd.WithDecoderMaxWindow(u.window), zstd.WithDecoderLowmem(true), zstd.WithDecoderConcurrency(1)); err != nil {
			return err
		}
	}
	if err := u.zstd.Reset(bytes.NewReader(packed)); err != nil {
		return err
	}
	return fill(to, u.zstd)
}

// fill fills to with all that in has.
func fill(to []byte, in io.Reader) error {
	_, err := io.ReadFull(in, to)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return errPageSize
	}
	if err != nil {
		return err
	}
	var more [1]byte
	if _, err = io.ReadFull(in, more[:]); err == nil {
		return errPageSize
	}
	if err != io.EOF {
		return err
	}
	return nil
}

func (u *parquetCodecs) close() {
	if u.zstd != nil {
		u.zstd.Close()
	}
}
