package labelpage

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"lapsvm/app/labelpage/store"
	"lapsvm/dataset"
)

// Source is the source of the rows, watched while the page is open.
type Source struct {
	// Look returns a mark of the data, such as sizes and times of files; the mark changes whenever
	// the data may have changed. unfinished reports that the data seem to end within a row. Look
	// fails where the data are missing. Cost: little.
	Look func() (mark string, unfinished bool, err error)
	// Read reads the data with the settings of the content now on show. It returns all rows as
	// read, with no kept. Rows known to be unchanged need not be read: kept has their numbers, and
	// read has the other rows, nil for none.
	Read func(ctx context.Context, now *Content) (read *Content, kept []int, err error)
	Mark string // of the data that the page begins with, from before they were read
	// Called is the name of the data for people. Words describes a difference between the data and
	// the store's record of them.
	Called string
	Words  func(store.Drift) []string
	Every  time.Duration // between two looks, at least; 0 means 2 seconds
}

// How often the source is looked at.
const (
	lookEvery   = 2 * time.Second
	lookShare   = 20 // times as long as a look took, at least
	readShare   = 5  // times as long as reading took
	unfinished  = 5  // looks until data that end within a row are read all the same
	mostNotices = 5  // lines of what became of the data
)

// watch looks at the source until ctx is done, and takes in new rows. It reads once two looks have
// seen the same mark, so that a file is not read while it is being written. An error of reading is
// shown, and reading is tried again after the next change.
func (s *Server) watch(ctx context.Context) {
	if s.Source.Look == nil {
		return
	}
	taken, refused, last, calm := s.Source.Mark, "", s.Source.Mark, 0
	every := cmp.Or(s.Source.Every, lookEvery)
	for pause := every; ; {
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
		start := time.Now()
		mark, open, err := s.Source.Look()
		pause = max(every, lookShare*time.Since(start))
		if calm++; mark != last {
			last, calm = mark, 0
		}
		switch {
		case err != nil && calm < 1: // files are replaced
		case err != nil:
			s.trouble(err)
		case mark == taken:
			s.trouble(nil)
		case mark == refused, calm < 1, open && calm < unfinished:
		default:
			start = time.Now()
			err := s.reread(ctx)
			if ctx.Err() != nil {
				return
			}
			if s.trouble(err); err != nil {
				refused = mark
			} else {
				taken = mark
			}
			pause = max(every, readShare*time.Since(start))
		}
	}
}

// reread reads the data again and gives the rows to the store, the page and the machine.
func (s *Server) reread(ctx context.Context) error {
	now := s.content()
	read, kept, err := s.Source.Read(ctx, now)
	if err != nil {
		return err
	}
	if read == nil {
		read = now.none()
	}
	next, at, err := now.grown(ctx, read, kept)
	if err != nil {
		return err
	}
	hashes := slices.Clone(next.hashes)
	for row := range hashes {
		if next.Gone(row) {
			hashes[row] = ""
		}
	}
	drift, err := s.Store.Change(ctx, store.Data{Name: s.Name, Hashes: hashes, RowIs: next.Called})
	if err != nil {
		return err
	}
	s.rows.Store(next)
	s.engine.grow(next.Data)
	if drift.Any() && s.Source.Words != nil {
		s.changeNotices(func(notices []string) []string { return append(notices, s.Source.Words(drift)...) })
	}
	given, left := GivenBy(read.Data, at)
	s.changeNotices(func(notices []string) []string {
		return append(notices, slices.DeleteFunc(left, func(line string) bool { return slices.Contains(notices, line) || slices.Contains(s.Warnings, line) })...)
	})
	_, err = s.Store.Import(ctx, store.FromData, given)
	s.came()
	return err
}

// GivenBy returns the labels that data have, class by class. Row k of the data is row at[k] of the
// page, and row k where at is nil. Rows with a class that a store cannot name are left out; left
// names them.
func GivenBy(d *dataset.Dataset, at []int) (given []store.Given, left []string) {
	for class, name := range d.Classes {
		var rows []int
		for row, y := range d.Y {
			if y == class && at != nil {
				row = at[row]
			}
			if y == class {
				rows = append(rows, row)
			}
		}
		if err := store.CheckClass(name); err != nil {
			if len(rows) > 0 {
				left = append(left, fmt.Sprintf("row %d%s: the label %.60q is left out: %v: give the class another name in the data", rows[0]+1, more(len(rows)-1), name, err))
			}
			continue
		}
		for _, row := range rows {
			given = append(given, store.Given{Row: row, Class: name, Person: store.FromData})
		}
	}
	return given, left
}

// more says that there are n more.
func more(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" and %d more", n)
}

// trouble shows on the page why the data cannot be read; nil removes that message.
func (s *Server) trouble(err error) {
	text := ""
	if err != nil {
		text = fmt.Sprintf("%s changed and cannot be taken in: %v. The page goes on with the rows it has, and tries again when it changes.", s.Source.Called, err)
	}
	if s.troubled == text {
		return
	}
	s.changeNotices(func(notices []string) []string {
		notices = slices.DeleteFunc(notices, func(line string) bool { return line == s.troubled })
		if s.troubled = text; text != "" {
			notices = append(notices, text)
		}
		return notices
	})
}

// changeNotices changes the messages about the data.
func (s *Server) changeNotices(change func([]string) []string) {
	notices := change(slices.Clone(*s.notices.Load()))
	notices = notices[max(0, len(notices)-mostNotices):]
	s.notices.Store(&notices)
	s.changes.tell()
}
