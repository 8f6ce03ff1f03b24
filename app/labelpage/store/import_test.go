package store

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
)

// taken imports labels of DATA or of a file, and returns the number of added labels.
func taken(t *testing.T, s *Store, source string, all ...Given) int {
	t.Helper()
	added, err := s.Import(t.Context(), source, all)
	if err != nil {
		t.Fatal(err)
	}
	return added
}

// reopened closes a store and opens it again.
func reopened(t *testing.T, s *Store, points int) *Store {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return opened(t, s.path, points)
}

// classes returns the classes with their numbers of aggregated labels.
func classes(s *Store) string {
	var all []string
	s.View(func(st *State) {
		count := map[int]int{}
		for _, class := range st.Aggregated() {
			count[class]++
		}
		for _, c := range st.Classes() {
			all = append(all, fmt.Sprint(c.Name, " ", count[c.ID]))
		}
	})
	return strings.Join(all, ", ")
}

// A class of the data that was renamed or merged stays so when the data are read again, at the next start and as they grow.
func TestImportAfterMergeAndRename(t *testing.T) {
	var data []Given
	for row := range 8 {
		data = append(data, Given{row, string("ab"[row%2]), FromData})
	}
	for _, of := range []struct {
		change Event
		want   string
		grown  string
	}{
		{Event{Kind: ClassMerge, Class: 0, Into: 1}, "b 8", "b 10"},
		{Event{Kind: ClassRename, Class: 0, Name: "ant"}, "ant 4, b 4", "ant 5, b 5"},
	} {
		s := opened(t, filepath.Join(t.TempDir(), "labels.db"), 10)
		taken(t, s, FromData, data...)
		of.change.Person = "ann"
		add(t, s, of.change)
		for range 2 {
			s = reopened(t, s, 10)
			if n := taken(t, s, FromData, data...); n != 0 || classes(s) != of.want {
				t.Errorf("%s: %d added, %s", of.want, n, classes(s))
			}
		}
		grown := append(data[:8:8], Given{8, "a", FromData}, Given{9, "b", FromData})
		for _, want := range []int{2, 0} {
			if n := taken(t, s, FromData, grown...); n != want || classes(s) != of.grown {
				t.Errorf("%s: %d added, %s", of.grown, n, classes(s))
			}
			s = reopened(t, s, 10)
		}
		// The classes to begin with are those that they became.
		if err := s.AddClasses(t.Context(), []string{"a", "b"}); err != nil || classes(s) != of.grown {
			t.Errorf("%v, %s", err, classes(s))
		}
	}
}

// A repeated import leaves corrections by anybody, and undos, as they are. A changed label in the
// file counts.
func TestImportAgain(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "labels.db"), 5)
	long := strings.Repeat("n", mostPerson)
	file := []Given{{0, "cat", "ann"}, {1, "dog", "ann"}, {2, "cat", long}, {3, "dog", "ben"}, {3, "cat", "ben"}}
	if n := taken(t, s, "labels.csv", file...); n != 4 {
		t.Errorf("%d added", n)
	}
	dog := 1
	add(t, s, Event{Kind: Label, Person: "ann", Row: 0, Class: dog}, Event{Kind: Withdraw, Person: "ann", Row: 1})
	if _, err := s.Undo(t.Context(), long, newKey()); err != nil {
		t.Fatal(err)
	}
	want := map[int]int{0: dog, 3: 0}
	for range 2 {
		if n := taken(t, s, "labels.csv", file...); n != 0 || fmt.Sprint(aggregated(s)) != fmt.Sprint(want) {
			t.Errorf("%d added, %v, want %v", n, aggregated(s), want)
		}
		s = reopened(t, s, 5)
	}
	// Another source says the same once more, and one that changes says something new.
	if n := taken(t, s, "others.csv", file[0]); n != 1 || aggregated(s)[0] != 0 {
		t.Errorf("%d added, %v", n, aggregated(s))
	}
	file[1].Class = "eel"
	if n := taken(t, s, "labels.csv", file...); n != 1 || classes(s) != "cat 2, dog 0, eel 1" {
		t.Errorf("%d added, %s", n, classes(s))
	}
	for e := range s.Events() {
		if (e.Kind == Import) != (e.Source != "") {
			t.Errorf("%v is of the source %q", &e, e.Source)
		}
	}
}

// Names are trimmed of blanks. A visible name is accepted; for any other name the error gives the
// row.
func TestClassNames(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "labels.db"), 8)
	family := "\U0001F468\u200d\U0001F469\u200d\U0001F467"
	data := []Given{{0, "dog ", FromData}, {1, "cat", FromData}, {2, "cat\t", FromData}, {3, family, FromData}, {4, strings.Repeat("x", 201), FromData}, {5, "\u0645\u06cc\u200c\u062e", FromData},
		{6, "\U0001FAE9\ue000", FromData}} // of a later Unicode than Go's, and for private use
	for _, want := range []int{7, 0} {
		if n := taken(t, s, FromData, data...); n != want {
			t.Errorf("%d added, want %d", n, want)
		}
		s = reopened(t, s, 8)
		s.View(func(st *State) {
			if c := st.Classes(); len(c) != 6 || c[0].Name != "dog" || c[1].Name != "cat" || c[2].Name != family {
				t.Errorf("%+v", c)
			}
		})
	}
	add(t, s, Event{Kind: Label, Person: "ann", Row: 7, Class: NoClass, Name: " dog "})
	for _, name := range []string{"", "a\nb", "a\u2028b", "\u200d", "\xff", "tab\there", "nul\x00", strings.Repeat("x", 1001)} {
		_, err := s.Import(t.Context(), FromData, []Given{{7, name, FromData}})
		if !Invalid.Is(err) || !strings.HasPrefix(err.Error(), fmt.Sprintf("row 8: the class %.100q: ", name)) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// Files change, and people rename, merge, correct, undo and redo. At every import the rows with a
// changed class in the source get that class, and no other row changes. A second import changes
// nothing, nor do closing and opening.
func TestImportsRandomly(t *testing.T) {
	const points = 6
	people := []string{"ann", "ben", FromData}
	counts := map[string]int{}
	for seed := range uint64(8) {
		t.Log("seed", seed)
		r := rand.New(rand.NewPCG(seed, 2))
		s := opened(t, filepath.Join(t.TempDir(), "labels.db"), points)
		files := map[string][]Given{FromData: nil, "labels.csv": nil}
		for source := range files {
			for row := range points {
				person := people[r.IntN(2)]
				if source == FromData {
					person = FromData
				}
				files[source] = append(files[source], Given{row, "abcd"[row%3 : row%3+1], person})
			}
		}
		told := map[string][]Given{}         // as they were imported last
		means := map[string]map[string]int{} // the class that a source's name became first
		for step := range 80 {
			switch turn := r.IntN(12); {
			case turn < 4:
				source := []string{FromData, "labels.csv"}[r.IntN(2)]
				before := factsOf(s, points, people)
				n := taken(t, s, source, files[source]...)
				after := factsOf(s, points, people)
				want := 0
				for k, g := range files[source] {
					id := fmt.Sprint(g.Row, g.Person)
					if told[source] != nil && told[source][k].Class == g.Class {
						if before.Said[id] != after.Said[id] {
							t.Fatalf("step %d: %s says nothing new of %s, which was %s and is %s", step, source, id, before.Said[id], after.Said[id])
						}
						continue
					}
					want++
					if means[source] == nil {
						means[source] = map[string]int{}
					}
					var got Annotation
					s.View(func(st *State) {
						got, _ = st.Annotation(g.Row, g.Person)
						class, known := means[source][g.Class]
						if known = known && st.Resolve(class) != NoClass; known && st.Resolve(class) != got.Class {
							t.Fatalf("step %d: %s means the class %d by %q, not %d", step, source, class, g.Class, got.Class)
						}
						if !known {
							means[source][g.Class] = got.Class
						}
					})
				}
				if n != want {
					t.Fatalf("step %d: %d added, want %d", step, n, want)
				}
				if len(after.Classes) < len(before.Classes) {
					t.Fatalf("step %d: %v became %v", step, before.Classes, after.Classes)
				}
				told[source] = append([]Given(nil), files[source]...)
				if r.IntN(2) == 0 {
					s = reopened(t, s, points)
				}
				if n := taken(t, s, source, files[source]...); n != 0 || fmt.Sprint(factsOf(s, points, people)) != fmt.Sprint(after) {
					t.Fatalf("step %d: %d added the second time", step, n)
				}
				counts["import"]++
			case turn < 6:
				source := []string{FromData, "labels.csv"}[r.IntN(2)]
				files[source][r.IntN(points)].Class = "abcd"[r.IntN(4):][:1]
			case turn < 8:
				if _, err := s.Undo(t.Context(), people[r.IntN(3)], newKey()); err == nil {
					counts["undo"]++
				}
			case turn < 9:
				if _, err := s.Redo(t.Context(), people[r.IntN(2)], newKey()); err == nil {
					counts["redo"]++
				}
			default:
				e := Event{Kind: []Kind{Label, Label, ClassRename, ClassMerge, ClassAdd}[r.IntN(5)], Person: people[r.IntN(2)], Row: r.IntN(points), Class: r.IntN(5), Into: r.IntN(5), Key: newKey()}
				if e.Kind == ClassRename || e.Kind == ClassAdd {
					e.Name = "abcdef"[r.IntN(6):][:1]
				}
				if _, err := s.Append(t.Context(), []Event{e}); err == nil {
					counts[string(e.Kind)]++
				} else if !Conflict.Is(err) {
					t.Fatal(err)
				}
			}
		}
	}
	for _, kind := range []string{"import", "undo", "redo", "label", "class-rename", "class-merge"} {
		if counts[kind] < 8 {
			t.Errorf("%d of %s in %v", counts[kind], kind, counts)
		}
	}
}

// The number of a class is not given again after its addition was undone: labels of the old class
// would count for the new one.
func TestNumbersAreGivenOnce(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "labels.db"), 5)
	taken(t, s, FromData, Given{0, "cat", "ann"})
	for range 2 {
		if _, err := s.Undo(t.Context(), "ann", newKey()); err != nil {
			t.Fatal(err)
		}
	}
	s = reopened(t, s, 5)
	add(t, s, Event{Kind: ClassAdd, Person: "ben", Name: "dog"})
	for range 2 {
		if _, err := s.Redo(t.Context(), "ann", newKey()); err != nil {
			t.Fatal(err)
		}
	}
	s = reopened(t, s, 5)
	if got := classes(s); got != "cat 1, dog 0" {
		t.Error(got)
	}
	if n := taken(t, s, FromData, Given{0, "cat", "ann"}, Given{1, "cat", "ann"}); n != 1 || classes(s) != "cat 2, dog 0" {
		t.Errorf("%d added, %s", n, classes(s))
	}
}
