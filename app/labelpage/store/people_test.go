package store

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// said makes a store where people gave rows classes: "anna 0 cat" and so on.
func said(t *testing.T, s *Store, all ...string) {
	t.Helper()
	var given []Given
	for _, one := range all {
		var g Given
		if _, err := fmt.Sscan(one, &g.Person, &g.Row, &g.Class); err != nil {
			t.Fatal(err)
		}
		given = append(given, g)
	}
	if _, err := s.Import(t.Context(), "test", given); err != nil {
		t.Fatal(err)
	}
}

// The class that the machine learns for rows with labels of different people.
func TestSettled(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "labels.db"), 10)
	said(t, s, "anna 0 cat", "ben 0 cat", // agreed
		"anna 1 cat", "ben 1 dog", // a tie
		"anna 2 cat", "ben 2 dog", "chi 2 dog", // the majority
		"data 3 cat", "anna 3 dog", // people before the data
		"data 4 cat", // the data alone
		"anna 5 cat", "ben 5 dog")
	var dog int
	s.View(func(st *State) { dog = st.ClassCalled("dog") })
	add(t, s, Event{Kind: Adjudicate, Person: "chi", Row: 5, Class: dog})
	add(t, s, Event{Kind: Unsure, Person: "chi", Row: 0}) // no vote
	if got, want := aggregated(s), map[int]int{0: 0, 2: dog, 3: dog, 4: 0, 5: dog}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", got, want)
	}
	s.View(func(st *State) {
		var rows []int
		for _, d := range st.Differences() {
			rows = append(rows, d.Row)
			if d.Adjudicated != (d.Row == 5) {
				t.Errorf("row %d: adjudicated %v", d.Row, d.Adjudicated)
			}
		}
		if !slices.Equal(rows, []int{1, 2, 3, 5}) {
			t.Errorf("differences in %v", rows)
		}
	})
	add(t, s, Event{Kind: ClassMerge, Person: "anna", Class: dog, Into: 0})
	s.View(func(st *State) {
		if got := len(st.Differences()); got != 0 || len(st.Aggregated()) != 6 {
			t.Errorf("after the merge %d differences, %d settled", got, len(st.Aggregated()))
		}
	})
}

// Cohen's κ of his kind of table: 20 rows both say yes, 15 both no, 5 and 10 differ; and
// of people who say one thing alone.
func TestKappa(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "labels.db"), 100)
	var all []string
	row := 0
	for _, cell := range []struct {
		a, b string
		n    int
	}{{"yes", "yes", 20}, {"yes", "no", 5}, {"no", "yes", 10}, {"no", "no", 15}} {
		for range cell.n {
			all = append(all, fmt.Sprintf("anna %d %s", row, cell.a), fmt.Sprintf("ben %d %s", row, cell.b))
			row++
		}
	}
	all = append(all, "chi 0 yes", "chi 1 yes")
	said(t, s, all...)
	s.View(func(st *State) {
		a := st.Agreements()
		if len(a) != 3 || a[0].A != "anna" || a[0].B != "ben" || a[0].Both != 50 || a[0].Agreed != 35 || !(math.Abs(a[0].Kappa-0.4) <= 1e-12) {
			t.Errorf("%+v", a)
		}
		if !math.IsNaN(a[1].Kappa) || a[1].Both != 2 {
			t.Errorf("%+v", a[1])
		}
	})
}

// Two spellings of one number are one class: none is added, renamed or brought back beside another.
func TestSpellingsOfNumbersAreOneClass(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "labels.db"), 10)
	add(t, s, Event{Kind: ClassAdd, Person: "anna", Name: "1"}, Event{Kind: ClassAdd, Person: "anna", Name: "cat"})
	refused := func(e Event) {
		t.Helper()
		e.Person, e.Key = "ben", newKey()
		if _, err := s.Append(t.Context(), []Event{e}); !Conflict.Is(err) || !strings.Contains(err.Error(), `"1"`) {
			t.Errorf("%+v: %v", e, err)
		}
	}
	refused(Event{Kind: ClassAdd, Name: "+1"})
	refused(Event{Kind: ClassRename, Class: 1, Name: "1.00"})
	refused(Event{Kind: ClassRename, Class: 1, Name: "1"})
	add(t, s, Event{Kind: ClassRename, Person: "anna", Class: 0, Name: "1.0"})
	add(t, s, Event{Kind: ClassRename, Person: "anna", Class: 0, Name: "dog"}, Event{Kind: ClassRename, Person: "ben", Class: 1, Name: "1e0"})
	if u, err := s.Undo(t.Context(), "anna", newKey()); err != nil || !strings.Contains(u.Text, "1.0") { // that of dog would bring 1.0 back
		t.Errorf("%+v, error %v", u, err)
	}
	s.View(func(st *State) {
		if a, b := st.ClassName(0), st.ClassName(1); a != "dog" || b != "1e0" {
			t.Errorf("the classes are %q and %q", a, b)
		}
	})
}

// Two people label the same rows, rename and merge the same class at once. The second one gets
// an error, or the label is of the merged class.
func TestTwoLabellersConflict(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "labels.db"), 10)
	add(t, s, Event{Kind: ClassAdd, Person: "anna", Name: "cat"}, Event{Kind: ClassAdd, Person: "anna", Name: "kitten"}, Event{Kind: ClassAdd, Person: "anna", Name: "dog"})
	add(t, s, Event{Kind: ClassMerge, Person: "anna", Class: 1, Into: 0})
	add(t, s, Event{Kind: Label, Person: "ben", Row: 3, Class: 1}) // he has not seen the merge yet
	if got := aggregated(s); got[3] != 0 {
		t.Errorf("%v", got)
	}
	for _, e := range []Event{
		{Kind: ClassRename, Class: 1, Name: "pup"},
		{Kind: ClassMerge, Class: 2, Into: 1},
		{Kind: ClassMerge, Class: 2, Into: 2},
		{Kind: ClassAdd, Name: "dog"},
		{Kind: ClassRename, Class: 0, Name: "dog"},
		{Kind: Label, Class: 17},
		{Kind: Label, Class: NoClass, Name: "pup"},
	} {
		e.Person, e.Key = "ben", newKey()
		if _, err := s.Append(t.Context(), []Event{e}); !Conflict.Is(err) {
			t.Errorf("%+v: %v", e, err)
		}
	}
	// anna's classes carry ben's label now: taking them back passes over them.
	for range 2 {
		if _, err := s.Undo(t.Context(), "anna", newKey()); err != nil {
			t.Fatal(err)
		}
	}
	if got := aggregated(s); got[3] != 1 {
		t.Errorf("after undoing the merge: %v", got)
	}
	s.View(func(st *State) {
		if c := st.Classes(); len(c) != 2 || c[0].Name != "cat" || c[1].Name != "kitten" {
			t.Errorf("%v", c)
		}
	})
	if _, err := s.Undo(t.Context(), "anna", newKey()); err != nil { // cat
		t.Error(err)
	}
	if _, err := s.Undo(t.Context(), "anna", newKey()); !Conflict.Is(err) || !strings.Contains(err.Error(), "kitten") {
		t.Errorf("%v", err)
	}
}

// A key belongs to one event within a list too.
func TestKeysOfOneList(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "labels.db"), 10)
	skip := Event{Kind: Skip, Person: "anna", Row: 7, Key: "a"}
	if got := add(t, s, skip, skip); !slices.Equal(got, []int64{1, 1}) {
		t.Errorf("the same event twice has the numbers %v", got)
	}
	one, other := skip, skip
	one.Key, other.Key, other.Row = "b", "b", 8
	if _, err := s.Append(t.Context(), []Event{one, other}); !Conflict.Is(err) {
		t.Errorf("two events with one key: %v", err)
	}
	if got := add(t, s, other); !slices.Equal(got, []int64{2}) {
		t.Errorf("after the refused list an event has the number %v", got)
	}
}

// A key belongs to one event.
func TestKeys(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "labels.db"), 10)
	first := []Event{{Kind: ClassAdd, Person: "anna", Name: "cat", Key: "a"}, {Kind: Label, Person: "anna", Row: 1, Class: NoClass, Name: "cat", Key: "b"}}
	for range 3 {
		if seqs, err := s.Append(t.Context(), first); err != nil || !slices.Equal(seqs, []int64{1, 2}) {
			t.Errorf("%v, %v", seqs, err)
		}
	}
	// A longer list begins with known events.
	more := append(slices.Clone(first), Event{Kind: Label, Person: "anna", Row: 2, Class: 0, Key: "c"})
	if seqs, err := s.Append(t.Context(), more); err != nil || !slices.Equal(seqs, []int64{1, 2, 3}) {
		t.Errorf("%v, %v", seqs, err)
	}
	for _, other := range []Event{{Kind: Label, Person: "anna", Row: 5, Class: 0, Key: "b"}, {Kind: Label, Person: "ben", Row: 1, Class: 0, Key: "b"}, {Kind: Skip, Person: "anna", Row: 1, Key: "b"}} {
		if _, err := s.Append(t.Context(), []Event{other}); !Conflict.Is(err) {
			t.Errorf("%+v: %v", other, err)
		}
	}
	u, err := s.Undo(t.Context(), "anna", "u")
	if err != nil {
		t.Fatal(err)
	}
	if other, err := s.Undo(t.Context(), "ben", "u"); !Conflict.Is(err) {
		t.Errorf("the undo of another person has the same key: %+v, %v", other, err)
	}
	if again, err := s.Undo(t.Context(), "anna", "u"); err != nil || again.Seq != u.Seq || again.Text != u.Text || len(aggregated(s)) != 1 {
		t.Errorf("%+v, %v, %v", again, err, aggregated(s))
	}
	if _, err := s.Redo(t.Context(), "anna", "u"); !Conflict.Is(err) {
		t.Errorf("%v", err)
	}
}

// A list is undone as one where its events share a group, and redo ends with a new event.
func TestBatches(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "labels.db"), 10)
	add(t, s, Event{Kind: ClassAdd, Person: "anna", Name: "cat"})
	var list []Event
	for row := range 5 {
		list = append(list, Event{Kind: Label, Person: "anna", Row: row, Class: 0, Group: "lasso"})
	}
	add(t, s, list...)
	u, err := s.Undo(t.Context(), "anna", newKey())
	if err != nil || len(u.Rows) != 5 || u.Text != "label: 5 rows" || len(aggregated(s)) != 0 {
		t.Errorf("%+v, %v", u, err)
	}
	if _, err := s.Redo(t.Context(), "anna", newKey()); err != nil || len(aggregated(s)) != 5 {
		t.Error(err)
	}
	if _, err := s.Undo(t.Context(), "anna", newKey()); err != nil {
		t.Error(err)
	}
	add(t, s, Event{Kind: Label, Person: "ben", Row: 1, Class: 0}) // another person's
	s.View(func(st *State) {
		if st.NextRedo("anna") != "label: 5 rows" || st.NextRedo("ben") != "" {
			t.Errorf("%q, %q", st.NextRedo("anna"), st.NextRedo("ben"))
		}
	})
	add(t, s, Event{Kind: Skip, Person: "anna", Row: 9})
	if _, err := s.Redo(t.Context(), "anna", newKey()); !Conflict.Is(err) {
		t.Errorf("%v", err)
	}
}

// Invalid events are refused with an error that names the fault.
func TestInvalidEvents(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "labels.db"), 10)
	add(t, s, Event{Kind: ClassAdd, Person: "anna", Name: "cat"})
	for want, e := range map[string]Event{
		"no row 11":          {Kind: Label, Row: 10, Class: 0},
		"no row 0":           {Kind: Skip, Row: -1},
		"of the kind":        {Kind: "burn"},
		"of the kind \"undo": {Kind: Undo},
		"of the kind \"data": {Kind: Changed},
		"number of a class":  {Kind: ClassRename, Class: -3, Name: "x"},
		"merge into":         {Kind: ClassMerge, Class: 0, Into: -1},
		"class is empty":     {Kind: ClassAdd, Name: "  "},
		"more than 1000":     {Kind: ClassAdd, Name: strings.Repeat("x", 1001)},
		"cannot be shown":    {Kind: ClassAdd, Name: "a\nb"},
		"at most 10000":      {Kind: Comment, Comment: strings.Repeat("x", 10001)},
		"seconds":            {Kind: Skip, Seconds: math.NaN()},
		"a name is missing":  {Kind: Skip, Person: "-"},
		"more than 64":       {Kind: Skip, Person: strings.Repeat("x", 65)},
		"key":                {Kind: Skip, Key: "-"},
	} {
		switch e.Person {
		case "":
			e.Person = "anna"
		case "-":
			e.Person = ""
		}
		switch e.Key {
		case "":
			e.Key = newKey()
		case "-":
			e.Key = ""
		}
		if _, err := s.Append(t.Context(), []Event{e}); !Invalid.Is(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", e, err, want)
		}
	}
	// One that is wrong takes the whole list with it.
	if _, err := s.Append(t.Context(), []Event{{Kind: Label, Person: "anna", Row: 1, Class: 0, Key: "x"}, {Kind: Label, Person: "anna", Row: 99, Class: 0, Key: "y"}}); err == nil || len(aggregated(s)) != 0 {
		t.Errorf("%v, %v", err, aggregated(s))
	}
}

// Labels follow contents that moved. Labels of changed contents are set aside and reported
// until the contents return.
func TestChangedRows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "labels.db")
	before := hashes(10)
	open := func(hashes []string) *Store {
		t.Helper()
		s, err := Open(t.Context(), path, Data{Name: "points.csv", Hashes: hashes})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := open(before)
	said(t, s, "anna 1 cat", "anna 4 dog", "anna 5 cat", "anna 9 dog")
	s.Close()
	// Row 2 is gone, so the others move up; what is row 5 now has other contents.
	after := slices.Delete(slices.Clone(before), 2, 3)
	after[4] = Hash([]byte("another"))
	s = open(after)
	if d := s.Drift(); !slices.Equal(d.Moved, []string{"row 5", "row 10"}) || !slices.Equal(d.Gone, []string{"row 6"}) {
		t.Errorf("%+v", d)
	}
	if got, want := aggregated(s), map[int]int{1: 0, 3: 1, 8: 1}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", got, want)
	}
	add(t, s, Event{Kind: Label, Person: "anna", Row: 4, Class: 1}) // the new contents
	s.Close()
	s = open(after)
	if d := s.Drift(); d.Any() {
		t.Errorf("%+v of the same data", d)
	}
	s.Close()
	s = open(before)
	if d := s.Drift(); !slices.Equal(d.Back, []string{"row 6"}) || !slices.Equal(d.Gone, []string{"row 5"}) {
		t.Errorf("%+v", d)
	}
	if got, want := aggregated(s), map[int]int{1: 0, 4: 1, 5: 0, 9: 1}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", got, want)
	}
	s.Close()
	_, err := Open(t.Context(), path, Data{Name: "other.csv", Hashes: hashes(40)[20:]})
	if !OtherSet.Is(err) || !strings.Contains(err.Error(), "labels of points.csv") || !strings.Contains(err.Error(), "other.csv") {
		t.Errorf("%v", err)
	}
	if s = open(before); len(aggregated(s)) != 4 {
		t.Error("the refused data changed the store")
	}
	s.Close()
}

// Labels from elsewhere are taken once, and those that nobody can have are refused.
func TestImport(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "labels.db"), 10)
	all := []Given{{0, "cat", "anna"}, {1, "dog", FromData}}
	for _, want := range []int{2, 0} {
		if added, err := s.Import(t.Context(), "labels.csv", all); err != nil || added != want {
			t.Errorf("%d added, %v, want %d", added, err, want)
		}
	}
	for _, g := range []Given{{0, "a\nb", "anna"}, {0, "", "anna"}, {0, "cat", ""}} {
		if s.Check(g) == nil {
			t.Errorf("%v can be taken", g)
		}
	}
}

// Initial classes are added once, whatever becomes of them on the page.
func TestAddClasses(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "labels.db"), 5)
	for range 2 {
		if err := s.AddClasses(t.Context(), []string{"cat", "dog", "cat"}); err != nil {
			t.Fatal(err)
		}
	}
	add(t, s, Event{Kind: ClassRename, Person: "anna", Class: 0, Name: "lion"})
	if err := s.AddClasses(t.Context(), []string{"cat", "dog", "eel"}); err != nil {
		t.Fatal(err)
	}
	var names []string
	s.View(func(st *State) {
		for _, c := range st.Classes() {
			names = append(names, c.Name)
		}
	})
	if got := strings.Join(names, " "); got != "lion dog eel" {
		t.Error(got)
	}
	if err := s.AddClasses(t.Context(), []string{""}); !Invalid.Is(err) {
		t.Errorf("%v", err)
	}
}

// A blind label measures the machine while it stands. A label given anew had the prediction on show,
// and measures nothing.
func TestBlindLabelsThatStand(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "labels.db"), 10)
	add(t, s, Event{Kind: ClassAdd, Person: "anna", Name: "cat"}, Event{Kind: ClassAdd, Person: "anna", Name: "dog"})
	for row := range 4 {
		add(t, s, Event{Kind: Label, Person: "anna", Row: row, Class: 0, Blind: true, Predicted: 1, Learnt: row})
	}
	add(t, s, Event{Kind: Label, Person: "anna", Row: 1, Class: 1}, Event{Kind: Withdraw, Person: "anna", Row: 2}, Event{Kind: Label, Person: "ben", Row: 3, Class: 1})
	var rows []int
	s.View(func(st *State) {
		for _, a := range st.Audits() {
			rows = append(rows, a.Row)
		}
	})
	if !slices.Equal(rows, []int{0, 3}) {
		t.Errorf("the rows %v measure, want 0 and 3", rows)
	}
}

// A class is confirmed while the row has it.
func TestConfirmedClassesThatStand(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "labels.db"), 10)
	add(t, s, Event{Kind: ClassAdd, Person: "anna", Name: "cat"}, Event{Kind: ClassAdd, Person: "anna", Name: "dog"})
	confirmed := func() (is bool) {
		s.View(func(st *State) { is = st.Confirmed(3) })
		return is
	}
	for _, step := range []struct {
		e    Event
		want bool
	}{
		{Event{Kind: Label, Person: "anna", Row: 3, Class: 0}, false},
		{Event{Kind: Label, Person: "ben", Row: 3, Class: 0}, true},
		{Event{Kind: Adjudicate, Person: "carl", Row: 3, Class: 1}, false},
		{Event{Kind: Adjudicate, Person: "carl", Row: 3, Class: NoClass}, true},
		{Event{Kind: ClassMerge, Person: "anna", Class: 0, Into: 1}, true},
	} {
		if add(t, s, step.e); confirmed() != step.want {
			t.Errorf("after %s by %s: confirmed %v", step.e.Kind, step.e.Person, confirmed())
		}
	}
}
