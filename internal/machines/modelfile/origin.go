package modelfile

import (
	"errors"
	"fmt"
	"strings"

	"lapsvm/internal/machines/task"
)

// Origin tells which points of the training data the basis consists of.
type Origin struct {
	Rows  []int // row of every basis point in the training data, from 0, ascending
	Class []int // index of its class, −1 for a point without a label; 0 of a label of numbers or of several classes
	// Answers says of every labelled point which of several classes it has, a sign for each, as [task.Task.Signs] has them. It is ""
	// of others, and nil where a point has one class, and in files of older programs.
	Answers []string
}

// Subset returns the origin of some of the basis points, given in ascending order.
// Of nil it is nil.
func (o *Origin) Subset(basis []int) *Origin {
	if o == nil {
		return nil
	}
	s := &Origin{}
	for _, j := range basis {
		s.Rows, s.Class = append(s.Rows, o.Rows[j]), append(s.Class, o.Class[j])
		if o.Answers != nil {
			s.Answers = append(s.Answers, o.Answers[j])
		}
	}
	return s
}

// Labelled returns the basis points with a label, ascending.
func (o *Origin) Labelled() []int {
	labelled := []int{}
	for j, c := range o.Class {
		if c >= 0 {
			labelled = append(labelled, j)
		}
	}
	return labelled
}

// originHeader is a short form of an [Origin]: most often basis point j comes from
// row j, and few have a label. Programs that do not know it read the rest of the
// file.
type originHeader struct {
	Rows     []int `json:"rows,omitempty"` // absent where they are 0, 1, 2, …
	Labelled []int `json:"labelled"`       // basis points with a label, ascending
	Class    []int `json:"class"`          // of each of these

	Answers []string `json:"answers,omitempty"` // likewise
}

func originToHeader(o *Origin) *originHeader {
	if o == nil {
		return nil
	}
	h := &originHeader{Labelled: o.Labelled(), Class: []int{}}
	for j, row := range o.Rows {
		if row != j {
			h.Rows = o.Rows
			break
		}
	}
	for _, j := range h.Labelled {
		h.Class = append(h.Class, o.Class[j])
		if o.Answers != nil {
			h.Answers = append(h.Answers, o.Answers[j])
		}
	}
	return h
}

// origin returns the origin of the given number of basis points.
func (h *originHeader) origin(basis int) (*Origin, error) {
	if h == nil {
		return nil, nil
	}
	o := &Origin{Rows: h.Rows, Class: make([]int, basis)}
	if len(o.Rows) == 0 {
		o.Rows = make([]int, basis)
		for j := range o.Rows {
			o.Rows[j] = j
		}
	}
	for j := range o.Class {
		o.Class[j] = -1
	}
	if len(h.Labelled) != len(h.Class) {
		return nil, fmt.Errorf("%d labelled basis points and %d classes", len(h.Labelled), len(h.Class))
	}
	if h.Answers != nil {
		if len(h.Answers) != len(h.Labelled) {
			return nil, fmt.Errorf("answers of %d labelled basis points of %d", len(h.Answers), len(h.Labelled))
		}
		o.Answers = make([]string, basis)
	}
	last := -1
	for k, j := range h.Labelled {
		if j <= last || j >= basis {
			return nil, fmt.Errorf("a label of basis point %d after %d", j, last)
		}
		o.Class[j], last = h.Class[k], j
		if h.Answers != nil {
			o.Answers[j] = h.Answers[k]
		}
		if h.Class[k] < 0 {
			return nil, errors.New("a label without a class")
		}
	}
	return o, nil
}

// validate reports an origin that does not fit the number of basis points or classes.
func (o *Origin) validate(basis, classes int) error {
	if o == nil {
		return nil
	}
	if len(o.Rows) != basis || len(o.Class) != basis {
		return fmt.Errorf("an origin of %d and %d basis points of %d", len(o.Rows), len(o.Class), basis)
	}
	last := -1
	for j, row := range o.Rows {
		if row <= last {
			return fmt.Errorf("basis point %d comes from row %d, the one before from row %d", j, row, last)
		}
		last = row
		if o.Class[j] < -1 || o.Class[j] >= max(1, classes) {
			return fmt.Errorf("basis point %d has the class %d of %d", j, o.Class[j], classes)
		}
	}
	return o.validAnswers(classes)
}

// validAnswers reports answers that no labels of so many classes have.
func (o *Origin) validAnswers(classes int) error {
	if o.Answers == nil {
		return nil
	}
	if len(o.Answers) != len(o.Class) {
		return fmt.Errorf("answers of %d basis points of %d", len(o.Answers), len(o.Class))
	}
	for j, answers := range o.Answers {
		want := classes
		if o.Class[j] < 0 {
			want = 0
		}
		if len(answers) != want || strings.Trim(answers, string([]byte{task.Has, task.Lacks, task.NotKnown})) != "" {
			return fmt.Errorf("basis point %d has the answers %q for %d classes", j, answers, want)
		}
	}
	return nil
}
