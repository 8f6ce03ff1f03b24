package dataset

import (
	"encoding/json"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"time"

	"lapsvm/dataset/internal/number"
)

// FromMaps makes a dataset from rows that a program has, by the rules of JSON lines. The columns
// are the keys of all rows, and a row without a key has a missing value there. Values are text,
// numbers, booleans, times and slices of numbers or of words, or pointers to them; nil is a missing value. Numbers keep their
// bits, so that the same rows give the same points as from a file. The maps are not kept. A value
// of another type in a column that is used is an [*Error] with the row, from 1, as its line. No
// rows at all are also an error. To make points for a model, use the method Rows of lapsvm.Model.
func FromMaps(rows []map[string]any, o TableOptions) (*Dataset, error) {
	origin := &Origin{File: "rows", Rows: Objects}
	if len(rows) == 0 {
		return nil, origin.Errorf(0, 0, "there are no rows; give one or more")
	}
	keys := make(map[string]bool)
	for _, row := range rows {
		for key := range row {
			keys[key] = true
		}
	}
	header := slices.Sorted(maps.Keys(keys))
	layout, err := NewLayout(origin, header, len(header), 0, o)
	if err != nil {
		return nil, err
	}
	table, err := NewTable(layout)
	if err != nil {
		return nil, err
	}
	numbersAlone := o.Encoding != nil && !o.Encoding.Learnt()
	used := make([]bool, len(header))
	for c := range header {
		used[c] = c == layout.Label || slices.Contains(layout.Features, c) && !layout.Asked(c).Featureless()
	}
	fields := make([][]byte, len(header))
	for i, row := range rows {
		for c, key := range header {
			text, kind := fieldOf(row[key])
			switch {
			case kind == strange && used[c], kind == numerals && used[c] && !layout.MayBeList(c) && string(text) != "[]":
				return nil, origin.Errorf(i+1, 0, "%q is a %T; give text, a number, a boolean, a time, a slice of words, a slice of numbers in a column of such, or nil", key, row[key])
			case kind == numeral && c == layout.Label:
				text = []byte(number.Canonical(string(text)))
			case kind == truth && numbersAlone:
				text = map[bool][]byte{true: {'1'}, false: {'0'}}[text[0] == 't']
			}
			fields[c] = text
		}
		if err := table.Add(fields, i+1); err != nil {
			return nil, err
		}
	}
	d, err := table.Finish()
	if err != nil || o.Encoding != nil || o.TextAlone {
		return d, err
	}
	return d.StoredByValue(nil, math.MaxInt64)
}

// valueKind is what a value of a row is.
type valueKind int

const (
	strange valueKind = iota // no field of a table
	gap
	words
	truth
	numeral
	numerals
)

// wordsOf writes a list of words as JSON does.
func wordsOf(v reflect.Value) ([]byte, valueKind) {
	list := make([]string, v.Len())
	for k := range list {
		text, kind := fieldOf(v.Index(k).Interface())
		if kind != words {
			return nil, strange
		}
		list[k] = string(text)
	}
	text, err := json.Marshal(list)
	if err != nil {
		return nil, strange
	}
	return text, words
}

// fieldOf writes a value as a field of a table.
func fieldOf(value any) ([]byte, valueKind) {
	v := reflect.ValueOf(value)
	for v.Kind() == reflect.Pointer {
		v = v.Elem() // of nil the zero Value
	}
	switch {
	case !v.IsValid():
		return nil, gap
	case v.Kind() == reflect.String:
		return []byte(v.String()), words
	case v.Kind() == reflect.Bool:
		return strconv.AppendBool(nil, v.Bool()), truth
	case v.CanInt():
		return strconv.AppendInt(nil, v.Int(), 10), numeral
	case v.CanUint():
		return strconv.AppendUint(nil, v.Uint(), 10), numeral
	case v.CanFloat():
		return strconv.AppendFloat(nil, v.Float(), 'g', -1, 64), numeral
	}
	if at, is := v.Interface().(time.Time); is {
		return at.UTC().AppendFormat(nil, time.RFC3339Nano), words
	}
	if v.Kind() != reflect.Slice && v.Kind() != reflect.Array {
		return nil, strange
	}
	if v.Type().Elem().Kind() == reflect.String || v.Len() > 0 && v.Type().Elem().Kind() == reflect.Interface && reflect.ValueOf(v.Index(0).Interface()).Kind() == reflect.String {
		return wordsOf(v)
	}
	list := []byte{'['}
	for k := range v.Len() {
		text, kind := fieldOf(v.Index(k).Interface())
		if kind != numeral {
			return nil, strange
		}
		if k > 0 {
			list = append(list, ',')
		}
		list = append(list, text...)
	}
	return append(list, ']'), numerals
}
