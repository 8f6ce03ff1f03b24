package dataset

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"lapsvm/internal/system/fault"
	"lapsvm/points"
)

// Embedder makes vectors of texts, or of pictures. Packages that run networks or commands implement it. Rows get their
// vectors where they are read.
type Embedder interface {
	// Source says what makes the vectors.
	Source() EmbeddedBy

	// Embed returns a vector for each input, a text or the path of a picture. All vectors have one length, and their
	// numbers are finite. The vector of an input does not depend on the others. An [Unmade] is an error of some pictures
	// alone; the vectors that were made of the others stand beside it.
	Embed(inputs []string, pictures bool) ([][]float32, error)
}

// Unmade are pictures that cannot be read, by their places among the inputs, of which there are no vectors.
type Unmade map[int]error

// Error returns the error of the first one.
func (u Unmade) Error() string { return u.Unwrap().Error() }

// Unwrap returns the error of the first one.
func (u Unmade) Unwrap() error { return u[slices.Min(slices.Collect(maps.Keys(u)))] }

// EmbeddedBy says what made the vectors of a column.
type EmbeddedBy struct {
	Kind  string `json:"kind"`            // network or command
	Name  string `json:"name"`            // of its file; of a command its text, where it is to be kept
	Hash  string `json:"hash,omitempty"`  // of the network and what belongs to it, or of the command and the files that it names, in hexadecimal digits
	Files string `json:"files,omitempty"` // hash of a network's files alone; "" for a command
}

// String names it for people.
func (b EmbeddedBy) String() string {
	text := "the " + b.Kind
	if b.Name != "" {
		text += " " + b.Name
	}
	if b.Hash != "" {
		text += fmt.Sprintf(" (%.12s)", b.Hash)
	}
	return text
}

// Embedded says of what a column of vectors was made.
type Embedded struct {
	Of string     `json:"of"` // the column of the texts or paths
	By EmbeddedBy `json:"by"`
}

// embeddedName returns the name of the column of the vectors of another column.
func embeddedName(of string) string { return of + " embedded" }

// NeedsEmbedder returns what has to make vectors of rows for them to be read by the encoding, and reports whether
// anything has to. The encoding may be nil.
func (e *Encoding) NeedsEmbedder() (by EmbeddedBy, needs bool) {
	for k := range e.All() {
		if made := e.Columns[k].Embedded; made != nil {
			return made.By, true
		}
	}
	return EmbeddedBy{}, false
}

// fits reports an embedder that did not make the vectors of a column.
func (m *Embedded) fits(by Embedder) error {
	option := Option{Name: "Embedder"}
	if by == nil {
		return Messagef("vectors of %q are needed, made by %s as in the training: give %s", m.Of, m.By, option)
	}
	if is := by.Source(); is.Kind != m.By.Kind || is.Hash != m.By.Hash && is.Kind != commandKind {
		return Messagef("the vectors of %q are made by %s, but in the training by %s, and both mean different things: give the same (%s)", m.Of, is, m.By, option)
	}
	return nil
}

// commandKind is the kind of what a hash does not tell for sure: a command may run the same program by other words.
const commandKind = "command"

// note notes that another command makes vectors than that of the training. Old models have no hash of theirs.
func (m *Embedded) note(d *Dataset, by Embedder) {
	if is := by.Source(); m.By.Kind == commandKind && m.By.Hash != "" && m.By.Hash != is.Hash {
		d.doubt("the vectors of %q are made by another command (%.12s) than in the training (%.12s); if it makes other vectors, give that of the training", m.Of, is.Hash, m.By.Hash)
	}
}

// ErrVectors is the cause of an [*Error] of vectors that could not be made.
var ErrVectors = errors.New("dataset: no vectors")

// made is a column of vectors that is made of another column of a table.
type made struct {
	of     int // the column of the texts
	column int // the place of the vectors behind the columns of the table
	place  int // the column of a given encoding that has them
}

// embedLearnt adds columns of vectors to a table whose encoding is to be learnt. They are made of the columns that the option Text
// names, and of one called text.
func (l *Layout) embedLearnt() error {
	if l.options.Embedder == nil || l.options.Encoding != nil || l.options.TextAlone {
		return nil
	}
	for _, c := range slices.Clone(l.Features) {
		if l.asked[c] == Text || l.asked[c] == "" && l.header != nil && l.header[c] == textColumn {
			l.asked[c] = Text
			l.make(c, embeddedName(l.name(c, c+1)))
		}
	}
	if l.made == nil {
		return l.errorf(0, "no column is known to be text, of which vectors could be made: name one with %s, or leave out %s", Option{Name: "Text"}, Option{Name: "Embedder"})
	}
	return nil
}

// making returns the columns of the encoding whose vectors are to be made, by their names: those that the table lacks.
func (l *Layout) making() (map[string]*Embedded, error) {
	all := make(map[string]*Embedded)
	e := l.options.Encoding
	for k := range e.Columns {
		c := &e.Columns[k]
		if c.Embedded == nil || l.header != nil && slices.Contains(l.header, c.Name) {
			continue
		}
		if l.header != nil && !slices.Contains(l.header, c.Embedded.Of) {
			return nil, l.errorf(0, "%s", fault.Columns.Messagef("the column %q is missing, of which vectors are made; add it, or a column %q with the vectors", c.Embedded.Of, c.Name))
		}
		if err := c.Embedded.fits(l.options.Embedder); err != nil {
			return nil, noVectors(l.errorf(0, "%s", err), err)
		}
		all[c.Name] = c.Embedded
	}
	return all, nil
}

// embeds reports whether vectors are made of a column.
func (e *Encoding) embeds(name string) bool {
	return slices.ContainsFunc(e.Columns, func(c Column) bool { return c.Embedded != nil && c.Embedded.Of == name })
}

// make adds a column of vectors.
func (l *Layout) make(of int, name string) {
	column := l.width + len(l.made)
	l.made = append(l.made, made{of: of, column: column})
	if l.asked == nil {
		l.asked = make(map[int]Kind)
	}
	l.asked[column] = Vector
	if l.madeNames == nil {
		l.madeNames = slices.Clone(l.header)
	}
	if l.header != nil {
		l.madeNames = append(l.madeNames, name)
	}
}

// whole returns the layout with the columns of vectors that are made.
func (l *Layout) whole() *Layout {
	if l.made == nil {
		return l
	}
	all := *l
	all.header = l.madeNames
	all.Features, all.Names = slices.Clone(l.Features), slices.Clone(l.Names)
	for _, m := range l.made {
		if l.options.Encoding.Learnt() {
			all.Features[m.place] = m.column
			continue
		}
		all.Features = append(all.Features, m.column)
		if l.header != nil {
			all.Names = append(all.Names, all.header[m.column])
		}
	}
	return &all
}

// EmbedPictures returns d, whose rows are pictures in the files at paths, with the vectors that an embedder makes of
// these as its points. The column of the vectors is described by an encoding, which is given if d is of later pictures
// than those of the training.
func (d *Dataset) EmbedPictures(by Embedder, paths []string, e *Encoding) (*Dataset, error) {
	origin := &Origin{File: "pictures"}
	learnt := e.Learnt()
	if learnt {
		if len(e.Columns) != 1 || e.Columns[0].Embedded == nil {
			return nil, origin.Errorf(0, 0, "these are pictures, whose vectors have no place among the columns of the training")
		}
		if err := e.Columns[0].Embedded.fits(by); err != nil {
			return nil, noVectors(origin.Errorf(0, 0, "%s", err), err)
		}
	}
	vectors, err := embedAll(by, paths, true)
	if err != nil {
		return nil, origin.embedFailed(0, err)
	}
	width := len(vectors[0])
	values := make([]float64, 0, width*len(vectors))
	for _, v := range vectors {
		for _, x := range v {
			values = append(values, float64(x))
		}
	}
	if !learnt {
		c := Column{Name: embeddedName(pictureColumn), Kind: Vector, Mean: make([]float64, width), High: 1, Embedded: &Embedded{Of: pictureColumn, By: by.Source()}}
		e = &Encoding{Named: true, Columns: []Column{c}}
	} else if want := len(e.Columns[0].Mean); width != want {
		return nil, origin.Errorf(0, 0, "%s makes vectors of %d numbers, but those of the training had %d: give what made these", by.Source(), width, want)
	}
	other := *d
	if learnt {
		e.Columns[0].Embedded.note(&other, by)
	}
	other.Points, other.Features, other.Encoding, other.Image = points.Dense(len(vectors), width, values), e.Features(), e, Image{}
	other.Missing = Missing{len(vectors), make([]int, 1)}
	return &other, nil
}

// pictureColumn is what the pictures of a folder are called as a column.
const pictureColumn = "picture"

// embedRows is how many rows get their vectors at a time.
const embedRows = 4096

// embedding makes the columns of vectors of the rows of a table, some rows at a time.
type embedding struct {
	*Layout
	whole *Layout
	rows  rowReader
	wait  []waiting
	taken int
}

type waiting struct {
	fields [][]byte
	line   int
}

// add takes a row, whose fields are copied.
func (m *embedding) add(fields [][]byte, line int) error {
	size := 0
	for _, f := range fields {
		size += 24 + len(f)
	}
	if err := m.origin.Take(size, "rows that wait for their vectors"); err != nil {
		return err
	}
	m.taken += size
	text := make([]byte, 0, size-24*len(fields))
	w := waiting{make([][]byte, len(fields), len(fields)+len(m.made)), line}
	for c, f := range fields {
		from := len(text)
		text = append(text, f...)
		w.fields[c] = text[from:len(text):len(text)]
	}
	if m.wait = append(m.wait, w); len(m.wait) == embedRows {
		return m.flush()
	}
	return nil
}

// flush hands on the rows that wait.
func (m *embedding) flush() error {
	for _, column := range m.made {
		var texts []string
		for _, w := range m.wait {
			if text := string(w.fields[column.of]); text != "" {
				texts = append(texts, text)
			}
		}
		vectors, err := embedAll(m.options.Embedder, texts, false)
		if err != nil {
			return m.origin.embedFailed(m.wait[0].line, err)
		}
		for k := range m.wait {
			w := &m.wait[k]
			var field []byte
			if len(w.fields[column.of]) > 0 {
				field, vectors = singles(vectors[0]), vectors[1:]
			}
			w.fields = append(w.fields, field)
		}
	}
	for _, w := range m.wait {
		if err := m.rows.add(w.fields, w.line); err != nil {
			return err
		}
	}
	m.wait = m.wait[:0]
	m.origin.Give(m.taken)
	m.taken = 0
	return nil
}

func (m *embedding) finish(total int, d *Dataset) error {
	if err := m.flush(); err != nil {
		return err
	}
	if err := m.rows.finish(total, d); err != nil {
		return err
	}
	m.Kept = m.whole.Kept
	if m.options.Encoding.Learnt() {
		for _, column := range m.made {
			m.options.Encoding.Columns[column.place].Embedded.note(d, m.options.Embedder)
		}
		return nil
	}
	for k, column := range m.made {
		of := slices.Index(m.Features, column.of)
		if c := &d.Encoding.Columns[len(m.Features)+k]; c.Kind == Vector {
			c.Embedded = &Embedded{Of: d.Encoding.Columns[of].Name, By: m.options.Embedder.Source()}
		}
	}
	return nil
}

// embedFailed says that vectors of rows from a line on could not be made.
func (o *Origin) embedFailed(line int, err error) error {
	return noVectors(o.Errorf(line, 0, "no vectors of the rows from here on: %v", err), err)
}

// noVectors gives an [*Error] its cause, and [ErrVectors].
func noVectors(e, cause error) error {
	var own *Error
	if errors.As(e, &own) {
		own.Err = errors.Join(ErrVectors, cause)
	}
	return e
}

// embedAll returns the vectors of inputs, and checks what the embedder promises.
func embedAll(by Embedder, inputs []string, pictures bool) ([][]float32, error) {
	if len(inputs) == 0 {
		return nil, nil
	}
	vectors, err := by.Embed(inputs, pictures)
	if err != nil {
		return nil, err
	}
	if len(vectors) != len(inputs) {
		return nil, fmt.Errorf("%s made %d vectors of %d inputs", by.Source(), len(vectors), len(inputs))
	}
	for i, v := range vectors {
		if len(v) == 0 || len(v) != len(vectors[0]) {
			return nil, fmt.Errorf("%s made vectors of %d and of %d numbers", by.Source(), len(vectors[0]), len(v))
		}
		if slices.ContainsFunc(v, func(x float32) bool { return x-x != 0 }) {
			return nil, fmt.Errorf("%s made a vector of input %d that is not finite", by.Source(), i+1)
		}
	}
	return vectors, nil
}

// singles writes a vector as a field.
func singles(vector []float32) []byte {
	text := []byte{'['}
	for k, v := range vector {
		if k > 0 {
			text = append(text, ',')
		}
		text = strconv.AppendFloat(text, float64(v), 'g', -1, 32)
	}
	return append(text, ']')
}
