package files

import (
	"bufio"
	"errors"
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	parquetformat "github.com/parquet-go/parquet-go/format"
)

// each calls f for all values of a leaf in a row group.
func (r *parquetReader) each(group int, leaf *parquet.Column, f func(parquet.Value) error) error {
	if err := r.checkPages(&r.file.Metadata().RowGroups[group].Columns[leaf.Index()].MetaData); err != nil {
		return err
	}
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

// checkPages goes through the headers of a chunk's pages and refuses sizes that
// the file cannot hold or that no writer makes, since the library allocates what
// they claim.
func (r *parquetReader) checkPages(c *parquetformat.ColumnMetaData) error {
	const (
		values    = 1 << 22  // in a page, beyond one for each of its bytes
		allowance = 64 << 20 // bytes of a page that was compressed to nothing
		ratio     = 256      // of compression beyond that
	)
	at, size := c.DataPageOffset, c.TotalCompressedSize
	if c.DictionaryPageOffset != 0 {
		at = c.DictionaryPageOffset
	}
	if at < 0 || size < 0 || size > r.file.Size() || at > r.file.Size()-size {
		return errors.New("a column lies outside of the file")
	}
	var protocol thrift.CompactProtocol
	for end := at + size; at < end; {
		section := io.NewSectionReader(r.at, at, end-at)
		in := bufio.NewReaderSize(section, 512)
		var page parquetformat.PageHeader
		if err := thrift.NewDecoder(protocol.NewReader(in)).Decode(&page); err != nil {
			return err
		}
		read, _ := section.Seek(0, io.SeekCurrent)
		at += read - int64(in.Buffered()) + int64(page.CompressedPageSize)
		count := max(page.DataPageHeader.V.NumValues, page.DataPageHeaderV2.V.NumValues, page.DictionaryPageHeader.V.NumValues)
		packed, unpacked := int64(page.CompressedPageSize), int64(page.UncompressedPageSize)
		if packed < 0 || at > end || unpacked > allowance+ratio*packed || int64(count) > values+unpacked {
			return errors.New("a page has an impossible size")
		}
	}
	return nil
}
