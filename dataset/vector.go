package dataset

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"

	"lapsvm/dataset/internal/number"
	"lapsvm/dataset/internal/quote"
	"lapsvm/points"
)

// Vector is the kind of a column of lists of numbers, such as embeddings. A list of d numbers is the
// features COLUMN[1] to COLUMN[d]. A missing list is the mean of all lists. Lists are arrays of JSON,
// lists of Parquet and Arrow, and in text numbers in brackets with commas, semicolons or blanks
// between. An empty list is missing.
//
// The numbers stay as they are. Beside text they are (x_j − mean_j)·√2/r, where r² is the mean squared
// distance from the mean list. So a vector weighs as a text does, whose words and whose characters
// have a norm of 1 each.
const Vector Kind = "vector"

func vectorKind() kindRules {
	return kindRules{
		kind: Vector, version: 5, option: "Vector", verbatim: true, measured: true,
		asked:  func(o *TableOptions) []string { return o.Vector },
		counts: isList,
		find:   findVectors,
		learn:  learnVector,
		validate: func(_ *Encoding, c *Column) error {
			if len(c.Mean) > 0 && c.Low == 0 && c.High > 0 {
				return nil
			}
			return errors.New("a vector without a mean or a scale")
		},
		width: func(c *Column) int { return len(c.Mean) },
		features: func(c *Column) []string {
			names := make([]string, len(c.Mean))
			for j := range names {
				names[j] = c.Name + "[" + strconv.Itoa(j+1) + "]"
			}
			return names
		},
		encode: encodeVector,
		reading: func(e *Encoding, c *Column) (Reading, error) {
			if c.Embedded != nil {
				return Reading{}, fmt.Errorf("vectors of %q are made by %s", c.Embedded.Of, c.Embedded.By)
			}
			r := Reading{Fill: c.Mean}
			if e.HasText() {
				r.Shift, r.Width = c.Mean, slices.Repeat([]float64{c.High}, len(c.Mean))
			}
			return r, nil
		},
		wrong: func(c *Column, text string) string { return noVector(text, len(c.Mean), "the training's had %d") },
		describe: func(c *Column) string {
			made := ""
			if c.Embedded != nil {
				made = fmt.Sprintf(", made of %s by %s", c.Embedded.Of, c.Embedded.By)
			}
			return fmt.Sprintf("vector of %d%s", len(c.Mean), made)
		},
		typical: func(c *Column) string { return vectorText(c.Mean) },
	}
}

// IsVector reports whether a column is called so and holds vectors. The encoding may be nil.
func (e *Encoding) IsVector(name string) bool {
	return slices.ContainsFunc(e.All(), func(c Column) bool { return c.Kind == Vector && c.Name == name })
}

// beginsList reports whether a field may be a list.
func beginsList(field []byte) bool {
	return len(field) > 0 && (field[0] == '[' || field[0] <= ' ' && bytes.HasPrefix(bytes.TrimSpace(field), []byte("[")))
}

// appendVector appends the numbers of a list. Where text is none, wrong is its first part that is no
// finite number, or nil if there are no brackets.
func appendVector(to []float64, text []byte) (vector []float64, wrong []byte, ok bool) {
	text = bytes.TrimSpace(text)
	if len(text) < 2 || text[0] != '[' || text[len(text)-1] != ']' {
		return to, nil, false
	}
	text = text[1 : len(text)-1]
	for at, mark := 0, false; ; { // mark: a comma or semicolon stands before
		for at < len(text) && isBlank(text[at]) {
			at++
		}
		if at == len(text) {
			return to, text[at:], !mark
		}
		from := at
		for at < len(text) && !isBlank(text[at]) && text[at] != ',' && text[at] != ';' {
			at++
		}
		v, err := number.ParseBytes(text[from:at])
		if err != nil || v-v != 0 {
			return to, text[from:at], false
		}
		to = append(to, v)
		for at < len(text) && isBlank(text[at]) {
			at++
		}
		if mark = at < len(text) && (text[at] == ',' || text[at] == ';'); mark {
			at++
		}
	}
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// isList reports whether a word is a list of numbers.
func isList(text string) bool {
	if !beginsList([]byte(text)) {
		return false
	}
	vector, _, ok := appendVector(nil, []byte(text))
	return ok && len(vector) > 0
}

// vectorText writes a list.
func vectorText(vector []float64) string {
	text := []byte{'['}
	for j, v := range vector {
		if j > 0 {
			text = append(text, ", "...)
		}
		text = strconv.AppendFloat(text, v, 'g', 6, 64)
	}
	return string(append(text, ']'))
}

// noVector says why a field is no list of so many numbers; those says of which lists the number is.
func noVector(text string, width int, those string) string {
	vector, wrong, ok := appendVector(nil, []byte(text))
	switch {
	case ok:
		return fmt.Sprintf("the vector has %s, but "+those+"; make them equal, or leave the field empty", counted(len(vector), "number"), width)
	case wrong == nil:
		return fmt.Sprintf("%s is no vector, which is a list of numbers such as [0.25, -1]; correct it, or leave the field empty", quote.Field([]byte(text)))
	case bytes.HasPrefix(wrong, []byte("...")):
		return "the vector is cut short (...), as NumPy prints long arrays; write all numbers, such as those of tolist()"
	}
	return fmt.Sprintf("number %d of the vector is %s; give it numbers only, or leave the field empty", len(vector)+1, quote.Field(wrong))
}

// MayBeList reports whether a field of the column may be a list of numbers.
func (l *Layout) MayBeList(column int) bool {
	if e := l.options.Encoding; e != nil {
		k := slices.Index(l.Features, column)
		return e.Learnt() && k >= 0 && e.Columns[k].Kind == Vector
	}
	switch l.asked[column] {
	case Vector:
		return true
	case "":
		return l.header == nil || l.header[column] != textColumn
	}
	return false
}

// wordVectors are the lists of a column of a table, as far as it is read.
type wordVectors struct {
	rows    [][]float64 // of each row, as far as there are lists; nil where one is missing
	width   int         // of all of them; 0 before the first
	present int
	room    []float64
}

// vector takes a field of the current row of a column of lists, or a missing value there. It reports
// false for any other field. The first value of a column tells whether it holds lists.
func (l *learner) vector(g *wordColumn, field []byte, line int) (taken bool, err error) {
	v := g.vectors
	if g.wrong != nil {
		return true, nil
	}
	if v == nil {
		if !beginsList(field) || g.span.Present > 0 || len(g.words) > 0 || l.strict || !l.MayBeList(g.file) {
			return false, nil
		}
		v = new(wordVectors)
	}
	if isNothing(field) {
		return true, nil
	}
	var ok bool
	if v.room, _, ok = appendVector(v.room[:0], field); !ok && g.vectors == nil {
		return false, nil
	}
	switch width := len(v.room); {
	case ok && width == 0:
		return g.vectors != nil, nil
	case !ok, v.width != 0 && v.width != width:
		problem := noVector(string(field), v.width, "those before have %d")
		if g.asked != "" {
			return false, l.fieldErrorf(l.site(line, g.file), g.file, "%s", problem)
		}
		g.wrong = &wordAt{problem, l.site(line, g.file)} // what follows is not looked at
		return true, nil
	case v.width == 0:
		v.width = width
	}
	if err := l.origin.Take(8*(v.width+3), "the vectors"); err != nil {
		return false, err
	}
	g.vectors, l.typed = v, true
	v.rows = append(v.rows, make([][]float64, l.rows+1-len(v.rows))...)
	v.rows[l.rows] = slices.Clone(v.room)
	v.present++
	return true, nil
}

// isNothing reports whether a field of a column of lists is missing, without a copy of long ones.
func isNothing(field []byte) bool {
	const longest = 32 // more bytes than a spelling of a missing value has
	return len(field) <= longest && number.Nothing(string(field))
}

// row returns the list of a row, nil where it is missing.
func (v *wordVectors) row(i int) []float64 {
	if v == nil || i >= len(v.rows) {
		return nil
	}
	return v.rows[i]
}

// findVectors marks the columns of lists, whose lists of all ranks have one length. It leaves out a column of lists and others that
// nobody asked to be one of vectors.
func findVectors(l *learner, _ int, _ *Dataset) error {
	for _, g := range l.used {
		t := &g.all
		if t.Rows[withLists] == 0 {
			continue
		}
		called := []string{l.called(g.file)}
		text, ignore := Option{Name: "Text", Value: called}, Option{Name: "Ignore", Value: called}
		others := t.Rows[withNumbers] + t.Rows[withWords]
		var problem Message
		var alone error
		switch {
		case t.Wrong != nil:
			problem = Messagef("%s; if the column holds no vectors, give %s or %s", t.Wrong.Text, text, ignore)
			alone = l.fieldErrorf(t.Wrong.At, g.file, "%s", problem)
		case others > 0:
			problem = Messagef("the column holds vectors in %s, and other values in %s; correct these, or give %s or %s", counted(t.Rows[withLists], "row"), counted(others, "row"), text, ignore)
		case t.Narrow != t.Wide:
			problem = Messagef("the vectors have %d to %d numbers; make them equal, or give %s or %s", t.Narrow, t.Wide, text, ignore)
		default:
			g.found = Vector
			continue
		}
		if alone == nil {
			alone = l.origin.Errorf(0, 0, "column %q: %s", called[0], problem)
		}
		if g.asked != "" {
			return alone
		}
		g.found, g.reason = Dropped, "its values are not vectors of one length"
		l.doubts = append(l.doubts, doubt{g.file, g.reason, problem, alone, false})
	}
	return nil
}

// learnVector learns the mean of the lists in column j of used, and the root of half their mean
// squared distance from it.
func learnVector(l *learner, c *Column, j, n int) error {
	mean, exponent, err := l.means(j, n, l.used[j].all.Wide, func(v []float64, add func(k int, x float64)) {
		for k, x := range v {
			add(k, x)
		}
	})
	if err != nil {
		return err
	}
	square, _, err := l.means(j, n, 1, func(v []float64, add func(k int, x float64)) {
		distance := 0.0
		for k, x := range v {
			apart := math.Ldexp(x, -exponent) - math.Ldexp(mean[k], -exponent)
			distance += float64(apart * apart)
		}
		add(0, distance)
	})
	if err != nil {
		return err
	}
	if square[0] == 0 {
		c.drop("it is constant")
		return nil
	}
	c.Mean, c.High = mean, math.Ldexp(math.Sqrt(square[0]/2), exponent)
	return nil
}

// means returns the means of so many numbers that each makes of the lists in column j of used, in n
// rows of all ranks, and the exponent of the largest number. The sums are of whole numbers, so that
// they are the same in any order.
func (l *learner) means(j, n, width int, each func(v []float64, add func(k int, x float64))) (means []float64, exponent int, err error) {
	g := l.used[j]
	all := func(add func(k int, x float64)) {
		for i := range l.rows {
			if v := g.vectors.row(i); v != nil {
				each(v, add)
			}
		}
	}
	largest := 0.0
	all(func(_ int, x float64) { largest = max(largest, math.Abs(x)) })
	reached, err := All(l.origin.Ranks, largest)
	if err != nil {
		return nil, 0, err
	}
	_, exponent = math.Frexp(slices.Max(reached))
	digits := min(52, 62-bits.Len(uint(n))) // of a number below 1 in a sum of n
	sum := make([]int64, width)
	all(func(k int, x float64) { sum[k] += int64(math.Round(math.Ldexp(x, digits-exponent))) })
	parts, err := All(l.origin.Ranks, sum)
	if err != nil {
		return nil, 0, err
	}
	means = make([]float64, width)
	for k := range means {
		whole := int64(0)
		for _, part := range parts {
			whole += part[k]
		}
		means[k] = unsigned(math.Ldexp(float64(whole)/float64(g.all.Rows[withLists]), exponent-digits))
	}
	return means, exponent, nil
}

// encodeVector sets the numbers of a list.
func encodeVector(n *encoder, k, at int) func(row []cell) bool {
	c := &n.e.Columns[k]
	return func(row []cell) bool {
		v := row[k].vector
		if row[k].isMissing() {
			n.gaps[k]++
			v = c.Mean
		}
		switch {
		case len(v) != len(c.Mean):
			return false
		case !n.sparse:
			copy(n.row[at:], v)
			return true
		}
		for j, x := range v {
			if apart := x - c.Mean[j]; apart != 0 {
				n.set(at+j, apart/c.High)
			}
		}
		return true
	}
}

// list reads a field of a column of lists, with room for its numbers. A field that is none has its
// text.
func list(field []byte, room *[]float64) cell {
	x := cell{number: math.NaN()}
	if isNothing(field) {
		return x
	}
	vector, _, ok := appendVector((*room)[:0], field)
	switch *room = vector; {
	case !ok:
		x.text = string(field)
	case len(vector) > 0:
		x.vector = vector
	}
	return x
}

// Joint returns the features that come of one field, those of a category, and the three coordinates of each place. The encoding may be nil.
func (e *Encoding) Joint() (columns [][]int) {
	for _, g := range e.Together() {
		if !g.Vector {
			columns = append(columns, g.Columns)
		}
	}
	at := 0
	for k := range e.All() {
		width := e.Columns[k].Width()
		if e.Columns[k].Kind == Category {
			field := make([]int, width)
			for j := range field {
				field[j] = at + j
			}
			columns = append(columns, field)
		}
		at += width
	}
	return columns
}

// Together returns the features that are scaled together: the three
// coordinates of each place, the two of a time of day, and the numbers of each vector. The encoding may be nil.
func (e *Encoding) Together() (groups []points.Group) {
	first := make([]int, len(e.All())+1)
	for k := range e.All() {
		first[k+1] = first[k] + e.Columns[k].Width()
	}
	for k := range e.All() {
		switch c := &e.Columns[k]; c.Kind {
		case TimeOfDay:
			groups = append(groups, points.Group{Columns: []int{first[k], first[k] + 1}})
		case Longitude:
			groups = append(groups, points.Group{Columns: []int{first[e.latitudeOf(c)], first[k], first[k] + 1}})
		case Vector:
			g := points.Group{Columns: make([]int, c.Width()), Vector: true}
			for j := range g.Columns {
				g.Columns[j] = first[k] + j
			}
			groups = append(groups, g)
		}
	}
	return groups
}
