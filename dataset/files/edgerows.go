package files

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"lapsvm/dataset"
	"lapsvm/dataset/internal/quote"
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

// ends are the rows that edges lead from and to. They are the same rows, or others.
type ends struct {
	from, to EdgeRows
	apart    bool
}

// commented reports whether the name of a row begins as a comment does.
func (r ends) commented() bool { return r.from.commented() || r.to.commented() }

// other returns the number of a row that edges lead to. Other rows are numbered behind the rows that edges lead from.
func (r ends) other(j int) int {
	if r.apart {
		return r.from.Len + j
	}
	return j
}

// sized refuses a matrix of another size.
func (r ends) sized(origin *dataset.Origin, line, n, d int) error {
	if n == r.from.Len && d == r.to.Len {
		return nil
	}
	if r.apart {
		return origin.Errorf(line, 0, "the matrix of the edges is %d×%d, but there are %d rows, and the training had %d: give a row for each of these and a column for each of those", n, d, r.from.Len, r.to.Len)
	}
	return origin.Errorf(line, 0, "the matrix of the edges is %d×%d, but there are %d rows: give a row and a column for each", n, d, r.from.Len)
}

// arcs returns the edges as those of rows, and how many lead from none of the rows to another one.
func (w *network) arcs(rows ends) (arcs []dataset.Arc, skipped int, err error) {
	if w.placed {
		arcs = make([]dataset.Arc, len(w.links))
		for k, l := range w.links {
			arcs[k] = dataset.Arc{From: int(l.from), To: int(l.to), Weight: l.weight}
		}
		return arcs, 0, nil
	}
	either := rows.apart && rows.from.Named && rows.to.Named // an edge may lead in either direction
	sources, targets := make([]bool, len(w.line)), make([]bool, len(w.line))
	for _, l := range w.links {
		sources[l.from], targets[l.to] = true, true
	}
	all := slices.Clone(sources)
	for node, is := range targets {
		all[node] = all[node] || is
	}
	var from, to []int32
	switch {
	case either:
		from, to, err = w.eitherNamed(rows, all)
	case rows.apart:
		if from, err = w.rows(rows.from, sources, false); err == nil {
			to, err = w.rows(rows.to, targets, false)
		}
	default:
		from, err = w.rows(rows.from, all, true)
		to = from
	}
	if err != nil {
		return nil, 0, err
	}
	for _, l := range w.links {
		before := len(arcs)
		if i, j := from[l.from], to[l.to]; i >= 0 && j >= 0 {
			arcs = append(arcs, dataset.Arc{From: int(i), To: rows.other(int(j)), Weight: l.weight})
		}
		if i, j := from[l.to], to[l.from]; either && i >= 0 && j >= 0 {
			arcs = append(arcs, dataset.Arc{From: rows.other(int(j)), To: int(i), Weight: l.weight})
		}
		if len(arcs) == before {
			skipped++
		}
	}
	return arcs, skipped, nil
}

// eitherNamed finds the rows of nodes among those that edges lead from, and among the others, by names; −1 for none. Each end is one of these.
func (w *network) eitherNamed(rows ends, ends []bool) (from, to []int32, err error) {
	sources, err := w.namesOf(rows.from)
	if err != nil {
		return nil, nil, err
	}
	targets, err := w.namesOf(rows.to)
	if err != nil {
		return nil, nil, err
	}
	nowhere, doubt := -1, error(nil)
	for k := range w.keys {
		var doubtFrom, doubtTo error
		from, _, doubtFrom = w.named(k, sources, rows.from, ends)
		to, _, doubtTo = w.named(k, targets, rows.to, ends)
		missed := -1
		for node, is := range ends {
			if is && from[node] < 0 && to[node] < 0 {
				missed = node
				break
			}
		}
		switch why := cmp.Or(doubtFrom, doubtTo); {
		case missed < 0 && why == nil:
			return from, to, nil
		case missed < 0:
			doubt = cmp.Or(doubt, why)
		case nowhere < 0 || k == w.id:
			nowhere = missed
		}
	}
	if doubt != nil {
		return nil, nil, doubt
	}
	return nil, nil, w.errorf(nowhere, "%s", w.unknown(nowhere, rows.from))
}

// rows finds the rows of the nodes that are ends by their names, or else by their numbers or places. Other nodes have −1. With listed
// all nodes of the file are among the rows.
func (w *network) rows(r EdgeRows, ends []bool, listed bool) ([]int32, error) {
	failed, problem := -1, ""
	if len(r.Names) > 0 {
		named, err := w.namesOf(r)
		if err != nil {
			return nil, err
		}
		var doubt error
		for k := range w.keys {
			if w.keys[k].place {
				continue
			}
			found, missed, why := w.named(k, named, r, ends)
			if missed < 0 && why != nil {
				doubt = cmp.Or(doubt, why)
				continue
			}
			if missed < 0 {
				w.tellKey(k)
				if listed {
					w.tellOthers(found)
				}
				return found, nil
			}
			if failed < 0 || k == w.id {
				failed = missed
			}
			if k == w.id && slices.ContainsFunc(found, func(i int32) bool { return i >= 0 }) { // so names are meant
				problem = w.unknown(missed, EdgeRows{Named: true})
			}
		}
		if doubt != nil {
			return nil, doubt
		}
	}
	if !r.Named {
		for k := range w.keys {
			if w.keys[k].place {
				continue
			}
			found, missed, why := w.numbered(k, r, ends, listed)
			if found != nil {
				w.tellKey(k)
				return found, nil
			}
			if failed < 0 || k == w.id && problem == "" {
				failed, problem = missed, why
			}
		}
	}
	nameless := !slices.ContainsFunc(w.keys, func(k nodeKey) bool {
		return !k.place && slices.ContainsFunc(k.of, func(s string) bool { return s != "" })
	})
	if listed && slices.ContainsFunc(w.keys, func(k nodeKey) bool { return k.place }) && (nameless || len(r.Names) == 0) {
		if w.listed != r.Len {
			return nil, w.origin.Errorf(0, 0, "the file has %d nodes that no name tells, but there are %d rows: give a node for each row, in their order, or nodes with the names of rows", w.listed, r.Len)
		}
		found := make([]int32, len(w.place))
		for node, place := range w.place {
			if found[node] = int32(place); place < 0 && ends[node] {
				return nil, w.errorf(node, "the node %s is not listed", quote.Field([]byte(w.keys[w.id].of[node])))
			}
		}
		w.told += ", told by their places in the file"
		return found, nil
	}
	if problem == "" {
		problem = w.unknown(failed, r)
	}
	return nil, w.errorf(failed, "%s", problem)
}

// namesOf returns what finds rows by their names.
func (w *network) namesOf(r EdgeRows) (*dataset.NamedRows, error) {
	const name = 150 // bytes of a name in the maps
	if err := w.origin.Take(name*len(r.Names), "the names of the rows"); err != nil {
		return nil, err
	}
	named := new(dataset.NamedRows)
	for i, name := range r.Names {
		named.Add(name, i)
	}
	return named, nil
}

// named finds the rows that are called as a key tells nodes, −1 for none, and the first of the ends that is missed, −1 for none. In doubt an end may be
// one of several rows, or a row one of several ends: another key may tell them.
func (w *network) named(k int, named *dataset.NamedRows, r EdgeRows, ends []bool) (rows []int32, missed int, doubt error) {
	rows, missed = make([]int32, len(w.line)), -1
	ended := make(map[int32]string) // rows that are ends, and the names that found them, where nodes may share a name
	for node, text := range w.keys[k].of {
		i, ok := named.Called(text)
		if !ok && r.Named {
			i, ok = named.Numbered(text)
		}
		if ok && i == dataset.SeveralRows && ends[node] {
			doubt = cmp.Or(doubt, w.errorf(node, "several rows are called %.60q: tell rows by their numbers from 1 on, without an id", text))
		}
		if rows[node] = int32(i); !ok {
			rows[node] = -1
		}
		switch {
		case !ends[node]:
		case !ok && missed < 0:
			missed = node
		case ok && k != w.id:
			if name, twice := ended[rows[node]]; twice && name == text {
				doubt = cmp.Or(doubt, w.errorf(node, "several nodes are called %.60q: give each a name of its own, as the rows have", text))
			}
			ended[rows[node]] = text
		}
	}
	return rows, missed, doubt
}

// numbered finds the rows that have the numbers by which a key tells nodes. They begin with 1, or with 0 where a node has that number and no end the
// number of rows. Where an end is no row there are none, and it is returned with the reason.
func (w *network) numbered(k int, r EdgeRows, ends []bool, listed bool) (rows []int32, missed int, why string) {
	rows = make([]int32, len(w.line))
	zero, last := -1, -1 // nodes with the numbers 0 and n
	for node, text := range w.keys[k].of {
		i, err := strconv.Atoi(text)
		if err != nil || i < 0 || i > r.Len {
			if i = -1; ends[node] {
				return nil, node, w.unknown(node, r)
			}
		}
		if rows[node] = int32(i); i == 0 && (ends[node] || listed && w.place[node] >= 0) {
			zero = node
		}
		if i == r.Len && ends[node] {
			last = node
		}
	}
	first := 1
	if zero >= 0 {
		if first = 0; last >= 0 {
			return nil, zero, fmt.Sprintf("there are a row 0 and a row %d, but %[1]d rows: number them from 1 to %[1]d, or from 0 to %d, or tell them by names in a column of the id", r.Len, r.Len-1)
		}
	}
	for node := range rows {
		rows[node] -= int32(first)
	}
	if first == 0 || listed && last < 0 {
		w.told += fmt.Sprintf(", numbered from %d", first)
	}
	return rows, -1, ""
}

// unknown says that a node is no row.
func (w *network) unknown(node int, r EdgeRows) string {
	text := w.keys[w.id].of[node]
	if r.Named {
		return fmt.Sprintf("no row is called %.60q: give the data that these edges belong to, with the rows' names in the column of the id", text)
	}
	return fmt.Sprintf("there is no row %.60q: rows are from 1 to %d, or have names in a column of the id", text, r.Len)
}

// errorf is an error where a node is mentioned first.
func (w *network) errorf(node int, format string, args ...any) error {
	switch {
	case node < 0:
		return w.origin.Errorf(0, 0, format, args...)
	case w.records:
		return w.origin.Errorf(0, 0, "row %d: %s", w.line[node], fmt.Sprintf(format, args...))
	}
	return w.origin.Errorf(w.line[node], 0, format, args...)
}

// tellKey says what tells the rows where another key has other texts.
func (w *network) tellKey(k int) {
	if slices.ContainsFunc(w.keys, func(other nodeKey) bool { return !other.place && !slices.Equal(other.of, w.keys[k].of) }) {
		w.told += ", told by their " + w.keys[k].name
	}
}

// tellOthers says how many nodes of the file are no rows.
func (w *network) tellOthers(rows []int32) {
	others := 0
	for node, i := range rows {
		if i < 0 && w.place[node] >= 0 {
			others++
		}
	}
	switch {
	case others == 1:
		w.told += "; 1 node of the file is no row"
	case others > 1:
		w.told += fmt.Sprintf("; %d nodes of the file are no rows", others)
	}
}
