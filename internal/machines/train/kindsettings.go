package train

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strings"

	"lapsvm/internal/machines/task"
)

// saidKind is the kind of label as settings say it. A recipe has one.
type saidKind struct {
	oneClass   bool
	separator  string
	regression bool
	order      []string // of ordered classes; numbers alone for auto
}

// kindSettings are the rows of the settings that say a kind of label.
func kindSettings() []Setting {
	return []Setting{
		{Key: "one_class", Name: "one class", Flag: "one-class", Group: ObjectiveGroup, Help: "train on labels of one class: a point is inside it or not",
			kind: task.OfOneClass, at: func(d *Draft) any { return &d.said.oneClass }},
		{Key: "multi_label", Name: "several classes, separated by", Flag: "multi-label", Group: ObjectiveGroup, Help: "rows have any number of classes, separated by this sign in a cell, such as ;",
			kind: task.OfSeveral, at: func(d *Draft) any { return &d.said.separator }},
		{Key: "regression", Name: "regression", Flag: "regression", Group: ObjectiveGroup, Help: "labels are numbers, and so are predictions",
			kind: task.OfNumbers, at: func(d *Draft) any { return &d.said.regression }},
		{Key: "ordered", Name: "ordered classes", Flag: "ordered", Group: ObjectiveGroup, Help: "classes have an order, and errors count by their distance in ranks: the classes from the lowest to the highest with commas between them, or auto where they are numbers",
			kind: task.OfOrdered, at: func(d *Draft) any { return (*order)(&d.said.order) }},
	}
}

// saidOf returns what settings say of a kind.
func saidOf(k task.Kind) saidKind {
	said := saidKind{oneClass: k.Is(task.OfOneClass), separator: k.Separator, regression: k.Is(task.OfNumbers), order: k.Order}
	if k.Is(task.OfOrdered) && k.Order == nil {
		said.order = byNumber
	}
	return said
}

// kind returns the kind that settings say, the first of several.
func (s saidKind) kind() task.Kind {
	switch {
	case s.oneClass:
		return task.OneClass()
	case s.separator != "":
		return task.Several(s.separator)
	case s.regression:
		return task.Numbers()
	case slices.Equal(s.order, byNumber):
		return task.Ordered()
	case s.order != nil:
		return task.Ordered(s.order...)
	}
	return task.Kind{}
}

// finishKind gives the recipe of the draft its kind of label. It fails for two kinds.
func (d *Draft) finishKind() error {
	var said []Setting
	for _, s := range Settings() {
		if s.kind != "" && s.written(d) {
			said = append(said, s)
		}
	}
	if len(said) > 1 {
		return &ExclusionError{[2]Setting(said[:2]), d, "labels are of one kind" + leaveOut}
	}
	d.Recipe.Kind = d.said.kind()
	return nil
}

// order is classes from the lowest to the highest, as a line of CSV.
type order []string

// byNumber is the order of classes that are numbers.
var byNumber = []string{"auto"}

func (o *order) String() string {
	if len(*o) == 0 {
		return ""
	}
	var line strings.Builder
	w := csv.NewWriter(&line)
	w.Write(*o)
	w.Flush()
	return strings.TrimSuffix(line.String(), "\n")
}

func (o *order) Set(text string) error {
	*o = nil
	if text == "" {
		return nil
	}
	names, err := csv.NewReader(strings.NewReader(text)).Read()
	if err != nil {
		return fmt.Errorf("takes classes with commas between them, the lowest first, not %q", text)
	}
	for _, name := range names {
		*o = append(*o, strings.TrimSpace(name))
	}
	return nil
}
