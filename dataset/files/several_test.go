package files

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lapsvm/dataset"
	"lapsvm/points"
)

// Several files are read as one that has their rows one after another, also in parts.
func TestSeveralFilesAreOne(t *testing.T) {
	var values []float64
	whole := &dataset.Dataset{Classes: []string{"1", "2", "10"}, Features: []string{"a", "b", "c"}}
	for i := range 60 {
		values = append(values, float64(i)/7, float64(i%5), float64(i*i%11))
		whole.Y = append(whole.Y, i*i%4-1)
	}
	whole.Points = points.Dense(60, 3, values)
	for _, ending := range []string{"csv", "npy", "npz", "svm", "jsonl", "parquet", "arrow"} {
		folder := t.TempDir()
		one := filepath.Join(folder, "one."+ending)
		var paths []string
		write := func(path string, rows ...int) {
			var all []int
			for i := rows[0]; i < rows[1]; i++ {
				all = append(all, i)
			}
			if err := WriteFile(t.Context(), path, whole.Subset(all), WriteOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		write(one, 0, 60)
		for k := range 3 {
			paths = append(paths, filepath.Join(folder, fmt.Sprintf("part%d.%s", k, ending)))
			write(paths[k], 20*k, 20*k+20)
		}
		want, err := ReadFile(one, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for of := 1; of <= 3; of++ {
			rows := 0
			for rank := range of {
				d, err := ReadFiles(paths, Options{Share: dataset.Part{Rank: rank, Of: of}})
				if err != nil {
					t.Fatalf("%s: %v", ending, err)
				}
				if a, b := ofAll(t, d), ofAll(t, want); a != b {
					t.Errorf("%s, part %d of %d: %s, want %s", ending, rank, of, a, b)
				}
				for k, row := range d.Rows() {
					rows++
					if a, b := rowText(d, k), rowText(want, row); a != b {
						t.Errorf("%s, part %d of %d, row %d: %s, want %s", ending, rank, of, row+1, a, b)
					}
				}
			}
			if rows != 60 {
				t.Errorf("%s in %d parts: %d rows", ending, of, rows)
			}
		}
	}
}

// What keeps files apart is an error that names the file.
func TestSeveralFilesThatDiffer(t *testing.T) {
	const plain = "a,b,label\n1,2,x\n3,4,y\n"
	for other, want := range map[string]string{
		"a,b,c,label\n1,2,3,x\n": "2.csv:1: there are 3 feature columns",
		"b,a,label\n1,2,x\n":     "2.csv: the columns are b, a, unlike those of",
		"a,b,label\n1,,x\n":      "2.csv:2:2: column \"b\": the value is empty",
		"a,b,label\n1,2,X\n":     `the classes "X" and "x" of this and the other files differ in case`,
	} {
		folder := t.TempDir()
		paths := []string{filepath.Join(folder, "1.csv"), filepath.Join(folder, "2.csv")}
		for k, text := range []string{plain, other} {
			if err := os.WriteFile(paths[k], []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := ReadFiles(paths, Options{FoldCase: true}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", other, err, want)
		}
	}
	path := filepath.Join(t.TempDir(), "words.csv")
	if err := os.WriteFile(path, []byte("a,b,label\nred,2,x\nred,3,y\nblue,4,x\nblue,5,y\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadFiles([]string{path, path}, Options{}); err == nil || !strings.Contains(err.Error(), "whose encoding is learnt from one file") {
		t.Error(err)
	}
	d, err := ReadFile(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if d, err = ReadFiles([]string{path, path}, Options{Encoding: d.Encoding}); err != nil || d.Points.Len() != 8 || d.Missing.Rows != 8 {
		t.Error(d, err)
	}
}
