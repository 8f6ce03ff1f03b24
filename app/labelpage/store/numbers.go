package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"math"
	"slices"
	"strconv"

	"lapsvm/dataset"
)

// labelsKey is the property of a store that says what its labels are; without it they are classes.
const (
	labelsKey     = "labels"
	labelsNumbers = "numbers"
)

// largest bounds the numbers of a store, as it does those of a training.
const largest = 1e30

// mostClasses is the largest number of classes of a store.
func (d *Data) mostClasses() int {
	if d.Numbers {
		return mostNumbers
	}
	return MostClasses
}

// Number returns a number as stores write it. Equal numbers have one text, such as 12.5 for 12.50. It fails for a text
// that is no number, and for one beyond 10³⁰.
func Number(text string) (string, error) {
	v, ok := dataset.LabelNumber(text)
	switch size := math.Abs(v); {
	case !ok:
		return "", errorf(Invalid, "%.60q is no number: give one such as 12.5", text)
	case size > largest:
		return "", errorf(Invalid, "the number %s is too large: numbers are at most %g", text, float64(largest))
	case v == 0:
		return "0", nil
	case size >= 1e-4 && size < 1e15:
		return strconv.FormatFloat(v, 'f', -1, 64), nil
	}
	return strconv.FormatFloat(v, 'g', -1, 64), nil
}

// NumberOf returns the number that a class is, NaN for none.
func (s *State) NumberOf(class int) float64 {
	if class = s.Resolve(class); class == NoClass || !s.areNumbers {
		return math.NaN()
	}
	return s.classes[class].number
}

// settledNumber is settled where labels are numbers.
func (s *State) settledNumber(r *rowState) int {
	var all []Judgement
	for name, j := range r.said {
		if j.Kind == Label && name != FromData {
			all = append(all, j)
		}
	}
	if len(all) == 0 {
		if j, said := r.said[FromData]; said {
			return s.Resolve(j.Class)
		}
		return NoClass
	}
	slices.SortFunc(all, func(a, b Judgement) int {
		return cmp.Or(cmp.Compare(s.classes[a.Class].number, s.classes[b.Class].number), cmp.Compare(a.Seq, b.Seq))
	})
	low, high := all[(len(all)-1)/2], all[len(all)/2]
	if high.Seq < low.Seq {
		low = high
	}
	return low.Class
}

// apart returns how far the numbers of opinions are apart, 0 where labels are classes.
func (s *State) apart(given []Opinion) float64 {
	if !s.areNumbers {
		return 0
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, o := range given {
		v := s.NumberOf(o.Class)
		low, high = min(low, v), max(high, v)
	}
	return high - low
}

// hasNumbers reports whether the labels of the file are numbers.
func (s *Store) hasNumbers(ctx context.Context) (bool, error) {
	var is string
	err := s.db.QueryRowContext(ctx, "SELECT value FROM meta WHERE key = ?", labelsKey).Scan(&is)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return is == labelsNumbers, err
}

// checkNumbers refuses a store of numbers where labels are classes, and one of classes where they are numbers, unless all its
// classes are called by numbers.
func (s *Store) checkNumbers(ctx context.Context) error {
	has, err := s.hasNumbers(ctx)
	switch {
	case err != nil || has == s.data.Numbers:
		return err
	case has:
		return errorf(OtherSet, "the labels in %s are numbers: say --regression, or give another store with --store", s.path)
	}
	rows, err := s.db.QueryContext(ctx, "SELECT name FROM events WHERE kind IN (?, ?) AND name IS NOT NULL", ClassAdd, ClassRename)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return s.damaged("its table events: %v", err)
		}
		if _, ok := dataset.LabelNumber(name); !ok {
			return errorf(OtherSet, "%s has the class %.60q, which is no number: leave --regression out, or give another store with --store", s.path, name)
		}
	}
	return rows.Err()
}
