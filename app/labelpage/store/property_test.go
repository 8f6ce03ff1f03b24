package store

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
)

// naive computes the outcome of events in a second way: it keeps a list of batches,
// each undone or not, and computes everything from the batches that are not undone.
type naive struct {
	batches []*naiveBatch
	redo    map[string][]*naiveBatch
}

type naiveBatch struct {
	person string
	events []Event
	undone bool
}

// facts are the values on which both ways must agree.
type facts struct {
	Settled  map[int]int
	Classes  map[int]string
	Said     map[string]string
	Comments map[string]string
}

func (n *naive) live() []Event {
	var all []Event
	for _, b := range n.batches {
		if !b.undone {
			all = append(all, b.events...)
		}
	}
	slices.SortFunc(all, func(a, b Event) int { return int(a.Seq - b.Seq) })
	return all
}

func (n *naive) facts() (facts, bool) {
	f := facts{Settled: map[int]int{}, Classes: map[int]string{}, Said: map[string]string{}, Comments: map[string]string{}}
	into := map[int]int{}
	ever := map[int]bool{}
	resolve := func(c int) int {
		for {
			next, merged := into[c]
			if !merged {
				return c
			}
			c = next
		}
	}
	type key struct {
		row    int
		person string
	}
	said := map[key]Event{}
	adjudicated := map[int]int{}
	ok := true
	taken := func(name string, but int) bool {
		for c, other := range f.Classes {
			if other == name && c != but {
				return true
			}
		}
		return false
	}
	for _, e := range n.live() {
		k := key{e.Row, e.Person}
		if e.Class != NoClass && e.Kind != ClassAdd && !ever[e.Class] {
			ok = false
		}
		switch e.Kind {
		case ClassAdd:
			ok = ok && !taken(e.Name, -1)
			f.Classes[e.Class], ever[e.Class] = e.Name, true
		case ClassRename:
			_, there := f.Classes[e.Class]
			ok = ok && there && !taken(e.Name, e.Class)
			f.Classes[e.Class] = e.Name
		case ClassMerge:
			_, there := f.Classes[e.Class]
			_, other := f.Classes[e.Into]
			ok = ok && there && other && e.Class != e.Into
			delete(f.Classes, e.Class)
			into[e.Class] = e.Into
		case Label, Unsure, None:
			said[k] = e
		case Skip:
			if _, is := said[k]; !is {
				said[k] = e
			}
		case Withdraw:
			delete(said, k)
		case Adjudicate:
			delete(adjudicated, e.Row)
			if e.Class != NoClass {
				adjudicated[e.Row] = e.Class
			}
		}
		id := fmt.Sprint(e.Row, e.Person)
		if e.Comment != "" {
			f.Comments[id] = e.Comment
		} else if e.Kind == Comment {
			delete(f.Comments, id)
		}
		if !ok {
			return f, false
		}
	}
	votes := map[int]map[int]int{}
	for k, e := range said {
		text := string(e.Kind)
		if e.Kind == Label {
			c := resolve(e.Class)
			text += fmt.Sprint(c)
			if votes[k.row] == nil {
				votes[k.row] = map[int]int{}
			}
			votes[k.row][c]++
		}
		f.Said[fmt.Sprint(k.row, k.person)] = text
	}
	for row, of := range votes {
		most := slices.Max(slices.Collect(maps.Values(of)))
		var best []int
		for c, v := range of {
			if v == most {
				best = append(best, c)
			}
		}
		if len(best) == 1 {
			f.Settled[row] = best[0]
		}
	}
	for row, c := range adjudicated {
		f.Settled[row] = resolve(c)
	}
	return f, true
}

func (n *naive) add(person string, events []Event) {
	groups := map[int64]*naiveBatch{}
	for _, e := range events {
		b := groups[e.Batch]
		if b == nil {
			b = &naiveBatch{person: person}
			groups[e.Batch] = b
			n.batches = append(n.batches, b)
		}
		b.events = append(b.events, e)
	}
	n.redo[person] = nil
}

// undo takes back the person's last batch that can be taken back with a consistent
// state.
func (n *naive) undo(person string) bool {
	var of []*naiveBatch
	for _, b := range n.order(person) {
		if !b.undone {
			of = append(of, b)
		}
	}
	for _, b := range slices.Backward(of) {
		b.undone = true
		if _, ok := n.facts(); ok {
			n.redo[person] = append(n.redo[person], b)
			return true
		}
		b.undone = false
	}
	return false
}

func (n *naive) redoOne(person string) bool {
	stack := n.redo[person]
	if len(stack) == 0 {
		return false
	}
	b := stack[len(stack)-1]
	b.undone = false
	if _, ok := n.facts(); !ok {
		b.undone = true
		return false
	}
	n.redo[person] = stack[:len(stack)-1]
	// A redone batch becomes the last one.
	n.batches = append(slices.DeleteFunc(n.batches, func(x *naiveBatch) bool { return x == b }), b)
	return true
}

func (n *naive) order(person string) []*naiveBatch {
	var all []*naiveBatch
	for _, b := range n.batches {
		if b.person == person {
			all = append(all, b)
		}
	}
	return all
}

// factsOf returns the facts of a store.
func factsOf(s *Store, points int, people []string) facts {
	f := facts{Classes: map[int]string{}, Said: map[string]string{}, Comments: map[string]string{}}
	s.View(func(st *State) {
		f.Settled = st.Aggregated()
		for _, c := range st.Classes() {
			f.Classes[c.ID] = c.Name
		}
		for row := range points {
			for _, person := range people {
				id := fmt.Sprint(row, person)
				if j, ok := st.Annotation(row, person); ok {
					f.Said[id] = string(j.Kind)
					if j.Kind == Label {
						f.Said[id] += fmt.Sprint(j.Class)
					}
				}
				if c := st.CommentOf(row, person); c != "" {
					f.Comments[id] = c
				}
			}
		}
	})
	return f
}

// Random events of several people, with undos and redos, have the same outcome in
// the store, in the reopened store, and in a second, simpler computation.
func TestReplayEqualsModel(t *testing.T) {
	const points = 6
	people := []string{"anna", "ben", "chi"}
	for seed := range uint64(10) {
		r := rand.New(rand.NewPCG(seed, 1))
		path := filepath.Join(t.TempDir(), "labels.db")
		s := opened(t, path, points)
		model := &naive{redo: map[string][]*naiveBatch{}}
		undone, redone, refused := 0, 0, 0
		for step := range 120 {
			person := people[r.IntN(len(people))]
			switch turn := r.IntN(10); {
			case turn < 2:
				_, err := s.Undo(t.Context(), person, newKey())
				if want := model.undo(person); want != (err == nil) {
					t.Fatalf("seed %d, step %d: undo by %s: %v, want %v", seed, step, person, err, want)
				} else if want {
					undone++
				}
			case turn < 4:
				_, err := s.Redo(t.Context(), person, newKey())
				if want := model.redoOne(person); want != (err == nil) {
					t.Fatalf("seed %d, step %d: redo by %s: %v, want %v", seed, step, person, err, want)
				} else if want {
					redone++
				}
			default:
				if !someEvents(t, r, s, model, person, points) {
					refused++
				}
			}
			want, ok := model.facts()
			if got := factsOf(s, points, people); !ok || fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("seed %d, step %d:\n%v in place of\n%v", seed, step, got, want)
			}
			if step%40 == 39 {
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
				s = opened(t, path, points)
				if got := factsOf(s, points, people); fmt.Sprint(got) != fmt.Sprint(want) {
					t.Fatalf("seed %d, step %d, opened again:\n%v in place of\n%v", seed, step, got, want)
				}
			}
		}
		if undone < 4 || redone < 1 || refused < 1 {
			t.Errorf("seed %d: only %d undone, %d redone, %d refused", seed, undone, redone, refused)
		}
	}
}

// someEvents appends a random list of events to the store and, where the store
// accepts it, to naive.
func someEvents(t *testing.T, r *rand.Rand, s *Store, model *naive, person string, points int) bool {
	kinds := []Kind{Label, Label, Label, Withdraw, Skip, Unsure, None, Comment, Adjudicate, ClassAdd, ClassAdd, ClassRename, ClassMerge}
	var list []Event
	group := ""
	if r.IntN(3) == 0 {
		group = "together"
	}
	for range 1 + r.IntN(3) {
		e := Event{Kind: kinds[r.IntN(len(kinds))], Person: person, Row: r.IntN(points), Class: r.IntN(5), Into: r.IntN(5), Name: "", Key: newKey(), Group: group}
		switch {
		case e.Kind == ClassAdd || e.Kind == ClassRename:
			e.Name = string(rune('a' + r.IntN(6)))
		case e.Kind == Adjudicate && r.IntN(2) == 0:
			e.Class = NoClass
		case e.Kind == Comment || e.Kind == Label && r.IntN(4) == 0:
			e.Comment = []string{"", "why", "odd"}[r.IntN(3)]
		}
		list = append(list, e)
	}
	seqs, err := s.Append(context.Background(), list)
	if err != nil {
		if !Conflict.Is(err) {
			t.Fatalf("%+v: %v", list, err)
		}
		return false
	}
	model.add(person, s.events[seqs[0]-1:])
	if again, err := s.Append(context.Background(), list); err != nil || fmt.Sprint(again) != fmt.Sprint(seqs) {
		t.Fatalf("the same again: %v, %v, want %v", again, err, seqs)
	}
	return true
}
