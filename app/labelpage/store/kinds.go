package store

import (
	"context"
	"database/sql"
	"errors"

	"lapsvm/dataset"
)

// labelsKey is the property of a store that says what its labels are; without it they are classes.
const (
	labelsKey     = "labels"
	labelsNumbers = "numbers"
	labelsSeveral = "several" // lists of classes
)

// labels is the value of labelsKey, "" of classes.
func (d *Data) labels() string {
	switch {
	case d.Numbers:
		return labelsNumbers
	case d.Several != "":
		return labelsSeveral
	}
	return ""
}

// mostClasses is the largest number of classes of a store.
func (d *Data) mostClasses() int {
	if d.labels() != "" { // numbers and lists are numbered as classes are
		return mostNumbers
	}
	return MostClasses
}

// labelsOf returns what the labels of the file are.
func (s *Store) labelsOf(ctx context.Context) (string, error) {
	var is string
	err := s.db.QueryRowContext(ctx, "SELECT value FROM meta WHERE key = ?", labelsKey).Scan(&is)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return is, err
}

// checkLabels refuses a store of other labels than the data say. Classes that are all called by numbers are taken for numbers. Classes
// that no row has yet are taken for those of rows that may have several.
func (s *Store) checkLabels(ctx context.Context) error {
	has, err := s.labelsOf(ctx)
	wants := s.data.labels()
	switch {
	case err != nil || has == wants:
		return err
	case has == labelsNumbers:
		return errorf(OtherSet, "the labels in %s are numbers: say --regression, or give another store with --store", s.path)
	case has == labelsSeveral:
		return errorf(OtherSet, "rows have several classes in %s: say --multi-label ';', or give another store with --store", s.path)
	case has != "":
		return s.damaged("its labels are %.40q, which there are not", has)
	case wants == labelsSeveral:
		return s.checkUnused(ctx)
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

// checkUnused refuses a store whose rows have one class each.
func (s *Store) checkUnused(ctx context.Context) error {
	var used int
	if err := s.db.QueryRowContext(ctx, "SELECT count(*) FROM events WHERE kind IN (?, ?, ?)", Label, Import, Adjudicate).Scan(&used); err != nil {
		return err
	}
	if used > 0 {
		return errorf(OtherSet, "rows have one class each in %s: give another store with --store, and these labels to it with --labels %s", s.path, s.path)
	}
	return nil
}
