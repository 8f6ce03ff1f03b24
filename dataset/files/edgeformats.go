package files

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lapsvm/dataset"
)

// edgeFormat is a kind of files of edges. All others are tables.
type edgeFormat struct {
	name    string
	endings []string // of the names of such files, without the dot

	// begins reports whether the first bytes tell the format, whatever the file is called; nil where they do not.
	begins func(head []byte) bool

	// read reads the edges from the start of a file.
	read func(src *source, rows ends) (*network, error)
}

// edgeFormats returns the formats of edges that are no tables. Of several whose first bytes fit the first counts.
func edgeFormats() []edgeFormat {
	starts := func(marks ...string) func([]byte) bool {
		return func(head []byte) bool {
			return slices.ContainsFunc(marks, func(mark string) bool {
				return len(head) >= len(mark) && strings.EqualFold(string(head[:len(mark)]), mark)
			})
		}
	}
	return []edgeFormat{
		{"Matrix Market", []string{"mtx"}, starts(matrixMarket), readMatrixMarket},
		{"npy", []string{"npy"}, starts(npyMagic), readEdgesOfNPY},
		{"npz", []string{"npz"}, nil, readEdgesOfNPZ}, // which begins as all zip archives do
		{"mat", []string{"mat"}, starts("MATLAB 5.0", "MATLAB 7.3"), readEdgesOfMAT},
		{"GraphML", []string{"graphml"}, hasRoot("graphml"), readGraphML},
		{"GEXF", []string{"gexf"}, hasRoot("gexf"), readGEXF},
		{"GML", []string{"gml"}, beginsGML, readGML},
		{"Pajek", []string{"net", "pajek", "paj"}, starts("*vertices", "*network"), readPajek},
		{"JSON of nodes and links", nil, beginsJSONGraph, readJSONGraph},
		{"adjacency list", []string{"adjlist", "multiline_adjlist"}, nil, readAdjacency},
		{"edge list of networkx", nil, beginsEdgeDicts, readEdgeDicts},
		{"LGL", []string{"lgl"}, beginsLGL, readLGL},
	}
}

// headOfEdges is how many bytes of a file its format is told by.
const headOfEdges = 1 << 16

// edgeFormatOf returns the format of a file of edges by its first bytes, or by the name where these do not tell it; false for a table.
func edgeFormatOf(src *source, name string) (edgeFormat, bool) {
	head, _ := src.Peek(headOfEdges) // an error comes again
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte(byteOrderMark)), " \t\r\n")
	formats := edgeFormats()
	for _, f := range formats {
		if f.begins != nil && f.begins(head) {
			return f, true
		}
	}
	base := strings.ToLower(filepath.Base(name))
	base = strings.TrimSuffix(base, Compression(base))
	ending := strings.TrimPrefix(filepath.Ext(base), ".")
	for _, f := range formats {
		if slices.Contains(f.endings, ending) {
			return f, true
		}
	}
	if !src.isZip() {
		return edgeFormat{}, false
	}
	if _, err := FormatOf(name); err == nil { // an archive of a table, or a workbook
		return edgeFormat{}, false
	}
	archive, err := src.zip("the zip archive is damaged or cut off (%v); fetch or write the file again")
	if err != nil {
		return edgeFormat{}, false // it comes again
	}
	k := slices.IndexFunc(formats, func(f edgeFormat) bool { return f.name == "npz" })
	return formats[k], npzFormat().inZip(namesIn(archive))
}

// readArcs reads edges as they are written, and how many were left out as they do not lead from the one to the other.
func readArcs(path string, rows ends, o Options) (w *network, arcs []dataset.Arc, skipped int, err error) {
	if o.Budget == nil {
		o.Budget = dataset.NewMemory(o.Memory)
	}
	if isFolder(path) {
		return nil, nil, 0, &dataset.Error{File: path, Msg: dataset.Messagef("is a folder; give a file of edges")}
	}
	file, part := Locate(path)
	f, err := openFile(path)
	if err != nil {
		return nil, nil, 0, err
	}
	defer f.Close()
	if info, failed := f.Stat(); failed == nil && !info.Mode().IsRegular() { // a pipe is read once
		w, err = readEdgesOnce(f, path, rows, o)
	} else {
		w, err = readEdgesOf(f, path, file, part, rows, o)
	}
	if err != nil {
		return nil, nil, 0, err
	}
	arcs, skipped, err = w.arcs(rows)
	return w, arcs, skipped, err
}

// readEdgesOf reads the edges of a file, or of a part of it.
func readEdgesOf(f *os.File, path, file, part string, rows ends, o Options) (*network, error) {
	src, err := open(newWholeFile(f, o.Progress), file, o.Budget, o.Check)
	if err != nil {
		return nil, err
	}
	defer src.close()
	src.part = part
	if err := src.decodeMarked(); err != nil {
		return nil, err
	}
	form, is := edgeFormatOf(src, file)
	if !is {
		return readTableOfEdges(path, rows, o, func(o Options) (*dataset.Dataset, error) { return ReadFile(path, o) })
	}
	return form.read(src, rows)
}

// readEdgesOnce reads the edges of a stream.
func readEdgesOnce(f *os.File, path string, rows ends, o Options) (*network, error) {
	src, err := open(f, path, o.Budget, o.Check)
	if err != nil {
		return nil, err
	}
	defer src.close()
	if err := src.decodeMarked(); err != nil {
		return nil, err
	}
	if form, is := edgeFormatOf(src, path); is {
		return form.read(src, rows)
	}
	return readTableOfEdges(path, rows, o, func(o Options) (*dataset.Dataset, error) {
		form, err := FormatOf(path)
		if err != nil {
			form = Format{} // the first bytes tell it
		}
		if src.unmarked {
			o.Charset = ""
		}
		return read(src, path, &form, o, nil, nil)
	})
}
