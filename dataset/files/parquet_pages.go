package files

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/bits"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	parquetformat "github.com/parquet-go/parquet-go/format"

	"lapsvm/dataset"
)

// parquetChunk gives the values of a column in a row group, page by page. Of the library it takes
// the headers of pages alone: its decoders take room for what a damaged page claims.
type parquetChunk struct {
	r          *parquetReader
	column     *parquetColumn
	codec      parquetformat.CompressionCodec
	at, end    int64 // bytes of the pages to come
	packed     []byte
	unpacked   []byte
	taken      int // bytes
	dictionary *parquetDictionary

	left       int    // values of the page
	reps, defs hybrid // levels, where the column has such
	values     parquetValues
}

// parquetValue is a value, or null, with its levels. Its bytes hold until the next.
type parquetValue struct {
	bytes     []byte
	null      bool
	reps, def int
}

// chunk begins to read a column of a row group; it is to be closed.
func (r *parquetReader) chunk(group int, column *parquetColumn) (*parquetChunk, error) {
	of := &r.file.Metadata().RowGroups[group].Columns[column.leaf]
	meta := &of.MetaData
	c := &parquetChunk{r: r, column: column, codec: meta.Codec, at: meta.DataPageOffset}
	if dictionary := meta.DictionaryPageOffset; dictionary > 0 {
		c.at = min(c.at, dictionary)
	}
	c.end = c.at + meta.TotalCompressedSize
	switch name := r.codecs.unknown(c.codec); {
	case of.FilePath != "":
		return nil, r.src.Errorf(0, 0, "the values of the column %q are in another file; write one file", column.name)
	case name != "":
		return nil, r.src.Errorf(0, 0, "the column %q is compressed by the codec %s, which is not read; write the file again with zstd, snappy, gzip, brotli, lz4_raw or none", column.name, name)
	case c.at < 0 || meta.TotalCompressedSize < 0 || c.end < c.at || c.end > r.file.Size():
		return nil, errors.New("a column lies outside of the file")
	}
	return c, nil
}

func (c *parquetChunk) close() { c.r.src.Give(c.taken) }

// damaged names the column in an error of its pages.
func (c *parquetChunk) damaged(err error) error {
	var known *dataset.Error
	if err == io.EOF || errors.As(err, &known) {
		return err
	}
	return c.r.src.Damagedf("the column %q is damaged or cut off (%v); fetch or write the file again", c.column.name, err)
}

// noEOF makes an end inside a page an error.
func noEOF(err error) error {
	if err == io.EOF {
		return errPageCut
	}
	return err
}

// room makes a slice as long, and counts what more it takes.
func (c *parquetChunk) room(b []byte, size int) ([]byte, error) {
	if size <= cap(b) {
		return b[:size], nil
	}
	more := size - cap(b)
	if err := c.r.src.Take(more, fmt.Sprintf("a page of the column %q", c.column.name)); err != nil {
		return nil, err
	}
	c.taken += more
	return make([]byte, size), nil
}

// next returns the next value; after the last the error is io.EOF.
func (c *parquetChunk) next() (v parquetValue, err error) {
	for c.left == 0 {
		if c.at >= c.end {
			return v, io.EOF
		}
		if err := c.page(); err != nil {
			return v, noEOF(err)
		}
	}
	if c.left--; c.left%1024 == 0 {
		if err := c.r.src.Going(c.r.labels.Len()); err != nil {
			return v, err
		}
	}
	if c.column.reps > 0 {
		level, err := c.reps.next()
		if v.reps = int(level); err != nil {
			return v, err
		}
	}
	if c.column.defs > 0 {
		level, err := c.defs.next()
		if v.def = int(level); err != nil || v.def > c.column.defs {
			return v, errors.Join(err, errPageValues)
		}
	}
	if v.null = v.def < c.column.defs; v.null {
		return v, nil
	}
	if v.bytes, err = c.values.next(); err != nil {
		return v, err
	}
	switch size := len(v.bytes); {
	case c.column.bytes > 0 && size != c.column.bytes, c.column.value == valueDecimal && size > mostDecimal:
		err = errPageValues
	case c.column.value == valueNull:
		v.null = true
	}
	return v, err
}

// page goes to the next page of values, and reads a dictionary on its way.
func (c *parquetChunk) page() error {
	var page parquetformat.PageHeader
	if err := c.header(&page); err != nil {
		return err
	}
	data := page.DataPageHeader.V
	later := page.DataPageHeaderV2.V
	claimed := int64(max(data.NumValues, later.NumValues, page.DictionaryPageHeader.V.NumValues))
	packed, unpacked := int64(page.CompressedPageSize), int64(page.UncompressedPageSize)
	const (
		values    = 1 << 22  // in a page, beyond one for each of its bytes
		allowance = 64 << 20 // bytes of a page that was compressed to nothing
		ratio     = 256      // of compression beyond that
	)
	if packed < 0 || packed > c.end-c.at || unpacked < 0 || unpacked > allowance+ratio*packed || claimed > values+unpacked {
		return errors.New("a page has an impossible size")
	}
	var err error
	if c.packed, err = c.room(c.packed, int(packed)); err != nil {
		return err
	}
	if _, err := c.r.at.ReadAt(c.packed, c.at); err != nil && err != io.EOF {
		return err
	}
	c.at += packed
	if page.CRC != 0 && uint32(page.CRC) != crc32.ChecksumIEEE(c.packed) {
		return errors.New("the checksum of a page is another")
	}
	switch page.Type {
	case parquetformat.DictionaryPage:
		return c.readDictionary(&page)
	case parquetformat.DataPage:
		return c.readPage(&page)
	case parquetformat.DataPageV2:
		return c.readPageV2(&page)
	}
	return nil
}

// header reads the header of a page.
func (c *parquetChunk) header(page *parquetformat.PageHeader) error {
	section := io.NewSectionReader(c.r.at, c.at, c.end-c.at)
	in := c.r.headers
	in.Reset(section)
	claims := thriftSize{in: in, left: c.end - c.at}
	if err := claims.walk(thriftLevels); err != nil {
		return err
	}
	size := c.end - c.at - claims.left
	if err := c.r.src.Take(int(claims.bytes), "the description of a page"); err != nil {
		return err
	}
	defer c.r.src.Give(int(claims.bytes))
	if _, err := section.Seek(0, io.SeekStart); err != nil {
		return err
	}
	in.Reset(section)
	var protocol thrift.CompactProtocol
	c.at += size
	return thrift.NewDecoder(protocol.NewReader(in)).Decode(page)
}

// unpack returns what the last bytes of a page hold, which were packed to so many.
func (c *parquetChunk) unpack(packed []byte, size int) ([]byte, error) {
	if c.codec == parquetformat.Uncompressed {
		if size != len(packed) {
			return nil, errPageSize
		}
		return packed, nil
	}
	if size <= 0 {
		return nil, nil
	}
	var err error
	if c.unpacked, err = c.room(c.unpacked, size); err != nil {
		return nil, err
	}
	return c.unpacked, c.r.codecs.unpack(c.codec, c.unpacked, packed)
}

// readDictionary reads a page of plain values, of which it keeps the room.
func (c *parquetChunk) readDictionary(page *parquetformat.PageHeader) error {
	data, err := c.unpack(c.packed, int(page.UncompressedPageSize))
	if err != nil {
		return err
	}
	encoding := page.DictionaryPageHeader.V.Encoding
	if c.dictionary != nil || encoding != parquetformat.Plain && encoding != dictionaryOf1 {
		return errPageValues
	}
	if c.column.bytes == 0 {
		if err := c.r.src.Take(len(data), "the values of a dictionary"); err != nil { // each takes 4 bytes at least
			return err
		}
		c.taken += len(data)
	}
	c.dictionary, err = newParquetDictionary(data, c.column.bytes)
	if c.codec == parquetformat.Uncompressed {
		c.packed = nil
	} else {
		c.unpacked = nil
	}
	return err
}

// readPage reads a page of values of the first version: the levels are packed too, and begin with their size.
func (c *parquetChunk) readPage(page *parquetformat.PageHeader) error {
	h := &page.DataPageHeader.V
	data, err := c.unpack(c.packed, int(page.UncompressedPageSize))
	if err != nil {
		return err
	}
	for _, level := range []struct {
		of       *hybrid
		most     int
		encoding parquetformat.Encoding
	}{{&c.reps, c.column.reps, h.RepetitionLevelEncoding}, {&c.defs, c.column.defs, h.DefinitionLevelEncoding}} {
		if level.most == 0 {
			continue
		}
		if level.encoding != parquetformat.RLE {
			return c.r.src.Errorf(0, 0, "the levels of the column %q are encoded as %s, which is not read; write the file again", c.column.name, level.encoding)
		}
		*level.of = hybrid{width: bits.Len(uint(level.most))}
		if level.of.data, data, err = prefixed(data); err != nil {
			return err
		}
	}
	return c.begin(h.Encoding, int(h.NumValues), data)
}

// readPageV2 reads a page of values of the second version: the levels stand before what is packed.
func (c *parquetChunk) readPageV2(page *parquetformat.PageHeader) error {
	h := &page.DataPageHeaderV2.V
	data := c.packed
	reps, defs := int64(h.RepetitionLevelsByteLength), int64(h.DefinitionLevelsByteLength)
	if reps < 0 || defs < 0 || reps+defs > int64(len(data)) {
		return errPageCut
	}
	c.reps = hybrid{data: data[:reps], width: bits.Len(uint(c.column.reps))}
	c.defs = hybrid{data: data[reps : reps+defs], width: bits.Len(uint(c.column.defs))}
	data = data[reps+defs:]
	if !h.IsCompressed.Valid || h.IsCompressed.V {
		var err error
		if data, err = c.unpack(data, int(int64(page.UncompressedPageSize)-reps-defs)); err != nil {
			return err
		}
	}
	return c.begin(h.Encoding, int(h.NumValues), data)
}

// begin begins the values of a page.
func (c *parquetChunk) begin(encoding parquetformat.Encoding, n int, data []byte) (err error) {
	if n < 0 {
		return errPageValues
	}
	if c.values, err = c.column.decode(encoding, data, n, c.dictionary); err == nil && c.values == nil {
		err = c.r.src.Errorf(0, 0, "the column %q is encoded as %s, which is not read for its type; write the file again", c.column.name, encoding)
	}
	c.left = n
	return err
}

// each calls f for all values of a column in a row group.
func (r *parquetReader) each(group int, column *parquetColumn, f func(parquetValue) error) error {
	c, err := r.chunk(group, column)
	if err != nil {
		return err
	}
	defer c.close()
	for {
		v, err := c.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return c.damaged(err)
		}
		if err := f(v); err != nil {
			return err
		}
	}
}
