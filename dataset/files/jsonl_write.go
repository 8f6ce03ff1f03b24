package files

import (
	"bufio"
	"encoding/json"
	"slices"
	"strings"

	"lapsvm/dataset"
)

// writeObjects writes one object a row, with the features by their names where
// they have names that can be told apart, else as a vector. Labels that are
// numbers are written as such, other class names as strings, null where there is
// none.
func writeObjects(w *bufio.Writer, d *dataset.Dataset, form string) error {
	key, names := jsonNames(d)
	for j, name := range names {
		names[j] = string(quoted(name)) + ":"
	}
	label := append([]byte(`,`), append(quoted(key), ':')...)
	classes := make([][]byte, len(d.Classes))
	for k, name := range d.Classes {
		classes[k] = jsonText(name)
	}
	row := make([]float64, d.Points.Dim())
	for i, y := range d.Y {
		d.Points.CopyRow(row, i)
		w.WriteString(objectStart(form, i))
		if names == nil {
			w.WriteString(`"` + vectorKey + `":[`)
		}
		for j, v := range row {
			if j > 0 {
				w.WriteByte(',')
			}
			if names != nil {
				w.WriteString(names[j])
			}
			w.Write(appendNumber(w.AvailableBuffer(), v))
		}
		if names == nil {
			w.WriteByte(']')
		}
		w.Write(label)
		if y == dataset.Unlabelled {
			w.WriteString("null")
		} else {
			w.Write(classes[y])
		}
		if _, err := w.WriteString(objectEnd(form, i, len(d.Y))); err != nil {
			return err
		}
	}
	return nil
}

// objectStart returns what begins object i of a file: a line of JSONL, an element
// of the array of JSON.
func objectStart(form string, i int) string {
	if form == JSON && i == 0 {
		return "[\n{"
	}
	return "{"
}

// objectEnd returns what ends object i of n.
func objectEnd(form string, i, n int) string {
	switch {
	case form == JSONL:
		return "}\n"
	case i+1 < n:
		return "},\n"
	}
	return "}\n]\n"
}

// jsonNames returns the key of the labels and a copy of the names of the
// features, nil where they are written as a vector.
func jsonNames(d *dataset.Dataset) (label string, names []string) {
	label = labelName(d)
	if label == "" || label == vectorKey {
		label = "label"
	}
	seen := map[string]bool{"": true, label: true, vectorKey: true, textKey: true}
	for _, name := range d.Features {
		if seen[name] {
			return label, nil
		}
		seen[name] = true
	}
	return label, slices.Clone(d.Features)
}

// objectsLose says what objects do not keep of a data set.
func objectsLose(d *dataset.Dataset) []string {
	_, names := jsonNames(d)
	switch {
	case names == nil:
		return losesFeatures(d)
	case !slices.IsSorted(names):
		return []string{"the order of the columns: readers of JSON sort them by name"}
	}
	return nil
}

// quoted writes text as a JSON string.
func quoted(s string) []byte {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic("files: " + err.Error()) // a string can always be encoded
	}
	return []byte(strings.TrimSuffix(b.String(), "\n"))
}
