package files

import (
	"fmt"
	"path/filepath"
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
		sharesAre(t, one, paths, Options{})
	}
}
