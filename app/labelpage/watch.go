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

// Source is where rows come from, which is looked at while the page is open.
type Source struct {
	// Look returns a mark that is another whenever the data may be, such as sizes and times of files. The data may
	// yet be unfinished where they seem to end within a row. It fails where they are not there. Cost: little.
	Look func() (mark string, unfinished bool, err error)
	// Read reads the data as those were read that are now shown: all rows, or, where it can tell without reading, those
	// that are not among them, nil for none, and the numbers of those that are.
	Read func(ctx context.Context, now *Content) (read *Content, kept []int, err error)
	Mark string // of the data that the page begins with, from before they were read
	// Called is how people call the data, and Words says how they differ from what the store knew of them.
	Called string
	Words  func(store.Drift) []string
	Every  time.Duration // between two looks, at least; 0 means 2 seconds
}

// How often the source is looked at.
const (
	lookEvery  = 2 * time.Second
	lookShare  = 20 // times as long as a look took, at least
	readShare  = 5  // times as long as reading took
	unfinished = 5  // looks until data that end within a row are read all the same
	mostTold   = 5  // lines of what became of the data
)

// watch looks at the source until ctx is done, and takes in rows that come: once two looks have seen
// the same, so that what is being written is left alone. What cannot be read is told, and tried again when it has changed.
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

// reread reads the data anew, tells the store, shows the rows, and has the machine take them.
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
		s.tellOf(func(told []string) []string { return append(told, s.Source.Words(drift)...) })
	}
	_, err = s.Store.Import(ctx, givenBy(read.Data, at))
	s.came()
	return err
}

// givenBy returns the labels that data have, whose rows are those of the page that at tells.
func givenBy(d *dataset.Dataset, at []int) []store.Given {
	var all []store.Given
	for class, name := range d.Classes {
		for row, y := range d.Y {
			if y == class {
				all = append(all, store.Given{Row: at[row], Class: name, Person: store.FromData})
			}
		}
	}
	return all
}

// trouble tells on the page why the data cannot be taken in; nil takes that back.
func (s *Server) trouble(err error) {
	text := ""
	if err != nil {
		text = fmt.Sprintf("%s changed and cannot be taken in: %v. The page goes on with the rows it has, and tries again when it changes.", s.Source.Called, err)
	}
	if s.troubled == text {
		return
	}
	s.tellOf(func(told []string) []string {
		told = slices.DeleteFunc(told, func(line string) bool { return line == s.troubled })
		if s.troubled = text; text != "" {
			told = append(told, text)
		}
		return told
	})
}

// tellOf changes what is told of the data.
func (s *Server) tellOf(change func([]string) []string) {
	told := change(slices.Clone(*s.told.Load()))
	told = told[max(0, len(told)-mostTold):]
	s.told.Store(&told)
	s.changes.tell()
}
