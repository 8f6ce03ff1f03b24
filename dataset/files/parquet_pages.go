package files

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	parquetformat "github.com/parquet-go/parquet-go/format"
)

// each calls f for all values of a leaf in a row group.
func (r *parquetReader) each(group int, leaf *parquet.Column, f func(parquet.Value) error) error {
	taken, _, err := r.checkPages(group, leaf)
	if err != nil {
		return err
	}
	defer r.src.Give(taken)
	pages := r.file.RowGroups()[group].ColumnChunks()[leaf.Index()].Pages()
	defer pages.Close()
	for {
		page, err := pages.ReadPage()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		err = r.eachOfPage(page, f)
		parquet.Release(page)
		if err != nil {
			return err
		}
	}
}

func (r *parquetReader) eachOfPage(page parquet.Page, f func(parquet.Value) error) error {
	values := page.Values()
	for {
		if err := r.src.Going(r.labels.Len()); err != nil {
			return err
		}
		n, err := values.ReadValues(r.batch[:])
		for _, v := range r.batch[:n] {
			if err := f(v); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if n == 0 {
			return io.ErrNoProgress
		}
	}
}

// checkPages checks the headers of the pages of a leaf in a row group. It fails for sizes that the
// file cannot hold or that no writer makes, because the library allocates the sizes claimed. It
// counts the values, and the memory of the dictionary and the largest page, which is given back
// when they are read.
func (r *parquetReader) checkPages(group int, leaf *parquet.Column) (taken, found int, err error) {
	c := &r.file.Metadata().RowGroups[group].Columns[leaf.Index()].MetaData
	const (
		values    = 1 << 22  // in a page, beyond one for each of its bytes
		allowance = 64 << 20 // bytes of a page that was compressed to nothing
		ratio     = 256      // of compression beyond that
		value     = 6        // bytes of its levels, and its place in a dictionary
	)
	if c.Codec == parquetformat.Lz4 || c.Codec == parquetformat.Lz4Raw || c.Codec == parquetformat.LZO { // of which the library loses whole pages
		return 0, 0, r.src.Errorf(0, 0, "the column %q is compressed by %v, which is not read; write the file with snappy, zstd or gzip", leaf.Name(), c.Codec)
	}
	var dictionary, largest int64 // bytes
	at, size := c.DataPageOffset, c.TotalCompressedSize
	if c.DictionaryPageOffset != 0 {
		at = c.DictionaryPageOffset
	}
	if at < 0 || size < 0 || size > r.file.Size() || at > r.file.Size()-size {
		return 0, 0, errors.New("a column lies outside of the file")
	}
	var protocol thrift.CompactProtocol
	for end := at + size; at < end; {
		section := io.NewSectionReader(r.at, at, end-at)
		in := bufio.NewReaderSize(section, 512)
		claims := thriftSize{in: in, left: end - at}
		if err := claims.walk(thriftLevels); err != nil {
			return 0, 0, err
		}
		if _, err := section.Seek(0, io.SeekStart); err != nil {
			return 0, 0, err
		}
		in.Reset(section)
		var page parquetformat.PageHeader
		if err := thrift.NewDecoder(protocol.NewReader(in)).Decode(&page); err != nil {
			return 0, 0, err
		}
		read, _ := section.Seek(0, io.SeekCurrent)
		at += read - int64(in.Buffered()) + int64(page.CompressedPageSize)
		count := max(page.DataPageHeader.V.NumValues, page.DataPageHeaderV2.V.NumValues, page.DictionaryPageHeader.V.NumValues)
		packed, unpacked := int64(page.CompressedPageSize), int64(page.UncompressedPageSize)
		if packed < 0 || at > end || unpacked > allowance+ratio*packed || int64(count) > values+unpacked {
			return 0, 0, errors.New("a page has an impossible size")
		}
		bytes := claims.bytes + packed + 2*unpacked + value*int64(count)
		if page.Type == parquetformat.DictionaryPage {
			dictionary += bytes
		} else {
			found += int(count)
		}
		largest = max(largest, bytes)
	}
	taken = int(dictionary + largest)
	return taken, found, r.src.Take(taken, fmt.Sprintf("a page of the column %q", leaf.Name()))
}
