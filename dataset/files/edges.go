package files

import (
	"fmt"

	"lapsvm/dataset"
)

// ReadEdges reads the edges between rows from a file. It may be
//
//   - a table, in any format of tables: the rows that an edge joins, in the columns from and to, or
//     source and target, and perhaps its weight, in the column weight; of a table without names of
//     columns these are the first two, and the third. Columns of text may have blanks between them.
//     Lines of text that begin with # or % are comments, unless the name of a row does so;
//   - a graph: GraphML, GML, GEXF, Pajek, node-link JSON or Cytoscape's, or adjacency or edge lists of networkx;
//   - a matrix, of which row i and column j have the weight of the edge from row i to row j, 0 for none: in
//     the coordinates of Matrix Market, or an array, dense or sparse, in an npz, npy or mat file;
//   - an array of pairs of rows, such as the edge_index of PyTorch Geometric, in such a file.
//
// Tables and graphs tell rows by their names, or by their numbers: from 1 on, or from 0 on where a row 0 occurs and no row n. A weight is 1 by default.
// Each edge holds in both directions, see [dataset.NewEdges]. The notes say what was made of the file, and what of it is not read.
// What does not fit is a [*dataset.Error] with the line. Memory: three times that of the edges.
func ReadEdges(path string, rows EdgeRows, o Options) (dataset.Edges, []dataset.Note, error) {
	w, arcs, _, err := readArcs(path, ends{rows, rows, false}, o)
	if err != nil {
		return dataset.Edges{}, nil, err
	}
	e, counts := dataset.NewEdges(arcs)
	if e.Len() == 0 {
		return dataset.Edges{}, nil, &dataset.Error{File: path, Msg: dataset.Messagef("there is no edge between two rows; check how the file was made")}
	}
	if err := e.Check(rows.Len); err != nil {
		return dataset.Edges{}, nil, &dataset.Error{File: path, Msg: dataset.Messagef("%s", err)}
	}
	return e, append(edgeNotes(path, e, rows.Len, counts, w.told), w.furtherNotes()...), nil
}

// ReadEdgesTo reads the edges of rows to others, such as of new rows to those of a training, from a file as of [ReadEdges]. Where both
// have names, an edge may be written in either direction, and edges that do not join a row to one of the others are left out. Else it
// leads from a row to one of the others. A matrix has a row for each of the rows and a column for each of the others. The
// weights of equal arcs are as [dataset.NewEdges] makes them. From of an arc is the row, and To the other one. It returns also what was left out, in words.
func ReadEdgesTo(path string, rows, others EdgeRows, o Options) ([]dataset.Arc, []dataset.Note, error) {
	w, arcs, skipped, err := readArcs(path, ends{rows, others, true}, o)
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
	text := fmt.Sprintf("%s: %s of %d of %d rows to those of the training%s", path, countedEdges(len(arcs)), len(joined), rows.Len, w.told)
	if skipped > 0 {
		text += fmt.Sprintf("; %d left out", skipped)
	}
	if counts.Negative > 0 {
		text += fmt.Sprintf("; %d of negative weight say that two rows are not of one class", counts.Negative)
	}
	return arcs, append([]dataset.Note{{Message: dataset.Messagef("%s", text)}}, w.furtherNotes()...), nil
}

// edgeNotes says what was made of arcs, and how the file tells rows.
func edgeNotes(path string, e dataset.Edges, rows int, c dataset.EdgeCounts, told string) []dataset.Note {
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
	line := fmt.Sprintf("%s: %s between %d of %d rows%s", path, countedEdges(e.Len()), rows-isolated, rows, told)
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
