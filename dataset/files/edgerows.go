package files

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"lapsvm/dataset"
)

// EdgeRows are the rows that edges join.
type EdgeRows struct {
	Len   int
	Names []string // of the rows; nil where edges tell them by number alone
	Named bool     // edges tell rows by names alone
}

// commented reports whether the name of a row begins as a comment does.
func (r EdgeRows) commented() bool {
	return slices.ContainsFunc(r.Names, func(name string) bool { return isComment([]byte(name)) })
}

// finder returns the function that finds a row by its name or number.
func (r EdgeRows) finder() func(text string) (int, error) {
	var named dataset.NamedRows
	for i, name := range r.Names {
		named.Add(name, i)
	}
	return func(text string) (int, error) {
		text = strings.TrimSpace(text)
		i, ok := named.Called(text)
		if !ok && r.Named {
			i, ok = named.Numbered(text)
		}
		switch {
		case ok && i == dataset.SeveralRows:
			return 0, fmt.Errorf("several rows are called %.60q: tell rows by their numbers from 1 on, without an id", text)
		case ok:
			return i, nil
		case r.Named:
			return 0, fmt.Errorf("no row is called %.60q: give the data that these edges belong to, with the rows' names in the column of the id", text)
		}
		i, err := strconv.Atoi(text)
		if err != nil || i < 1 || i > r.Len {
			return 0, fmt.Errorf("there is no row %.60q: rows are from 1 to %d, or have names in a column of the id", text, r.Len)
		}
		return i - 1, nil
	}
}

// ends are the rows that edges lead from, and those that they lead to: the same rows, or others.
type ends struct {
	from, to EdgeRows
	apart    bool
}

// other returns the number of a row that edges lead to. Where it is another one, it comes behind those that edges lead from.
func (r ends) other(j int) int {
	if r.apart {
		return r.from.Len + j
	}
	return j
}

// finder returns what finds the ends of an edge by their texts. It gives an arc, or two where each end is in both. It gives none for an edge that
// does not lead from the one to the other.
func (r ends) finder() func(from, to string) ([]dataset.Arc, error) {
	source := r.from.finder()
	target := source
	if r.apart {
		target = r.to.finder()
	}
	return func(from, to string) (arcs []dataset.Arc, err error) {
		i, noSource := source(from)
		j, noTarget := target(to)
		if noSource == nil && noTarget == nil {
			arcs = append(arcs, dataset.Arc{From: i, To: r.other(j)})
		}
		if !r.apart || !r.from.Named || !r.to.Named {
			return arcs, cmp.Or(noSource, noTarget)
		}
		i, noOther := source(to)
		j, notBack := target(from)
		if noOther == nil && notBack == nil {
			arcs = append(arcs, dataset.Arc{From: r.other(j), To: i})
		}
		switch { // an end that is nowhere
		case noSource != nil && notBack != nil:
			return nil, noSource
		case noTarget != nil && noOther != nil:
			return nil, noTarget
		}
		return arcs, nil
	}
}

// sized refuses a matrix of another size.
func (r ends) sized(path string, line, n, d int) error {
	if n == r.from.Len && d == r.to.Len {
		return nil
	}
	if r.apart {
		return &dataset.Error{File: path, Line: line, Msg: dataset.Messagef("the matrix of the edges is %d×%d, but there are %d rows, and the training had %d: give a row for each of these and a column for each of those", n, d, r.from.Len, r.to.Len)}
	}
	return &dataset.Error{File: path, Line: line, Msg: dataset.Messagef("the matrix of the edges is %d×%d, but there are %d rows: give a row and a column for each", n, d, r.from.Len)}
}
