package files

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"lapsvm/dataset"
	"lapsvm/points"
)

// Every field of the options of a table is one of Options, and is handed on.
func TestOptionsOfTables(t *testing.T) {
	var o Options
	from := reflect.ValueOf(&o).Elem()
	for k := range from.NumField() {
		f := from.Field(k)
		if !f.CanSet() { // is of this package alone
			continue
		}
		switch f.Kind() {
		case reflect.String:
			f.SetString("s")
		case reflect.Int:
			f.SetInt(7)
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Slice:
			f.Set(reflect.ValueOf([]string{from.Type().Field(k).Name}))
		case reflect.Pointer:
			if f.Type() == reflect.TypeFor[*dataset.Encoding]() {
				f.Set(reflect.ValueOf(&dataset.Encoding{Named: true}))
			}
		}
	}
	to := reflect.ValueOf(o.table())
	for k := range to.NumField() {
		name := to.Type().Field(k).Name
		if f := from.FieldByName(name); !f.IsValid() || !reflect.DeepEqual(f.Interface(), to.Field(k).Interface()) {
			t.Errorf("%s is not handed on", name)
		}
	}
}

// The rows of the table of formats are whole: names and endings are unique, what
// is written is read, and what a format is said to lose it loses.
func TestFormats(t *testing.T) {
	d := &dataset.Dataset{Points: points.Dense(2, 2, []float64{1, 2, 3, 4}), Y: []int{0, 1}, Classes: []string{"0", "1"}, Features: []string{"a", "b"}, Label: "y"}
	var names, endings []string
	for _, f := range Formats() {
		names = append(append(names, f.Name), f.Aliases...)
		endings = append(endings, f.Endings...)
		if f.Name == "" || f.Holds == "" || f.CanRead() == (f.readPath != nil) || f.CanWrite() && !f.CanRead() || f.CanWriteSeveral() && !f.Table && !f.keyed { // several columns are told by their place or by their names
			t.Errorf("%s: a row that is not whole", f.Name)
		}
		for _, name := range append([]string{f.Name}, f.Aliases...) {
			if got, err := FormatCalled(name); err != nil || got.Name != f.Name {
				t.Errorf("%s is called %s, %v", name, got.Name, err)
			}
		}
		for _, ending := range f.Endings {
			if got, err := FormatOf("dir.x/A." + strings.ToUpper(ending) + ".gz"); err != nil || got.Name != f.Name {
				t.Errorf("a.%s is %s, %v", ending, got.Name, err)
			}
		}
		if lost := Lost(d, f.Name); f.CanWrite() && (f.Loses == "") != (lost == nil) {
			t.Errorf("%s is said to lose %q, and loses %q", f.Name, f.Loses, lost)
		}
	}
	for _, all := range [][]string{names, endings} {
		slices.Sort(all)
		if len(slices.Compact(slices.Clone(all))) != len(all) {
			t.Errorf("some are not unique: %q", all)
		}
	}
}
