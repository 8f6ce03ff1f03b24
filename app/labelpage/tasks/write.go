package tasks

import (
	"bufio"
	"encoding/json"
	"io"
)

// Format is a form that tasks are written in.
type Format string

// The forms.
const (
	LabelStudio Format = "label-studio" // an array of tasks to import
	Prodigy     Format = "prodigy"      // a task a line
)

// Formats returns all forms.
func Formats() []Format { return []Format{LabelStudio, Prodigy} }

// Field is a part of a row, by the name of its column.
type Field struct{ Name, Value string }

// Point is a point to be labelled.
type Point struct {
	Row         int // from 0
	Reason      string
	Fields      []Field  // what else is known of it
	Image       string   // its file or address; "" for other points
	Text        string   // what is shown of other points
	Classes     []string // that the machine decides: one, or those of a row that may have several; none without a decision
	Probability float64  // of that class, or of the least sure answer whether the row has a class
}

// Write writes tasks of points in a form. The tasks of Label Studio have the data row,
// reason, image or text, and the fields of their points. A decision becomes a prediction
// of the control label, of type choices, for the object image or text. Those of Prodigy
// have row, reason and score in their meta, the classes as options and the decision as
// label. Where rows may have several classes, several options can be chosen, and the decided ones are. It panics for another form.
func Write(w io.Writer, form Format, points []Point, classes []string, several bool) error {
	b := bufio.NewWriter(w)
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	switch form {
	case LabelStudio:
		all := make([]task, len(points))
		for k, p := range points {
			all[k] = labelStudioTask(p)
		}
		e.SetIndent("", " ")
		if err := e.Encode(all); err != nil {
			return err
		}
	case Prodigy:
		for _, p := range points {
			if err := e.Encode(prodigyTask(p, classes, several)); err != nil {
				return err
			}
		}
	default:
		panic("tasks: there is no form " + string(form))
	}
	return b.Flush()
}
