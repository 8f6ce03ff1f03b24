package dataset

import (
	"math"

	"lapsvm/dataset/internal/number"
)

// Batch is rows of numbers and gaps, with labels, parsed apart from the [Table] that takes them
// later. The zero value is empty.
type Batch struct {
	rows   int
	gaps   bool        // values are missing
	values []float64   // rows × used columns, NaN where one is missing
	codes  []codeShape // of the used columns
	labels []byte      // one after the other
	ends   []int       // of every row's in labels
}

// Clear makes the batch empty.
func (b *Batch) Clear() {
	b.rows, b.gaps, b.values, b.labels, b.ends = 0, false, b.values[:0], b.labels[:0], b.ends[:0]
	clear(b.codes)
}

// Batches reports whether the rows of the table can be read apart from it: its columns
// are to be learnt, and no text of them is kept.
func (t *Table) Batches() bool {
	_, learns := t.rows.(*learner)
	return learns && t.kept.None() && len(t.layout.Features) > 0
}

// Read appends a row, with fields as for [Table.Add], to a batch. It reports false where a field
// is neither a finite number nor missing. Such a row must go to Add, and the batch must be
// cleared. Several goroutines may read into batches of their own at once, also while rows are
// added. Read panics unless [Table.Batches].
func (t *Table) Read(b *Batch, fields [][]byte) bool {
	l := t.rows.(*learner)
	if len(b.codes) != len(l.files) {
		b.codes = make([]codeShape, len(l.files))
	}
	for j, file := range l.files {
		field := fields[t.at(file)]
		v, err := l.parse(l.used[j], field)
		switch {
		case err == nil && v-v == 0:
			if g := l.used[j]; g.holds != nil {
				if _, ok := g.holds(nil, cell{number: v}); !ok {
					return false
				}
			}
			b.codes[j].add(field, v)
		case l.strict || !number.Missing(string(field)):
			return false
		default:
			v, b.gaps = math.NaN(), true
		}
		b.values = append(b.values, v)
	}
	if t.layout.Label >= 0 {
		b.labels = append(b.labels, fields[t.at(t.layout.Label)]...)
	}
	b.ends = append(b.ends, len(b.labels))
	b.rows++
	return true
}

// AddBatch adds the rows of a batch, with the same result and errors as [Table.Add] of each row.
func (t *Table) AddBatch(b *Batch) error {
	l := t.rows.(*learner)
	width, begin := len(l.files), 0
	l.typed = l.typed || b.gaps
	for i := range b.rows {
		row := b.values[i*width : (i+1)*width]
		if err := l.origin.Take(8*width, "the values"); err != nil {
			return err
		}
		l.values = append(l.origin.grow(l.values, width), row...)
		for j, v := range row {
			l.used[j].span.add(v)
		}
		l.rows++
		var err error
		if t.layout.Label < 0 {
			err = t.labels.AddNone()
		} else {
			err = t.labels.Add(b.labels[begin:b.ends[i]])
		}
		if err != nil {
			return err
		}
		begin = b.ends[i]
	}
	for j, code := range b.codes {
		l.used[j].code.join(code)
	}
	return nil
}
