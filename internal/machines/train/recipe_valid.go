package train

import (
	"fmt"
	"slices"
	"strings"

	"lapsvm/dataset"
	"lapsvm/points"
)

// Validate reports a recipe that cannot train on any data: unknown words,
// numbers outside their range, and settings that exclude each other. What is
// open may stay so.
func (r Recipe) Validate() error {
	r, err := r.WithDefaults()
	if err != nil {
		return err
	}
	if err := known("standardisation", r.Standardise, points.AsIs, points.UnitNorm, points.ZScore, points.MinMax, points.Columns); err != nil {
		return err
	}
	if err := r.checkViews(); err != nil {
		return err
	}
	const n = 2 // points, the fewest: the ranges are the same for more
	if _, err := graphOf(r, n); err != nil {
		return err
	}
	return r.checkStop(n, Run{Validation: new(dataset.Dataset)})
}

// known reports a word that is none of those there are.
func known[Word ~string](what string, word Word, all ...Word) error {
	if slices.Contains(all, word) {
		return nil
	}
	return fmt.Errorf("unknown %s %q: there are %s", what, word, words(all))
}

// words lists words with commas between them.
func words[Word ~string](all []Word) string { return strings.Join(texts(all), ", ") }

// texts returns words as text.
func texts[Word ~string](all []Word) []string {
	var names []string
	for _, w := range all {
		names = append(names, string(w))
	}
	return names
}
