package input

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"lapsvm/app/command/cli"
	"lapsvm/dataset"
)

// classColumns returns the columns of --label that say, each for its class, whether a row has it; nil where a column lists
// the classes.
func (f *DataFlags) classColumns() []string {
	if f.several == "" || !strings.Contains(f.label, ",") {
		return nil
	}
	var names []string
	for name := range strings.SplitSeq(f.label, ",") {
		names = append(names, strings.TrimSpace(name))
	}
	return names
}

// adviseColumns adds to an error that finds no column of labels where --label lists some as for several classes.
func (f *DataFlags) adviseColumns(err error) error {
	var where *dataset.Error
	if !strings.Contains(f.label, ",") || !errors.As(err, &where) || !strings.Contains(where.Error(), strconv.Quote(f.label)) {
		return err
	}
	if f.Numbers {
		return fmt.Errorf("%w; a regression has one column of labels, so train a model for each", err)
	}
	return fmt.Errorf("%w; where each of several columns tells of its class whether a row has it, give --multi-label ';' too", err)
}

// ofColumns returns d, whose columns are kept, with the classes of each row by the columns called so. A row with 1, yes or true has
// the class, and one with 0, no or false has it not. An empty cell is not known. Numbers in names are places of columns, from 1,
// and become their names.
func (f *DataFlags) ofColumns(d *dataset.Dataset, names []string) (*dataset.Dataset, error) {
	at := make([]int, len(names))
	for k, name := range names {
		at[k] = -1
		if d.Kept != nil {
			at[k] = slices.Index(d.Kept.Names, name)
			if n, err := strconv.Atoi(name); at[k] < 0 && err == nil && 1 <= n && n <= len(d.Kept.Names) {
				at[k], names[k] = n-1, d.Kept.Names[n-1]
			}
		}
		if at[k] < 0 {
			return nil, cli.Usagef("--label names the column %q, which is not there: give the columns of the classes, separated by commas", name)
		}
	}
	all := dataset.NewLabels(nil, false, f.LabelRules())
	for i := range d.Y {
		var has, unknown []string
		for k, name := range names {
			switch cell := strings.ToLower(strings.TrimSpace(d.Kept.Rows[i][at[k]])); {
			case slices.Contains([]string{"1", "1.0", "yes", "true"}, cell):
				has = append(has, name)
			case slices.Contains([]string{"0", "0.0", "no", "false"}, cell):
			case dataset.MeansNoLabel(cell):
				unknown = append(unknown, name)
			default:
				return nil, cli.BadData(fmt.Errorf("row %d, column %q: %q tells not whether the row has the class: write 1, 0 or nothing", d.RowNumber(i), name, cell))
			}
		}
		err := error(nil)
		if len(unknown) == len(names) {
			err = all.AddNone()
		} else {
			err = all.Add([]byte(dataset.JoinSeveral(has, unknown, f.several)))
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
	labelled.Notes = slices.Concat(d.Notes, labelled.Notes)
	return &labelled, nil
}
