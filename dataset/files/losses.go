package files

import (
	"fmt"
	"strconv"

	"lapsvm/dataset"
	"lapsvm/dataset/internal/quote"
)

// What a file may not keep of a data set; nil where it has none.

func losesFeatures(d *dataset.Dataset) []string {
	if d.Features == nil {
		return nil
	}
	return []string{fmt.Sprintf("the names of the %d features", len(d.Features))}
}

func losesLabel(d *dataset.Dataset) []string {
	if name := labelName(d); name == "" || name == "label" {
		return nil
	}
	return []string{fmt.Sprintf("the name of the label column, %q", d.Label)}
}

// labelName returns the name of the label column, "" where it has none but a number.
func labelName(d *dataset.Dataset) string {
	if _, err := strconv.Atoi(d.Label); err == nil && d.Features == nil {
		return ""
	}
	return d.Label
}

// losesClasses tells of classes that no file can keep, since no row has them.
func losesClasses(d *dataset.Dataset) []string {
	used := make([]bool, len(d.Classes))
	for _, y := range d.Y {
		if y != dataset.Unlabelled {
			used[y] = true
		}
	}
	var empty []string
	for k, name := range d.Classes {
		if !used[k] {
			empty = append(empty, name)
		}
	}
	if empty == nil {
		return nil
	}
	return []string{"the classes without a row: " + quote.Names(empty)}
}
