package input

import (
	"encoding/csv"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"lapsvm/app/command/cli"
	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/system/fault"
)

// classColumns returns the columns of --label that say, each for its class, whether a row has it; nil where a column lists
// the classes.
func (f *DataFlags) classColumns() []string {
	if f.kind.Separator == "" || !f.labelsColumns() {
		return nil
	}
	var names []string
	for _, name := range f.labelNames() {
		name = strings.TrimSpace(name)
		first, last, is := placesOf(name)
		if !is {
			names = append(names, name)
			continue
		}
		for k := first; k <= last; k++ {
			names = append(names, strconv.Itoa(k))
		}
	}
	return names
}

// labelsColumns reports whether --label lists columns, or has a range of them.
func (f *DataFlags) labelsColumns() bool {
	_, _, is := placesOf(strings.TrimSpace(f.label))
	return is || len(f.labelNames()) > 1
}

// labelNames returns what --label lists. A name in quotes may have commas, as in a line of CSV.
func (f *DataFlags) labelNames() []string {
	names, err := csv.NewReader(strings.NewReader(f.label)).Read()
	if err != nil || strings.ContainsAny(f.label, "\r\n") {
		return strings.Split(f.label, ",")
	}
	return names
}

// labelColumn returns the one column that --label names.
func (f *DataFlags) labelColumn() string {
	if names := f.labelNames(); len(names) == 1 {
		return names[0]
	}
	return f.label
}

// placesOf reads a range of places of columns, such as 73-78.
func placesOf(text string) (first, last int, is bool) {
	const most = 100000
	low, high, is := strings.Cut(text, "-")
	first, err := strconv.Atoi(low)
	last, other := strconv.Atoi(high)
	return first, last, is && err == nil && other == nil && 1 <= first && first < last && last <= most
}

// severalSeparator is what separates classes that stand in columns of their own.
const severalSeparator = ";"

// KindOf returns the kind of label that flags ask for: several classes where --label lists columns, unless another is given.
func (f *DataFlags) KindOf(given task.Kind) task.Kind {
	if given.Is(task.OfClasses) && f.labelsColumns() {
		return task.Several(severalSeparator)
	}
	return given
}

// adviseColumns adds to an error that finds no column of numbers where --label lists some.
func (f *DataFlags) adviseColumns(err error) error {
	var where *dataset.Error
	if !f.Numbers || len(f.labelNames()) < 2 || !errors.As(err, &where) || !strings.Contains(where.Error(), strconv.Quote(f.label)) {
		return err
	}
	return fmt.Errorf("%w; a regression has one column of labels, so train a model for each", err)
}

// ofColumns returns d, whose columns are kept, with the classes of each row by the columns called so. A row with 1, yes or true has
// the class, and one with 0, no or false has it not. An empty cell is not known. Numbers in names are places of columns, from 1,
// and become their names.
func (f *DataFlags) ofColumns(d *dataset.Dataset, names []string) (*dataset.Dataset, error) {
	at := make([]int, len(names))
	for k, name := range names {
		if at[k] = d.Kept.Find(name); at[k] < 0 {
			return nil, cli.Usagef("--label names the column %q, which is not there: give the columns of the classes, separated by commas", name)
		}
		names[k] = d.Kept.Names[at[k]]
	}
	if k := slices.IndexFunc(names, func(name string) bool { return strings.HasPrefix(name, "?") }); k >= 0 {
		return nil, cli.BadData(fault.Errorf("the column %q begins with ?, which marks classes that are not known: rename it", names[k]))
	}
	all := dataset.NewLabels(nil, false, f.LabelRules())
	for i := range d.Y {
		var has, unknown []string
		for k, name := range names {
			switch cell := strings.ToLower(strings.TrimSpace(d.Kept.Rows[i][at[k]])); {
			case slices.Contains([]string{"1", "yes", "true"}, dataset.ClassKey(cell)):
				has = append(has, name)
			case slices.Contains([]string{"0", "no", "false"}, dataset.ClassKey(cell)):
			case dataset.MeansNoLabel(cell):
				unknown = append(unknown, name)
			default:
				return nil, cli.BadData(fault.Errorf("row %d, column %q: %q tells not whether the row has the class: write 1, 0 or nothing", d.RowNumber(i), name, cell))
			}
		}
		err := error(nil)
		if len(unknown) == len(names) {
			err = all.AddNone()
		} else {
			err = all.Add([]byte(dataset.JoinSeveral(has, unknown, f.kind.Separator)))
		}
		if err != nil {
			return nil, err
		}
	}
	labelled := *d
	labelled.Notes, labelled.Label, labelled.Guessed = nil, strings.Join(names, ","), ""
	if err := all.Finish(&labelled); err != nil {
		return nil, err
	}
	each := dataset.Note{Message: dataset.Messagef("each of the columns %s says of its class whether a row has it", strings.Join(names, ", "))}
	labelled.Notes = slices.Concat(d.Notes, labelled.Notes, []dataset.Note{each})
	return &labelled, nil
}
