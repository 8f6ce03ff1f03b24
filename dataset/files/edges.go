package files

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"lapsvm/dataset"
	"lapsvm/dataset/internal/number"
	"lapsvm/dataset/internal/quote"
)

// ReadEdges reads the edges between rows from a file:
//
//   - a table, in any format of tables: the rows that an edge joins, in the columns from and to, or
//     source and target, and perhaps its weight, in the column weight; of a table without names of
//     columns these are the first two, and the third. Rows are told by their names or by their numbers
//     from 1 on. A weight is 1 by default. Columns of text may have blanks between them. Lines of text before the table that begin with
//     # or % are comments, unless the name of a row does so;
//   - a matrix, of which row i and column j have the weight of the edge from row i to row j, 0 for none: a sparse one of SciPy in
//     an npz file, or an array in an npz, npy or mat file;
//   - a matrix in the coordinate format of Matrix Market (.mtx), likewise.
//
// Each edge holds in both directions, see [dataset.NewEdges]. The notes say what was made of the file.
// What does not fit is a [*dataset.Error] with the line. Memory: three times that of the edges.
func ReadEdges(path string, rows EdgeRows, o Options) (*dataset.Edges, []dataset.Note, error) {
	arcs, _, err := readArcs(path, ends{rows, rows, false}, o)
	if err != nil {
		return nil, nil, err
	}
	e, counts := dataset.NewEdges(arcs)
	if e.Len() == 0 {
		return nil, nil, &dataset.Error{File: path, Msg: dataset.Messagef("there is no edge between two rows; check how the file was made")}
	}
	if err := e.Check(rows.Len); err != nil {
		return nil, nil, &dataset.Error{File: path, Msg: dataset.Messagef("%s", err)}
	}
	return e, edgeNotes(path, e, rows.Len, counts), nil
}

// ReadEdgesTo reads the edges of rows to others, such as of new rows to those of a training, from a file as of [ReadEdges]. Where both
// have names, an edge may be written in either direction, and edges that do not join a row to one of the others are left out. Else it
// leads from a row to one of the others. A matrix has a row for each of the rows and a column for each of the others. The
// weights of equal arcs are as [dataset.NewEdges] makes them. From of an arc is the row, and To the other one. It returns also what was left out, in words.
func ReadEdgesTo(path string, rows, others EdgeRows, o Options) ([]dataset.Arc, []dataset.Note, error) {
	arcs, skipped, err := readArcs(path, ends{rows, others, true}, o)
	if err != nil {
		return nil, nil, err
	}
	e, counts := dataset.NewEdges(arcs)
	joined := make(map[int]bool)
	arcs = arcs[:0]
	for k := range e.Len() {
		a := dataset.Arc{From: int(e.From[k]), To: int(e.To[k]) - rows.Len, Weight: e.Weight[k]}
		arcs, joined[a.From] = append(arcs, a), true
	}
	if len(arcs) == 0 {
		return nil, nil, &dataset.Error{File: path, Msg: dataset.Messagef("there is no edge of a row to one of the training; check how the file was made")}
	}
	text := fmt.Sprintf("%s: %s of %d of %d rows to those of the training", path, countedEdges(len(arcs)), len(joined), rows.Len)
	if skipped > 0 {
		text += fmt.Sprintf("; %d left out", skipped)
	}
	if counts.Negative > 0 {
		text += fmt.Sprintf("; %d of negative weight say that two rows are not of one class", counts.Negative)
	}
	return arcs, []dataset.Note{{Message: dataset.Messagef("%s", text)}}, nil
}

// readArcs reads edges as they are written, and how many were left out as they do not lead from the one to the other.
func readArcs(path string, rows ends, o Options) (arcs []dataset.Arc, skipped int, err error) {
	f, err := openFile(path)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	head := make([]byte, len(matrixMarket))
	n, _ := f.ReadAt(head, 0) // a pipe is read as its name tells
	base := strings.ToLower(path)
	switch base = strings.TrimSuffix(base, Compression(base)); {
	case strings.HasSuffix(base, ".mtx"), strings.EqualFold(string(head[:n]), matrixMarket):
		arcs, err = readMatrixMarket(f, path, rows, o)
	case strings.HasSuffix(base, ".npy"), strings.HasSuffix(base, ".mat"):
		arcs, err = readMatrixOfEdges(path, "", rows, o)
	case strings.HasSuffix(base, ".npz"), bytes.HasPrefix(head[:n], []byte("PK")):
		arcs, err = readMatrixOfEdges(path, NPZ, rows, o)
	default:
		arcs, skipped, err = readTableOfEdges(path, rows, o)
	}
	return arcs, skipped, err
}

// matrixMarket begins a file of Matrix Market.
const matrixMarket = "%%MatrixMarket"

// edgeNotes says what was made of arcs.
func edgeNotes(path string, e *dataset.Edges, rows int, c dataset.EdgeCounts) []dataset.Note {
	var notes []dataset.Note
	note := func(format string, args ...any) {
		notes = append(notes, dataset.Note{Message: dataset.Messagef(format, args...)})
	}
	joined := make([]bool, rows)
	for k := range e.From {
		joined[e.From[k]], joined[e.To[k]] = true, true
	}
	isolated := 0
	for _, is := range joined {
		if !is {
			isolated++
		}
	}
	line := fmt.Sprintf("%s: %s between %d of %d rows", path, countedEdges(e.Len()), rows-isolated, rows)
	if c.OneWay > 0 && c.BothWays > 0 {
		line += fmt.Sprintf("; %d are given in one direction alone, and hold in both", c.OneWay)
	}
	if c.Negative > 0 {
		line += fmt.Sprintf("; %d of negative weight say that two rows are not of one class", c.Negative)
	}
	note("%s", line)
	if c.Loops > 0 {
		note("%s: left out: %s from a row to itself", path, countedEdges(c.Loops))
	}
	if c.Zero > 0 {
		note("%s: left out: %s of weight 0", path, countedEdges(c.Zero))
	}
	return notes
}

func countedEdges(n int) string {
	if n == 1 {
		return "1 edge"
	}
	return fmt.Sprintf("%d edges", n)
}

// edgeColumns are the names of the columns of edges.
var edgeColumns = [3][]string{{"from", "source", "src"}, {"to", "target", "dst"}, {"weight", "w", "value"}}

// readTableOfEdges reads edges as the rows of a table.
func readTableOfEdges(path string, rows ends, o Options) (arcs []dataset.Arc, skipped int, err error) {
	d, err := ReadFile(path, Options{TextAlone: true, Header: HeaderNo, comments: !rows.from.commented() && !rows.to.commented(), Memory: o.Memory, Progress: o.Progress, Decimal: o.Decimal})
	if err != nil {
		return nil, 0, err
	}
	find, names, first := rows.finder(), d.Kept.Names, 0
	at, named := placesOfEdges(names)
	why := "the columns are " + quote.Names(names)
	if !named && unnamed(names) && len(names) >= 2 && len(d.Kept.Rows) > 0 { // the first row may have names, or be an edge
		row := d.Kept.Rows[0]
		_, unknown := find(row[0], row[1])
		switch at, named = placesOfEdges(row); {
		case named:
			first = 1
		case unknown == nil && len(row) <= 3, areNumbers(row[:2]):
			if at, named = [3]int{0, 1, -1}, true; len(row) > 2 {
				at[2] = 2
			}
		case unknown != nil:
			why = fmt.Sprintf("the first row (%s) is neither an edge of known rows nor a header", quote.Names(row))
		}
	}
	if !named {
		return nil, 0, &dataset.Error{File: path, Line: 1, Msg: dataset.Messagef("%s: call the columns of the two rows of an edge from and to, and that of its weight, if there is one, weight", why)}
	}
	for k := first; k < len(d.Kept.Rows); k++ {
		fields := d.Kept.Rows[k]
		fail := func(err error) ([]dataset.Arc, int, error) {
			e := &dataset.Error{File: path, Msg: dataset.Messagef("%s", err)}
			if d.Lines != nil {
				e.Line = d.Lines[k]
			} else {
				e.Msg = dataset.Messagef("row %d: %s", k+1, err)
			}
			return nil, 0, e
		}
		found, err := find(fields[at[0]], fields[at[1]])
		weight := 1.0
		if err == nil && at[2] >= 0 {
			weight, err = weightOf(fields[at[2]])
		}
		if err != nil {
			return fail(err)
		}
		for _, a := range found {
			a.Weight = weight
			arcs = append(arcs, a)
		}
		if found == nil {
			skipped++
		}
	}
	return arcs, skipped, nil
}

// placesOfEdges returns which columns have the two rows of an edge and its weight, −1 for none. It reports whether the rows have columns.
func placesOfEdges(names []string) (at [3]int, found bool) {
	for k, called := range edgeColumns {
		at[k] = slices.IndexFunc(names, func(name string) bool {
			return slices.ContainsFunc(called, func(s string) bool { return strings.EqualFold(s, strings.TrimSpace(name)) })
		})
	}
	return at, at[0] >= 0 && at[1] >= 0
}

// unnamed reports whether columns have the names of a table without a header.
func unnamed(names []string) bool {
	for c, name := range names {
		if name != "x"+strconv.Itoa(c+1) {
			return false
		}
	}
	return true
}

// areNumbers reports whether all fields are numbers. Such fields are no names of columns.
func areNumbers(fields []string) bool {
	return !slices.ContainsFunc(fields, func(text string) bool {
		_, err := number.Parse(strings.TrimSpace(text))
		return err != nil
	})
}

// weightOf reads the weight of an edge. Without one it is 1. A weight that was computed as NaN is an error.
func weightOf(text string) (float64, error) {
	if text = strings.TrimSpace(text); text == "" {
		return 1, nil
	}
	v, err := number.Parse(text)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("the weight is %.60q, and no finite number", text)
	}
	return v, nil
}

// readMatrixOfEdges reads a matrix of NumPy, SciPy or MATLAB.
func readMatrixOfEdges(path, format string, rows ends, o Options) ([]dataset.Arc, error) {
	d, err := ReadFile(path, Options{Format: format, Features: rows.to.Len, MayLackLabels: true, Memory: o.Memory})
	if err != nil {
		return nil, err
	}
	if err := rows.sized(path, 0, d.Points.Len(), d.Points.Dim()); err != nil {
		return nil, err
	}
	var arcs []dataset.Arc
	add := func(i, j int, v float64) {
		if v != 0 {
			arcs = append(arcs, dataset.Arc{From: i, To: rows.other(j), Weight: v})
		}
	}
	row := make([]float64, d.Points.Dim())
	for i := range d.Points.Len() {
		if d.Points.Sparse() {
			index, value := d.Points.SparseRow(i)
			for k, j := range index {
				add(i, int(j), value[k])
			}
			continue
		}
		d.Points.CopyRow(row, i)
		for j, v := range row {
			add(i, j, v)
		}
	}
	return arcs, nil
}

// readMatrixMarket reads a matrix in the coordinate format of Matrix Market. (Boisvert, Pozo and
// Remington, "The Matrix Market exchange formats", NISTIR 5935, 1996.)
func readMatrixMarket(r io.Reader, path string, rows ends, o Options) ([]dataset.Arc, error) {
	src, err := open(r, path, o.memory(), nil)
	if err != nil {
		return nil, err
	}
	defer src.close()
	lines := linesOf(src)
	first, err := lines.next()
	if err == io.EOF {
		return nil, src.noRows()
	}
	if err != nil {
		return nil, err
	}
	head := strings.Fields(strings.ToLower(string(first)))
	if len(head) != 5 || head[0] != "%%matrixmarket" || head[1] != "matrix" || head[2] != "coordinate" ||
		!slices.Contains([]string{"real", "integer", "pattern"}, head[3]) || !slices.Contains([]string{"general", "symmetric"}, head[4]) {
		return nil, src.Errorf(1, 0, "begins with %s, but a matrix of edges begins with %%%%MatrixMarket matrix coordinate, then real, integer or pattern, then general or symmetric", quote.Field(bytes.TrimSpace(first)))
	}
	pattern, sized := head[3] == "pattern", false
	var arcs []dataset.Arc
	left := 0
	for {
		line, err := lines.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		fields := strings.Fields(string(line))
		if len(fields) == 0 || fields[0][0] == '%' {
			continue
		}
		var place [3]int
		numbers := 2
		if !sized {
			numbers = 3
		}
		if len(fields) < numbers || len(fields) != 3 && !pattern || pattern && len(fields) != numbers {
			return nil, src.Errorf(lines.n, 0, "there are %d fields in %s: the size of the matrix is three numbers, and an entry its row, its column and, unless the matrix is a pattern, its value", len(fields), quote.Field(bytes.TrimSpace(line)))
		}
		for k := range numbers {
			if place[k], err = strconv.Atoi(fields[k]); err != nil || place[k] < 0 {
				return nil, src.Errorf(lines.n, 0, "%s is no whole number from 0 on", quote.Field([]byte(fields[k])))
			}
		}
		if !sized {
			if err := rows.sized(path, lines.n, place[0], place[1]); err != nil {
				return nil, err
			}
			sized, left = true, place[2]
			continue
		}
		if i, j := place[0], place[1]; i < 1 || i > rows.from.Len || j < 1 || j > rows.to.Len {
			return nil, src.Errorf(lines.n, 0, "there is no edge from row %d to row %d: the matrix is %d×%d", i, j, rows.from.Len, rows.to.Len)
		}
		a := dataset.Arc{From: place[0] - 1, To: rows.other(place[1] - 1), Weight: 1}
		if !pattern {
			if a.Weight, err = weightOf(fields[2]); err != nil {
				return nil, src.Errorf(lines.n, 0, "%s", err)
			}
		}
		if err := src.Take(24, "the edges"); err != nil {
			return nil, err
		}
		arcs = append(arcs, a)
		left--
	}
	if left != 0 || !sized {
		return nil, src.Errorf(0, 0, "the matrix has %d entries, but its size says %d; the file may be cut off", len(arcs), len(arcs)+left)
	}
	return arcs, nil
}
