package dataset_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"lapsvm/dataset"
)

// Rows from anywhere, such as a database, become points.
func ExampleNewTable() {
	names := []string{"size", "colour", "label"}
	layout, err := dataset.NewLayout(&dataset.Origin{File: "query"}, names, len(names), 0, dataset.TableOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	table, err := dataset.NewTable(layout)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, row := range [][]string{{"1", "red", "a"}, {"2.5", "blue", "b"}, {"", "red", ""}, {"4", "blue", ""}} {
		if err := table.Add(fields(row...), i+1); err != nil {
			fmt.Println(err)
			return
		}
	}
	d, err := table.Finish()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d.Features, d.Points.DenseRow(2), d.Classes, d.Y)
	// Output:
	// [size colour=blue colour=red] [2.5 0 1] [a b] [0 1 -1 -1]
}

func fields(text ...string) [][]byte {
	row := make([][]byte, len(text))
	for k, s := range text {
		row[k] = []byte(s)
	}
	return row
}

// What a row is called in an error goes by what the rows are.
func TestTableErrors(t *testing.T) {
	e := &dataset.Encoding{Named: true, Columns: []dataset.Column{{Name: "x", Kind: dataset.Number, High: 1}}}
	for rows, want := range map[dataset.Rows]string{
		dataset.Lines:   `f:7:1: column "x": "much" is not a number; correct or remove it; if the column holds the labels, give Options{Label: "x"}`,
		dataset.Objects: `f:7: column "x": "much" is not a number; correct or remove it; if the column holds the labels, give Options{Label: "x"}`,
		dataset.Records: `f: row 7, column "x": "much" is not a number; correct or remove it; if the column holds the labels, give Options{Label: "x"}`,
	} {
		layout, err := dataset.NewLayout(&dataset.Origin{File: "f", Rows: rows}, []string{"x"}, 1, 0, dataset.TableOptions{Encoding: e})
		if err != nil {
			t.Fatal(err)
		}
		var wrong *dataset.Error
		table, err := dataset.NewTable(layout)
		if err != nil {
			t.Fatal(err)
		}
		if err := table.Add(fields("much"), 7); !errors.As(err, &wrong) || err.Error() != want {
			t.Errorf("%v: %v, want %s", rows, err, want)
		}
	}
}

// Memory that tables share is counted together.
func TestTableMemory(t *testing.T) {
	const column = 320 // bytes beside its name
	origin := &dataset.Origin{File: "f", Memory: dataset.NewMemory(2 * (2*2*column + 20*(2*8+8)))}
	rows := 0
	for range 2 {
		layout, err := dataset.NewLayout(origin, nil, 2, 0, dataset.TableOptions{Features: 2, Keep: false})
		if err != nil {
			t.Fatal(err)
		}
		if layout.Label != -1 || !reflect.DeepEqual(layout.Features, []int{0, 1}) || !layout.Plain() {
			t.Fatalf("%+v", layout)
		}
		table, err := dataset.NewTable(layout)
		for err == nil {
			if err = table.Add(fields("1", "2"), rows+1); err == nil {
				rows++
			}
			if rows == 10 {
				break
			}
		}
		if d, err := table.Finish(); rows == 10 && (err != nil || !slices.Equal(d.Points.DenseRow(9), []float64{1, 2})) {
			t.Fatal(err)
		}
	}
	if rows != 20 {
		t.Errorf("%d rows fit into the memory of 20", rows)
	}
}
