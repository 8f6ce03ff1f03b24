package files

import (
	"bytes"
	"slices"

	"lapsvm/dataset"
	"lapsvm/internal/system/fault"
)

const asEdges = "write the graph as GraphML, or its edges with networkx.write_edgelist"

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
		{mark: ">>graph6<<", what: "graph6 of networkx", advice: asEdges}, {mark: ">>sparse6<<", what: "sparse6 of networkx", advice: asEdges},
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
	if e, is := s.edgesAlone(form); is {
		return s.Errorf(0, 0, "%s", fault.Format.Messagef("is a graph (%s), which has edges and no rows: give it with %s, beside a file of the rows", e.name, fault.Option{In: "Dataset", Name: "Edges"}))
	}
	if bytes.HasPrefix(lower, []byte("<?xml")) {
		return s.Errorf(0, 0, "%s", fault.Format.Messagef("is XML of a kind which is not read; "+asTable))
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

// edgesAlone returns the format of a file that has edges and no points. The first bytes tell it, or a name that is of no format of points.
func (s *source) edgesAlone(form Format) (edgeFormat, bool) {
	name := fileOf(s.File)
	if form.Name != "" {
		name = "" // it tells another
	}
	e, is := edgeFormatOf(s, name)
	if _, err := FormatCalled(e.name); !is || err == nil || form.Name != "" && e.begins == nil {
		return e, false
	}
	switch e.name {
	case "edge list of networkx": // whose rows are two names and a JSON object, as nested rows may look
		return e, false
	case "LGL": // whose first line may be a comment above a table
		return e, form.Name == ""
	case "JSON of nodes and links": // a row may have a list called nodes
		head, _ := s.Peek(headOfEdges)
		return e, bytes.Contains(head, []byte(`"nodes"`)) && slices.ContainsFunc([]string{`"links"`, `"edges"`, `"adjacency"`}, func(key string) bool { return bytes.Contains(head, []byte(key)) })
	}
	return e, true
}

// foreign says that the first bytes are no text.
func (s *source) foreign() error {
	head, _ := s.Peek(bufferSize) // an error comes again
	return fault.Format.Messagef("%s; it has zero bytes, so it is no text, or %s", s.unknown(), unmarkedCharset(head))
}

// unmarkedCharset says which encoding without a mark a text with zero bytes may have, by their places: ASCII has one of two bytes zero, or three of four.
func unmarkedCharset(head []byte) dataset.Message {
	var zeros [4]int
	for k, c := range head {
		if c == 0 {
			zeros[k%4]++
		}
	}
	name, is := "utf-16le", "UTF-16"
	switch some := len(head) / 8; {
	case min(zeros[1], zeros[2]) > some && zeros[3] > zeros[0]:
		name, is = "utf-32le", "UTF-32"
	case min(zeros[1], zeros[2]) > some && zeros[0] > zeros[3]:
		name, is = "utf-32be", "UTF-32"
	case zeros[0]+zeros[2] > zeros[1]+zeros[3]+some:
		name = "utf-16be"
	}
	return dataset.Messagef("%s without a mark; for that give %s", is, dataset.Option{Name: "Charset", Value: name})
}
