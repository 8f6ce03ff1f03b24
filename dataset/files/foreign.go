package files

import (
	"bytes"
	"slices"

	"lapsvm/dataset"
	"lapsvm/internal/system/fault"
)

// foreignMark is what files begin with that no format here reads.
type foreignMark struct {
	mark, what, advice string
	at                 int // bytes before the mark
}

const asTable = "save it as CSV, or as Parquet"

// foreignMarks are those of files that people have.
func foreignMarks() []foreignMark {
	return []foreignMark{
		{mark: "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", what: "an old Excel workbook (.xls), or one with a password", advice: "save it as .xlsx without a password, or as CSV"},
		{mark: "\x89HDF\r\n\x1a\n", what: "HDF5, as MATLAB 7.3 and pandas write it", advice: "save arrays as npz, a MAT-file with -v7, and tables as Parquet or CSV"},
		{mark: "<stata_dta>", what: "Stata's data", advice: asTable}, {mark: "q\x02\x01\x00", what: "Stata's data", advice: asTable}, {mark: "q\x01\x01\x00", what: "Stata's data", advice: asTable},
		{mark: "r\x02\x01\x00", what: "Stata's data", advice: asTable}, {mark: "r\x01\x01\x00", what: "Stata's data", advice: asTable}, {mark: "s\x02\x01\x00", what: "Stata's data", advice: asTable},
		{mark: "$FL2", what: "SPSS' data", advice: asTable}, {mark: "$FL3", what: "SPSS' data", advice: asTable},
		{mark: "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xc2\xea\x81\x60\xb3\x14\x11\xcf\xbd\x92\x08\x00\x09\xc7\x31\x8c", what: "SAS' data", advice: asTable},
		{mark: "RDX2\n", what: "R's data (.RData)", advice: "write it in R with write.csv, or with nanoparquet or arrow"}, {mark: "RDX3\n", what: "R's data (.RData)", advice: "write it in R with write.csv, or with nanoparquet or arrow"},
		{mark: "X\n\x00\x00\x00", what: "R's data (.rds)", advice: "write it in R with write.csv, or with nanoparquet or arrow"},
		{mark: "FEA1", what: "Feather of version 1", advice: "write Feather of version 2, which is Arrow"},
		{mark: "Obj\x01", what: "Avro", advice: asTable}, {mark: "ORC", what: "ORC", advice: asTable},
		{mark: "%PDF-", what: "a PDF", advice: "copy its table into a sheet, and save that as CSV"},
		{mark: "\x80\x02", what: "a pickle of Python, which could run what it likes", advice: "save with to_parquet, to_csv or numpy.savez"},
		{mark: "\x80\x03", what: "a pickle of Python, which could run what it likes", advice: "save with to_parquet, to_csv or numpy.savez"},
		{mark: "\x80\x04\x95", what: "a pickle of Python, which could run what it likes", advice: "save with to_parquet, to_csv or numpy.savez"},
		{mark: "\x80\x05\x95", what: "a pickle of Python, which could run what it likes", advice: "save with to_parquet, to_csv or numpy.savez"},
		{mark: "7z\xbc\xaf\x27\x1c", what: "a 7z archive", advice: "unpack it first"}, {mark: "Rar!\x1a\x07", what: "a RAR archive", advice: "unpack it first"},
		{mark: "ustar", at: 257, what: "a tar archive", advice: "unpack it first"},
		{mark: "<!doctype html", what: "a web page", advice: "download the file itself, or save its table as CSV"}, {mark: "<html", what: "a web page", advice: "download the file itself, or save its table as CSV"},
		{mark: "<table", what: "a web page", advice: "download the file itself, or save its table as CSV"},
		{mark: "version https://git-lfs", what: "a pointer of Git LFS, in the place of the file", advice: "fetch the file with git lfs pull"},
	}
}

// isForeign refuses a file that none of the formats of text reads, by its first bytes, or one of another format than its name says.
func (s *source) isForeign(form Format) error {
	head, _ := s.Peek(512) // an error comes again
	lower := bytes.ToLower(bytes.TrimLeft(head, " \t\r\n"))
	for _, f := range foreignMarks() {
		if len(head) >= f.at && bytes.HasPrefix(head[f.at:], []byte(f.mark)) || f.mark[0] == '<' && bytes.HasPrefix(lower, []byte(f.mark)) {
			return s.Errorf(0, 0, "%s", fault.Format.Messagef("is %s, which is not read; "+f.advice, f.what))
		}
	}
	if form.Name == "" {
		return nil // it is looked into
	}
	for _, other := range Formats() {
		if slices.ContainsFunc(other.marks, func(mark string) bool { return bytes.HasPrefix(head, []byte(mark)) }) {
			return s.Errorf(0, 0, "%s", fault.Format.Messagef("is no %s, but %s by its first bytes; rename it, or give %s", form.Name, other.Name, dataset.Option{Name: "Format", Value: other.Name}))
		}
	}
	return nil
}

// foreign says that the first bytes are no text.
func (s *source) foreign() error {
	return fault.Format.Messagef("%s; it has zero bytes, so it is no text, or UTF-16 without a mark (%s)", s.unknown(), dataset.Option{Name: "Charset", Value: "utf-16le"})
}
