package files

import (
	"io"
	"slices"

	"lapsvm/dataset"
	"lapsvm/dataset/internal/quote"
	"lapsvm/points"
)

// vectorReader reads objects with vectors.
type vectorReader struct {
	objects
	o        Options
	label    string // key of the labels
	labels   *dataset.Labels
	labelled bool // the key was seen
	row0     int  // line of the first object
	width    int  // 0 before the first vector
	values   []float64

	others  []string        // other keys than these two, in the order in which they turn up
	isOther map[string]bool // of them

	kept   dataset.Kept
	index  map[string]int
	fields [][]byte
}

// readKeptVectors reads vectors, of which the first object of the file is given, and keeps the
// text of other keys: all, or those that name rows.
func readKeptVectors(again func() *source, first *jsonObject, o Options) (*dataset.Dataset, error) {
	keys, err := keysOfAll(again())
	if err != nil {
		return nil, err
	}
	src := again()
	ids, hasKey := nameSet(o.ID), nameSet(keys)
	for _, name := range o.ID {
		if !hasKey[name] {
			return nil, src.Errorf(0, 0, "no column is called %q%s; choose for %s among %s", name, quote.Meant(name, keys), dataset.Option{Name: "ID"}, quote.Names(keys))
		}
	}
	r := vectorReader{objects: objectsOf(src), o: o, label: labelKey(o), labels: dataset.NewLabels(&src.Origin, false, o.rules()), index: map[string]int{}}
	for _, key := range keys {
		if key != vectorKey && (o.Keep || ids[key]) {
			r.index[key] = len(r.kept.Names)
			r.kept.Names = append(r.kept.Names, key)
		}
	}
	r.fields = make([][]byte, len(r.kept.Names))
	if src.extent == nil {
		if first, err = r.next(); err != nil {
			return nil, err
		}
	}
	return r.read(first)
}

// read reads all objects, of which the first of the file is given.
func (r *vectorReader) read(first *jsonObject) (*dataset.Dataset, error) {
	err := r.rows(first)
	if _, err := r.src.Ranks.Settle(r.labels.Len(), err); err != nil {
		return nil, err
	}
	all, err := dataset.All(r.src.Ranks, r.labelled)
	if err != nil {
		return nil, err
	}
	r.labelled = slices.Contains(all, true)
	if r.o.Label != "" && !r.labelled && r.o.Features == 0 {
		return nil, r.src.Errorf(0, 0, "no object has the key %q; choose the labels' key with %s", r.o.Label, dataset.Option{Name: "Label"})
	}
	d := &dataset.Dataset{Points: points.Dense(len(r.values)/r.width, r.width, r.values), Kept: r.kept}
	if r.labelled {
		d.Label = r.label
	}
	if err := r.labels.Finish(d); err != nil || r.o.Encoding != nil {
		return d, err
	}
	parts, err := dataset.All(r.src.Ranks, r.others)
	if err != nil {
		return nil, err
	}
	var others fileSet
	for _, keys := range parts {
		others.addKeys(keys)
	}
	left := slices.DeleteFunc(others.more, func(key string) bool {
		return slices.Contains(r.o.left(), key) || slices.Contains(r.o.ID, key)
	})
	if len(left) > 0 {
		d.Notes = append(d.Notes, dataset.Note{Message: dataset.Messagef("the first object has no feature beside its %s, so that the vectors are all features: left out are %s; give the first object these keys, if with null, or %s to say so",
			vectorKey, quote.Names(left), dataset.Option{Name: "Ignore", Value: left[:min(len(left), 20)]}), Doubtful: true})
	}
	return d, nil
}

// other takes a key that is no feature.
func (r *vectorReader) other(key string) error {
	const entry = 150 // bytes of a key beside its text
	if err := r.src.Take(entry+len(key), "the different keys"); err != nil {
		return err
	}
	if r.isOther == nil {
		r.isOther = make(map[string]bool)
	}
	r.isOther[key] = true
	r.others = append(r.others, key)
	return nil
}

// rows reads all objects, likewise, or those of one of several ranks.
func (r *vectorReader) rows(first *jsonObject) error {
	r.row0 = first.line
	columns := make([]int, len(r.fields))
	for c := range columns {
		columns[c] = c
	}
	var err error
	if r.src.extent != nil { // the first object tells all ranks how long vectors are
		ahead := *r
		ahead.labels = dataset.NewLabels(nil, false, r.o.rules())
		if err := ahead.row(first); err != nil {
			return err
		}
		r.width = ahead.width
		r.src.narrow(0, 0)
		r.objects = objectsOf(r.src)
		first, err = r.next()
	}
	for line := first; err == nil; line, err = r.next() {
		if err := r.row(line); err != nil {
			return err
		}
		if err := r.kept.Add(&r.src.Origin, r.fields, columns); err != nil {
			return err
		}
	}
	if err != io.EOF {
		return err
	}
	return nil
}

// row reads an object.
func (r *vectorReader) row(o *jsonObject) error {
	start := len(r.values)
	labelled, vectors := false, 0
	clear(r.fields)
	err := o.members(func(key []byte, at int) error {
		if string(key) == vectorKey {
			if vectors++; vectors > 1 {
				return o.errorf(at, "the key %q comes twice; keep one", key)
			}
			return o.numbers(&r.values)
		}
		if string(key) != r.label && !r.isOther[string(key)] {
			if err := r.other(string(key)); err != nil {
				return err
			}
		}
		text, kind, err := o.value()
		if c, wanted := r.index[string(key)]; wanted && kind != 'n' {
			r.fields[c] = text
		}
		if err != nil || string(key) != r.label {
			return err
		}
		if labelled {
			return o.errorf(at, "the key %q comes twice; keep one", r.label)
		}
		labelled, r.labelled = true, true
		if text, err = o.label(text, kind, r.o.Several != ""); err == nil {
			err = r.labels.Add(text)
		}
		return err
	})
	if err != nil {
		return err
	}
	if !labelled {
		if err := r.labels.AddNone(); err != nil {
			return err
		}
	}
	switch width := len(r.values) - start; {
	case vectors == 0:
		return o.errorf(0, "the object has no vector, but that on line %d has one; give all objects the same features", r.row0)
	case r.width == 0 && width == 0:
		return o.errorf(0, "the vector is empty; give at least one number")
	case r.width == 0 && r.o.Features > 0 && width != r.o.Features:
		return o.errorf(0, "there are %d features, but %d are expected; give a file with %d", width, r.o.Features, r.o.Features)
	case r.width == 0:
		r.width = width
	case width != r.width:
		return o.errorf(0, "the vector has %d numbers, but that on line %d has %d; make them equal", width, r.row0, r.width)
	}
	return nil
}
