package files

import (
	"cmp"
	"io"
	"math"
	"slices"
	"strings"

	"lapsvm/dataset"
	"lapsvm/dataset/internal/quote"
	"lapsvm/points"
)

// Names of arrays that have edges, the likeliest first: matrices of weights, and pairs of rows with the weights of these.
var (
	matricesOfEdges = []string{"adj_matrix", "adj", "adjacency", "network", "A", "W", "graph", "data"}
	pairsOfEdges    = []string{"edge_index", "edges"}
	weightsOfPairs  = []string{"edge_weight", "edge_weights", "edge_attr"}
)

// edgeArrays are the arrays of a file, of which one has edges.
type edgeArrays struct {
	names []string
	shape func(name string) []int // nil for what is no array of numbers in rows and columns
	read  func(name string) (*points.Points, error)
}

// edges makes a network of the array that is wanted, or of one with a usual name, or else of the only one of a fitting shape.
func (a edgeArrays) edges(src *source, rows ends) (*network, error) {
	called, err := a.wanted(src, rows)
	if err != nil {
		return nil, err
	}
	w := newNetwork(&src.Origin, "id", "id")
	w.placed = true
	p, err := a.read(called)
	if err != nil {
		return nil, err
	}
	used := []string{called}
	if shape := a.shape(called); isPairs(called, shape, rows) {
		var weights *points.Points
		for _, name := range weightsOfPairs {
			k := slices.Index(a.names, name)
			if k < 0 {
				continue
			}
			if s := a.shape(name); len(s) == 2 && s[1] != 1 && s[0] != 1 {
				break // attributes, and no weights
			}
			if weights, err = a.read(name); err != nil {
				return nil, err
			}
			used = append(used, name)
			break
		}
		err = w.ofPairs(called, p, weights, rows)
	} else {
		err = w.ofMatrix(p, rows)
	}
	if err != nil {
		return nil, err
	}
	for _, name := range a.names {
		if !slices.Contains(used, name) {
			w.leaveOut(name)
		}
	}
	return w, nil
}

// wanted returns the name of the array of the edges.
func (a edgeArrays) wanted(src *source, rows ends) (string, error) {
	if src.part != "" {
		k, err := src.among("array", a.names)
		if err != nil {
			return "", err
		}
		return a.names[k], nil
	}
	for _, name := range slices.Concat(pairsOfEdges, matricesOfEdges) {
		if slices.Contains(a.names, name) && a.shape(name) != nil {
			return name, nil
		}
	}
	var fitting []string
	for _, name := range a.names {
		if s := a.shape(name); s != nil && (s[0] == rows.from.Len && s[1] == rows.to.Len || isPairs(name, s, rows)) {
			fitting = append(fitting, name)
		}
	}
	switch {
	case len(fitting) == 1:
		return fitting[0], nil
	case len(a.names) == 1:
		return a.names[0], nil // whose shape is told
	}
	return "", src.Errorf(0, 0, "which array has the edges? There are %s; name one, as in FILE#%s", quote.Names(a.names), cmp.Or(slices.Concat(fitting, a.names)...))
}

// isPairs reports whether an array has two rows of an edge in each column, or in each row, in place of a matrix of weights.
func isPairs(name string, shape []int, rows ends) bool {
	if shape[0] == rows.from.Len && shape[1] == rows.to.Len && !slices.Contains(pairsOfEdges, name) {
		return false
	}
	return shape[0] == 2 || shape[1] == 2 || shape[1] == 3 && slices.Contains(pairsOfEdges, name)
}

// ofPairs takes edges as pairs of rows, numbered from 0: two rows of them, or two columns, of which a third has weights. Further weights have
// one for each.
func (w *network) ofPairs(name string, p, weights *points.Points, rows ends) error {
	across := p.Len() == 2 && (p.Dim() != 2 || slices.Contains(pairsOfEdges, name))
	count := p.Len()
	if across {
		count = p.Dim()
	}
	first, second := make([]float64, p.Dim()), make([]float64, p.Dim())
	if across {
		p.CopyRow(first, 0)
		p.CopyRow(second, 1)
	}
	var given []float64
	if weights != nil {
		if weights.Len()*weights.Dim() != count {
			return w.origin.Errorf(0, 0, "there are %d weights of %d edges; write one for each", weights.Len()*weights.Dim(), count)
		}
		row := make([]float64, weights.Dim())
		for i := range weights.Len() {
			weights.CopyRow(row, i)
			given = append(given, row...)
		}
	}
	for k := range count {
		weight := 1.0
		ends := [2]float64{}
		if across {
			ends = [2]float64{first[k], second[k]}
		} else {
			p.CopyRow(first, k)
			if ends = [2]float64{first[0], first[1]}; p.Dim() > 2 {
				weight = first[2]
			}
		}
		if given != nil {
			weight = given[k]
		}
		for side, n := range []int{rows.from.Len, rows.to.Len} {
			if v := ends[side]; v != math.Trunc(v) || v < 0 || v >= float64(n) {
				return w.origin.Errorf(0, 0, "%s: edge %d has the row %v; rows are from 0 to %d in an array of pairs", name, k+1, v, n-1)
			}
		}
		if err := validWeight(weight); err != nil {
			return w.origin.Errorf(0, 0, "%s: of edge %d %s", name, k+1, err)
		}
		if err := w.link(int32(ends[0]), int32(rows.other(int(ends[1]))), weight); err != nil {
			return err
		}
	}
	w.told += ", numbered from 0"
	return nil
}

// ofMatrix takes the values of a matrix other than 0 as weights.
func (w *network) ofMatrix(p *points.Points, rows ends) error {
	if err := rows.sized(w.origin, 0, p.Len(), p.Dim()); err != nil {
		return err
	}
	add := func(i, j int, v float64) error {
		if v == 0 {
			return nil
		}
		if err := validWeight(v); err != nil {
			return w.origin.Errorf(0, 0, "row %d, column %d: %s", i+1, j+1, err)
		}
		return w.link(int32(i), int32(rows.other(j)), v)
	}
	row := make([]float64, p.Dim())
	for i := range p.Len() {
		if p.Sparse() {
			index, value := p.SparseRow(i)
			for k, j := range index {
				if err := add(i, int(j), value[k]); err != nil {
					return err
				}
			}
			continue
		}
		p.CopyRow(row, i)
		for j, v := range row {
			if err := add(i, j, v); err != nil {
				return err
			}
		}
	}
	return nil
}

// readEdgesOfNPZ reads the edges of an archive of NumPy or SciPy.
func readEdgesOfNPZ(src *source, rows ends) (*network, error) {
	archive, err := src.zip("this is no npz file, or it is damaged (%v); write it again with numpy.savez")
	if err != nil {
		return nil, err
	}
	z, names, err := newNPZ(src, archive)
	if err != nil {
		return nil, err
	}
	all := edgeArrays{
		names: z.group(names),
		shape: func(name string) []int { return z.look(name).table() },
		read: func(name string) (*points.Points, error) {
			if prefix, sparse := z.sparse[name]; sparse {
				return z.matrix(prefix)
			}
			in, h, err := z.open(name)
			if err != nil {
				return nil, err
			}
			defer in.close()
			return h.whole(in)
		},
	}
	return all.edges(src, rows)
}

// table returns the rows and columns of an array of numbers, one column for a vector; nil for other arrays.
func (a array) table() []int {
	switch {
	case !a.numbers || len(a.shape) == 0:
		return nil
	case len(a.shape) == 1:
		return []int{a.shape[0], 1}
	}
	return a.shape[:2]
}

// whole reads the values of an array behind its header, a vector as one column.
func (h npyHeader) whole(in *source) (*points.Points, error) {
	if len(h.shape) == 1 {
		h.shape = []int{h.shape[0], 1}
	}
	if err := h.isTable(in); err != nil {
		return nil, err
	}
	n, d := h.shape[0], h.width()
	if err := in.fits(h.element, n*d); err != nil {
		return nil, err
	}
	values, _, err := in.storedRows(h.element, n, d, dataset.Own{}, -1)
	if err != nil {
		return nil, err
	}
	if h.fortran {
		values.turn(h, h.columns())
	}
	return values.points(n, d), nil
}

// readEdgesOfNPY reads the edges of an array of NumPy.
func readEdgesOfNPY(src *source, rows ends) (*network, error) {
	h, err := readNPYHeader(src)
	if err != nil {
		return nil, err
	}
	const name = "the array"
	shape := array{shape: h.shape, numbers: h.numeric}.table()
	labelled := shape != nil && shape[0] == rows.from.Len && shape[1] == rows.to.Len+1 // as this program writes a matrix
	if labelled {
		shape = []int{shape[0], shape[1] - 1}
	}
	all := edgeArrays{
		names: []string{name},
		shape: func(string) []int { return shape },
		read: func(string) (*points.Points, error) {
			p, err := h.whole(src)
			if err != nil || !labelled {
				return p, err
			}
			return withoutLabels(src, p)
		},
	}
	return all.edges(src, rows)
}

// withoutLabels returns a matrix less a last column of NaN, which has no label.
func withoutLabels(src *source, p *points.Points) (*points.Points, error) {
	n, d := p.Len(), p.Dim()-1
	values, row := make([]float64, 0, n*d), make([]float64, d+1)
	for i := range n {
		if p.CopyRow(row, i); !math.IsNaN(row[d]) {
			return nil, src.Errorf(0, 0, "the matrix has a column more than there are rows; write one without labels")
		}
		values = append(values, row[:d]...)
	}
	return points.Dense(n, d, values), nil
}

// readEdgesOfMAT reads the edges of a variable of a MAT-file.
func readEdgesOfMAT(src *source, rows ends) (*network, error) {
	order, err := src.matHeader()
	if err != nil {
		return nil, err
	}
	type variableOfEdges struct {
		array
		points *points.Points
		err    error
	}
	found := map[string]variableOfEdges{}
	all := edgeArrays{
		shape: func(name string) []int { return found[name].table() },
		read:  func(name string) (*points.Points, error) { return found[name].points, found[name].err },
	}
	for {
		v, err := src.nextVariable(order)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		of := variableOfEdges{array: v.array()}
		if shape := of.table(); shape != nil && v.name != "" && (src.part == "" || strings.EqualFold(v.name, src.part)) {
			of.points, of.err = v.points()
		}
		if err := v.skip(); err != nil {
			return nil, cmp.Or(of.err, err)
		}
		if v.name != "" {
			all.names = append(all.names, v.name)
			found[v.name] = of
		}
	}
	return all.edges(src, rows)
}
