package files

import (
	"encoding/binary"
	"reflect"
	"strings"
	"testing"
)

// Files of NumPy, SciPy and Octave hold several arrays. Those are read that are asked for, or called
// like points and labels. A note has the others.
func TestChosenArrays(t *testing.T) {
	points := [][]float64{{1.5, 0}, {0, 2.5}, {3.5, 0}, {0, 4.5}}
	network := [][]float64{{0, 1, 0, 0}, {1, 0, 1, 0}, {0, 1, 0, 1}, {0, 0, 1, 0}}
	words, numbers := []string{"cat", "dog", "cat", "dog"}, []string{"1", "2", "1", "2"}
	const advice = " (FILE#NAME reads other points, Options.Label other labels)"
	for _, c := range []struct {
		file   string
		o      Options
		points [][]float64
		labels []string
		note   string
	}{
		{"target.npz", Options{}, points, words, "read X (4×2) and the labels target (4); not read: target_names (2), weights (4×1), version (one value)"},
		{"target.npz", Options{Label: "weights"}, points, []string{"1", "2", "3", "4"}, "read X (4×2) and the labels weights (4×1); not read: target (4), target_names (2), version (one value)"},
		{"target.npz#weights", Options{}, [][]float64{{1}, {2}, {3}, {4}}, words, "read weights (4×1) and the labels target (4); not read: X (4×2), target_names (2), version (one value)"},
		{"graph.npz", Options{}, points, []string{"0", "1", "0", "1"}, "read attr_matrix (4×2) and the labels labels (4); not read: adj_matrix (4×4)"},
		{"graph.npz#adj_matrix", Options{}, network, []string{"0", "1", "0", "1"}, "read adj_matrix (4×4) and the labels labels (4); not read: attr_matrix (4×2)"},
		{"beside.mat", Options{}, points, numbers, "read X (4×2) and the labels target (1×4); not read: data (1×1), notes (1×3), network (4×4)"},
		{"beside.mat#network", Options{}, network, numbers, "read network (4×4) and the labels target (1×4); not read: X (4×2), data (1×1), notes (1×3)"},
		{"octave.mat", Options{}, points, words, "read X (4×2) and the labels class (4×1); not read: data (1×1), seen (4×3)"},
		{"sparse.mat", Options{}, [][]float64{{1, 0, 1}, {0, 1, 1}, {1, 1, 0}, {0, 0, 1}}, numbers, ""}, // a logical matrix, which Octave 7.3 does not read itself
	} {
		d, err := ReadFile("../../testdata/written/arrays/"+c.file, c.o)
		if err != nil {
			t.Errorf("%s: %v", c.file, err)
			continue
		}
		if !reflect.DeepEqual(values(d.Points), c.points) || !reflect.DeepEqual(labels(d), c.labels) || (c.note == "") != (len(d.Notes) == 0) || len(d.Notes) > 0 && d.Notes[0].Error() != c.note+advice {
			t.Errorf("%s: %v %q %v", c.file, values(d.Points), labels(d), d.Notes)
		}
	}
	for file, want := range map[string]string{
		"beside.mat#notes": "the variable notes: is no matrix of numbers",
		"beside.mat#more":  `there is no array "more"; there are X, target, data, notes, network`,
		"target.npz#more":  `there is no array "more"; there are X, target, target_names, weights, version`,
	} {
		if _, err := ReadFile("../../testdata/written/arrays/"+file, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", file, err, want)
		}
	}
}

// An array that has a name of labels in tables alone holds them if it has one for each row, and if there is no better one.
func TestLabelsByOtherNames(t *testing.T) {
	o := binary.LittleEndian
	column := func(name string, v string) string {
		return matVariable(o, name, matDouble, []int{len(v), 1}, matElementOf(o, 2, v))
	}
	x := column("X", "\x01\x02\x03")
	for _, c := range []struct {
		variables []string
		want      string
	}{
		{[]string{x, column("target", "\x01\x02\x01")}, "1 2 1"},
		{[]string{column("targets", "\x01\x02\x01"), x}, "1 2 1"},
		{[]string{x, column("Class", "\x01\x02\x01"), column("target", "\x05\x06\x05")}, "1 2 1"},
		{[]string{x, column("class", "\x01\x02"), column("target", "\x05\x06\x05")}, "5 6 5"},
		{[]string{x, column("class", "\x01\x02\x01"), column("y", "\x05\x06\x05")}, "5 6 5"},
		{[]string{x, column("class", "\x01\x02")}, "  "},
		{[]string{x, matVariable(o, "target", 2, []int{3, 1}, "anything")}, "  "},
	} {
		d := mustRead(t, "a.mat", matFile(o, c.variables...), Options{})
		if got := strings.Join(labels(d), " "); got != c.want {
			t.Errorf("%q: %q, want %q", c.variables, got, c.want)
		}
	}
}

// MATLAB has written sparse logical matrices as bytes under the type of doubles.
func TestSparseLogical(t *testing.T) {
	o := binary.LittleEndian
	word := func(all ...byte) (s string) {
		for _, v := range all {
			s += string([]byte{v, 0, 0, 0})
		}
		return s
	}
	for kind, data := range map[int]string{
		9:  "\x01\x01\x01\x01\x01",
		2:  "\x01\x01\x01\x01\x01",
		12: strings.Repeat("\x01\x00\x00\x00\x00\x00\x00\x00", 5),
	} {
		v := matVariable(o, "X", 0x0205, []int{3, 3}, matElementOf(o, 5, word(0, 0, 2, 1, 2)), matElementOf(o, 5, word(0, 1, 3, 5)), matElementOf(o, kind, data))
		d := mustRead(t, "a.mat", matFile(o, v), Options{})
		if got := values(d.Points); !reflect.DeepEqual(got, [][]float64{{1, 1, 0}, {0, 0, 1}, {0, 1, 1}}) {
			t.Errorf("type %d: %v", kind, got)
		}
	}
}
