package store

import (
	"bytes"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"lapsvm/internal/machines/task"
)

// ofSeveral opens a store of 10 rows that may have several of the classes law, politics and sport, which have the numbers 0 to 2.
func ofSeveral(t *testing.T, path string) *Store {
	t.Helper()
	data := points(10)
	data.Kind = task.Several(";")
	s, err := Open(t.Context(), path, data)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	if err := s.AddClasses(t.Context(), []string{"law", "politics", "sport"}); err != nil {
		t.Fatal(err)
	}
	return s
}

// answers is an event that says which classes a row has and lacks.
func answers(person string, row int, has, lacks []int) Event {
	return Event{Kind: Label, Person: person, Row: row, Class: NoClass, Answers: &Answers{has, lacks}}
}

// lists returns the aggregated labels as text, by row.
func lists(s *Store) (text string) {
	s.View(func(st *State) { text = fmt.Sprint(st.Labels()) })
	return text
}

func expectLists(t *testing.T, s *Store, want string) {
	t.Helper()
	if got := lists(s); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Each class of a row is decided for itself, by most people, and a tie leaves it open. The data count alone.
func TestSettledSeveral(t *testing.T) {
	path := filepath.Join(t.TempDir(), "labels.db")
	s := ofSeveral(t, path)
	if n, err := s.Import(t.Context(), FromData, []Given{{0, "sport", FromData}, {1, "law;?sport", FromData}, {2, ";", FromData}, {6, "sport", FromData}}); err != nil || n != 4 {
		t.Fatal(n, err)
	}
	add(t, s, answers("anna", 0, []int{1}, []int{0, 2})) // before the data
	add(t, s, answers("anna", 3, []int{1, 2}, []int{0}))
	add(t, s, answers("ben", 3, []int{1}, []int{0, 2}))
	add(t, s, answers("anna", 4, []int{0, 1}, []int{2}))
	add(t, s, answers("ben", 4, []int{0}, []int{1, 2}))
	add(t, s, answers("chi", 4, nil, []int{1}))
	add(t, s, answers("anna", 5, []int{2}, nil))
	add(t, s, answers("ben", 5, nil, []int{2}))
	want := "map[0:politics 1:law;?sport 2:; 3:politics;?sport 4:law 6:sport]"
	expectLists(t, s, want)
	s.View(func(st *State) {
		var rows []int
		for _, d := range st.Differences() {
			rows = append(rows, d.Row)
		}
		if fmt.Sprint(rows) != "[0 3 4 5]" || st.AggregatedOf(5) != NoClass {
			t.Errorf("rows %v differ, row 5 is settled as %d", rows, st.AggregatedOf(5))
		}
		for _, a := range st.Agreements() {
			if a.A == "anna" && a.B == "ben" {
				// Of 7 answers the two agree in 4; anna says yes in 5 of them, ben in 2: κ = (4/7 − (5·2 + 2·5)/49)/(1 − 20/49).
				if a.Both != 3 || a.Agreed != 0 || math.Abs(a.Kappa-(4.0/7-20.0/49)/(29.0/49)) > 1e-12 {
					t.Errorf("%+v", a)
				}
			}
		}
	})
	add(t, s, Event{Kind: Adjudicate, Person: "chi", Row: 5, Class: NoClass, Answers: &Answers{Has: []int{2}, Lacks: []int{0, 1}}})
	want = "map[0:politics 1:law;?sport 2:; 3:politics;?sport 4:law 5:sport 6:sport]"
	expectLists(t, s, want)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = ofSeveral(t, path)
	expectLists(t, s, want)
	var history bytes.Buffer
	if err := s.WriteHistory(t.Context(), &history); err != nil || !strings.Contains(history.String(), "+1 +2 -0") {
		t.Errorf("%v: %s", err, &history)
	}
}

// A class that came later is not known of rows before it, and lists name it once some row has it. Renamed and merged classes stay in the labels.
func TestClassesOfSeveralChange(t *testing.T) {
	s := ofSeveral(t, filepath.Join(t.TempDir(), "labels.db"))
	add(t, s, answers("anna", 0, []int{2}, []int{0, 1}))
	add(t, s, answers("anna", 1, nil, []int{0, 1, 2}))
	add(t, s, Event{Kind: ClassAdd, Person: "anna", Name: "tennis"})
	var tennis int
	s.View(func(st *State) { tennis = st.ClassCalled("tennis") })
	expectLists(t, s, "map[0:sport 1:;]")
	add(t, s, answers("anna", 2, []int{tennis}, []int{0, 1, 2}))
	expectLists(t, s, "map[0:sport;?tennis 1:?tennis 2:tennis]")
	add(t, s, Event{Kind: ClassRename, Person: "anna", Class: 2, Name: "athletics"})
	expectLists(t, s, "map[0:athletics;?tennis 1:?tennis 2:tennis]")
	add(t, s, Event{Kind: ClassMerge, Person: "ben", Class: tennis, Into: 2})
	expectLists(t, s, "map[0:athletics 1:; 2:athletics]")
	for _, undo := range []struct{ person, want string }{
		{"ben", "map[0:athletics;?tennis 1:?tennis 2:tennis]"},
		{"anna", "map[0:sport;?tennis 1:?tennis 2:tennis]"},
		{"anna", "map[0:sport 1:;]"},
	} {
		if _, err := s.Undo(t.Context(), undo.person, "undo "+undo.want+undo.person); err != nil {
			t.Fatal(err)
		}
		expectLists(t, s, undo.want)
	}
	s.View(func(st *State) {
		if text := st.NextUndo("anna"); text != `new class "tennis"` {
			t.Errorf("the next undo is %s", text)
		}
	})
}

// A second import changes nothing. A class that was renamed meanwhile is meant by its name in the file.
func TestImportLists(t *testing.T) {
	s := ofSeveral(t, filepath.Join(t.TempDir(), "labels.db"))
	all := []Given{{0, "sport;chess", "anna"}, {1, `["law","go"]`, "anna"}, {2, ";", "anna"}}
	for _, want := range []int{3, 0} {
		if n, err := s.Import(t.Context(), "file a.csv", all); err != nil || n != want {
			t.Errorf("%d labels, %v", n, err)
		}
	}
	expectLists(t, s, "map[0:sport;chess 1:law;go 2:;]")
	add(t, s, Event{Kind: ClassRename, Person: "anna", Class: 2, Name: "athletics"})
	if n, err := s.Import(t.Context(), "file a.csv", append(all, Given{3, "sport", "anna"})); err != nil || n != 1 {
		t.Errorf("%d labels, %v", n, err)
	}
	expectLists(t, s, "map[0:athletics;chess 1:law;go 2:; 3:athletics]")
}

// What is no label of several classes, and a store of other labels, are refused in words.
func TestSeveralIsRefused(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "labels.db")
	s := ofSeveral(t, path)
	for want, e := range map[string]Event{
		"say which it has":            {Kind: Label, Row: 0, Class: 1},
		"nothing is said of any":      {Kind: Label, Row: 0, Class: NoClass, Answers: &Answers{}},
		"cannot have a class and":     {Kind: Label, Row: 0, Class: NoClass, Answers: &Answers{Has: []int{1}, Lacks: []int{1}}},
		"there is no class 77":        {Kind: Label, Row: 0, Class: NoClass, Answers: &Answers{Has: []int{77}}},
		"there is no class -1":        {Kind: Label, Row: 0, Class: NoClass, Answers: &Answers{Lacks: []int{-1}}},
		"which separates classes":     {Kind: ClassAdd, Name: "a;b"},
		"lists of classes have":       {Kind: ClassRename, Class: 1, Name: "?b"},
		"there are no events of":      {Kind: ClassSet, Class: 7, Name: "+1"},
		"say which it has and which ": {Kind: Import, Row: 0, Class: NoClass, Name: "law"},
	} {
		e.Person, e.Key = "anna", want
		if _, err := s.Append(t.Context(), []Event{e}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
	add(t, s, answers("anna", 0, []int{2}, []int{0, 1}))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	data := points(10)
	if _, err := ReadLabels(t.Context(), path, data); err == nil || !strings.Contains(err.Error(), "--multi-label") {
		t.Errorf("%v", err)
	}
	if _, err := Open(t.Context(), path, data); err == nil || !strings.Contains(err.Error(), "--multi-label") {
		t.Errorf("%v", err)
	}
	data.Kind = task.Several("|")
	if l, err := ReadLabels(t.Context(), path, data); err != nil || fmt.Sprint(l.Class) != "map[0:sport]" {
		t.Errorf("%v, %v", l, err)
	}
	plain := filepath.Join(folder, "plain.db")
	one := opened(t, plain, 10)
	if err := one.AddClasses(t.Context(), []string{"cat", "dog"}); err != nil {
		t.Fatal(err)
	}
	add(t, one, Event{Kind: Label, Person: "anna", Row: 0, Class: 1})
	if err := one.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), plain, data); err == nil || !strings.Contains(err.Error(), "one class each") {
		t.Errorf("%v", err)
	}
	if l, err := ReadLabels(t.Context(), plain, data); err != nil || fmt.Sprint(l.Class) != "map[0:dog]" {
		t.Errorf("%v, %v", l, err)
	}
}

// Answers name classes alone: not answers, nor a number that no class has yet. What an older program stored of such is left out.
func TestAnswersNameClasses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "labels.db")
	s := ofSeveral(t, path)
	add(t, s, answers("anna", 0, []int{1}, []int{0, 2})) // has the number 3
	for _, bad := range []Event{answers("anna", 1, []int{3}, nil), answers("anna", 1, nil, []int{3}), answers("anna", 1, nil, []int{4}), answers("anna", 1, []int{0}, []int{4}), answers("anna", 1, []int{99999}, nil)} {
		bad.Key = "a key"
		if _, err := s.Append(t.Context(), []Event{bad}); err == nil || !strings.Contains(err.Error(), "there is no class") {
			t.Errorf("%+v: %v", bad.Answers, err)
		}
	}
	expectLists(t, s, "map[0:politics]")
	s.View(func(st *State) {
		for _, text := range []string{"+0 -5", "+3"} { // as an older program took them
			if err := st.apply(&Event{Kind: ClassSet, Class: st.Numbers(), Name: text, Seq: 99, Row: NoRow}); err != nil {
				t.Fatal(err)
			}
			st.numbers++
		}
		for class := range st.Numbers() {
			_ = st.ClassName(class)
		}
		if a, ok := st.AnswersOf(4); !ok || len(a.Has) != 1 || len(a.Lacks) != 0 {
			t.Errorf("%+v", a)
		}
	})
}
