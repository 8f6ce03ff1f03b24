package paper

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"lapsvm/internal/system/atomicfile"
)

// version is raised whenever stored splits of before must not be used again.
const version = 1

// key identifies the input of a stored result. Splits do not depend on how many
// there are.
type key struct {
	Version  int    `json:"version"`
	Set      string `json:"set"`
	Split    int    `json:"split"`
	Seed     uint64 `json:"seed"`
	Appendix bool   `json:"appendix"`
	Data     string `json:"data"` // what was read
}

// kept is a stored result of a split.
type kept[T any] struct {
	Key     key     `json:"key"`
	Seconds float64 `json:"took"` // seconds
	Found   T       `json:"found"`
}

// Explored is a split with the results of all candidates.
type Explored struct {
	Sizes Sizes             `json:"sizes"`
	Cells map[Method][]Cell `json:"cells"`
}

// Sizes are the numbers of points of a split.
type Sizes struct{ L, U, V, T int }

// store keeps finished splits in a folder.
type store struct{ folder string }

func (s store) path(k key, p phase) string {
	return filepath.Join(s.folder, fmt.Sprintf("%s-%02d-%s.json", slug(k.Set), k.Split+1, p.name()))
}

// load reads a stored result into v and reports whether there was a readable
// one. A damaged result is computed again.
func (s store) load(k key, p phase, v any) bool {
	text, err := os.ReadFile(s.path(k, p))
	return err == nil && json.Unmarshal(text, v) == nil
}

func (s store) save(k key, p phase, v any) error {
	if err := os.MkdirAll(s.folder, 0o777); err != nil {
		return err
	}
	return atomicfile.Write(s.path(k, p), func(w io.Writer) error { return json.NewEncoder(w).Encode(v) })
}

// finite replaces numbers that JSON cannot hold by zeros: a logarithmic axis
// leaves zeros out.
func finite(values []float64) {
	for i, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			values[i] = 0
		}
	}
}
