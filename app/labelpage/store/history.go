package store

import (
	"context"
	"encoding/csv"
	"io"
	"iter"
	"slices"
	"strconv"
)

// WriteHistory writes all events as CSV, in their order, including undone events and
// their undos. Rows are from 1, empty where their contents are gone.
func (s *Store) WriteHistory(_ context.Context, w io.Writer) error {
	names := make(map[int]string)
	events := s.Events()
	s.mu.RLock()
	for id, name := range s.places.names {
		names[id+1] = name
	}
	s.mu.RUnlock()
	out := csv.NewWriter(w)
	if err := out.Write([]string{"seq", "time", "person", "kind", "row", "row_name", "class", "name", "into_class", "comment", "seconds", "blind", "batch", "ref", "source"}); err != nil {
		return err
	}
	whole := func(v, none int) string {
		if v == none {
			return ""
		}
		return strconv.Itoa(v)
	}
	for e := range events {
		row := ""
		if e.Row != NoRow {
			row = strconv.Itoa(e.Row + 1)
		}
		if err := out.Write([]string{strconv.FormatInt(e.Seq, 10), e.Time.Format(timeFormat), e.Person, string(e.Kind), row, names[e.id], whole(e.Class, NoClass), e.Name, whole(e.Into, NoClass),
			e.Comment, strconv.FormatFloat(e.Seconds, 'g', -1, 64), strconv.FormatBool(e.Blind), strconv.FormatInt(e.Batch, 10), whole(int(e.Ref), 0), e.Source}); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// Events iterates over all events at the time of the call, in order.
func (s *Store) Events() iter.Seq[Event] {
	s.mu.RLock()
	events := s.events[:len(s.events):len(s.events)] // which are only added to
	s.mu.RUnlock()
	return slices.Values(events)
}
