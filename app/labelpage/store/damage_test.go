package store

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lapsvm/internal/testing/detector"
)

// lived makes a closed store with some of everything, and returns its path.
func lived(t *testing.T, points int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "labels.db")
	s := opened(t, path, points)
	taken(t, s, FromData, Given{0, "cat", FromData}, Given{1, "dog", FromData}, Given{2, "cat", FromData})
	for row := range points {
		e := Event{Kind: Label, Person: []string{"ann", "ben"}[row%2], Row: row, Class: row % 3 % 2, Seconds: float64(row) / 8, Comment: strings.Repeat("why? ", row%7)}
		if e.Blind = row%10 == 0; e.Blind {
			e.Predicted, e.Learnt = 1, row
		}
		add(t, s, e)
	}
	add(t, s, Event{Kind: ClassAdd, Person: "ann", Name: "eel"}, Event{Kind: ClassRename, Person: "ben", Class: 1, Name: "wolf"}, Event{Kind: Adjudicate, Person: "ben", Row: 3, Class: 2},
		Event{Kind: ClassMerge, Person: "ben", Class: 2, Into: 0}, Event{Kind: Unsure, Person: "ann", Row: 4})
	if _, err := s.Undo(t.Context(), "ben", newKey()); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// told is the whole contents of a store.
func told(s *Store, points int) string {
	return fmt.Sprint(factsOf(s, points, []string{"ann", "ben", FromData}), s.Drift(), s.events)
}

// A store with a flipped bit has all its contents, or it is refused. This also holds after it has
// been written to and opened again.
func TestFlippedBits(t *testing.T) {
	detector.Spare(t)
	const points = 120
	path := lived(t, points)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := opened(t, path, points)
	want := told(s, points)
	s.Close()
	const seed = 1
	r := rand.New(rand.NewPCG(seed, 3))
	refused, spared, later := 0, 0, 0
	flipped := filepath.Join(t.TempDir(), "labels.db")
	for range 300 {
		bit := r.IntN(8 * len(whole))
		damaged := append([]byte(nil), whole...)
		damaged[bit/8] ^= 1 << (bit % 8)
		for _, suffix := range []string{logSuffix, "-shm", "-journal"} {
			os.Remove(flipped + suffix)
		}
		if err := os.WriteFile(flipped, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		data := Data{Name: "points.csv", Hashes: hashes(points)}
		s, err := Open(t.Context(), flipped, data)
		if err != nil {
			if refused++; !strings.Contains(err.Error(), flipped) {
				t.Errorf("bit %d: %v", bit, err)
			}
			continue
		}
		if spared++; told(s, points) != want {
			t.Errorf("seed %d, bit %d of byte %d: another state is accepted", seed, bit%8, bit/8)
		}
		if spared%4 > 0 {
			s.Close()
			continue
		}
		_, failed := s.Append(t.Context(), []Event{{Kind: Comment, Person: "ann", Row: 5, Comment: "and then", Key: "then"}})
		after := told(s, points)
		s.Close()
		if s, err = Open(t.Context(), flipped, data); err != nil {
			if later++; failed == nil {
				t.Logf("bit %d of byte %d: refused when written to: %v", bit%8, bit/8, err)
			}
			continue
		}
		if got := told(s, points); got != after {
			t.Errorf("seed %d, bit %d of byte %d: another state is accepted after an event", seed, bit%8, bit/8)
		}
		s.Close()
	}
	t.Logf("of 300 flipped bits %d are refused, %d change nothing, %d are refused once written to", refused, spared, later)
	if refused < 100 {
		t.Errorf("only %d flips of 300 are noticed", refused)
	}
}

// Forged files are refused in words that name the event or row at fault. They neither panic nor
// take memory.
func TestForgedStores(t *testing.T) {
	const points = 30
	path := lived(t, points)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	forge := func(change string) string {
		file := filepath.Join(t.TempDir(), "forged.db")
		if err := os.WriteFile(file, whole, 0o600); err != nil {
			t.Fatal(err)
		}
		db, err := database(file, "_pragma=foreign_keys(0)")
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		if _, err := db.Exec(change); err != nil {
			t.Fatalf("%s: %v", change, err)
		}
		return file
	}
	const free = "DROP TRIGGER events_stay; DROP TRIGGER events_are_kept; "
	const kept = "; CREATE TRIGGER events_are_kept    BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'events are only added'); END; " +
		"CREATE TRIGGER events_stay BEFORE UPDATE ON events WHEN OLD.sum IS NOT NULL BEGIN SELECT RAISE(ABORT, 'events are only added'); END;"
	for change, want := range map[string]string{
		"PRAGMA user_version=-1": "its version is -1",
		"PRAGMA user_version=0":  "its version is 0",
		"PRAGMA user_version=1":  "another than lapsvm makes",
		free + "UPDATE events SET class = NULL WHERE seq = 2" + kept:                                                       "event 2 (import) has the class -1",
		free + "UPDATE events SET class = -5 WHERE seq = 2" + kept:                                                         "event 2 has the class -5",
		free + "UPDATE events SET class = 1000000000 WHERE seq = 1" + kept:                                                 "event 1 has the class 1000000000",
		free + "UPDATE events SET class = 1 WHERE seq = 2" + kept:                                                          "event 2 (import by data) does not have the checksum",
		free + "UPDATE events SET name = x'00ff' || name WHERE seq = 2" + kept:                                             "event 2 (import by data) does not have the checksum",
		free + "UPDATE events SET into_class = 9999999999 WHERE kind = 'class-merge'" + kept:                               "has the class merged into 9999999999",
		free + "UPDATE events SET predicted = -7 WHERE blind" + kept:                                                       "has the predicted class -7",
		free + "UPDATE events SET learnt = 1000000000000 WHERE blind" + kept:                                               "has the number of labels learnt 1000000000000",
		free + "UPDATE events SET blind = 2 WHERE seq = 9" + kept:                                                          "event 9 has 2 for blind",
		free + "UPDATE events SET kind = 'burn' WHERE seq = 9" + kept:                                                      "event 9 is of the kind \"burn\"",
		free + "UPDATE events SET row = 77 WHERE seq = 9" + kept:                                                           "event 9 (label) is of the row 77 of 30",
		free + "UPDATE events SET row = -3 WHERE seq = 9" + kept:                                                           "event 9 has the row -3",
		free + "UPDATE events SET time = 'noon' WHERE seq = 9" + kept:                                                      "event 9 has the time \"noon\"",
		free + "UPDATE events SET seconds = 9e999 WHERE seq = 9" + kept:                                                    "event 9 (label) took +Inf seconds",
		free + "UPDATE events SET batch = 12 WHERE seq = 9" + kept:                                                         "event 9 (label) is of the batch 12",
		free + "UPDATE events SET ref = 8 WHERE kind = 'undo'; UPDATE events SET batch = 99999 WHERE kind = 'undo'" + kept: "(undo) is of the batch 99999",
		free + "UPDATE events SET ref = 99999 WHERE kind = 'undo'" + kept:                                                  "(undo) is of the batch 99999",
		free + "UPDATE events SET sum = NULL" + kept:                                                                       "event 1 (class-add by data) does not have the checksum",
		free + "DELETE FROM events WHERE seq = 9" + kept:                                                                   "event 9 is missing",
		free + "DELETE FROM events WHERE seq > 30" + kept:                                                                  "event 30 is not the last",
		free + "DELETE FROM events" + kept:                                                                                 "event 0 is not the last",
		"DELETE FROM meta":                                                                                                 "is not the last",
		"UPDATE rows SET place = -4 WHERE id = 3":                                                                          "row 3 of its table rows has the place -4",
		"UPDATE rows SET place = 0 WHERE id = 3":                                                                           "row 3 of its table rows has the place 0",
		"UPDATE rows SET place = 1000000000000 WHERE id = 3":                                                               "row 3 of its table rows has the place 1000000000000",
		"UPDATE rows SET place = 99 WHERE id = 3":                                                                          "row 3 of its table rows does not have the checksum",
		"UPDATE rows SET hash = 'abc' WHERE id = 3":                                                                        "row 3 of its table rows has the hash \"abc\"",
		"UPDATE rows SET hash = upper(hash) WHERE id = 3":                                                                  "row 3 of its table rows has the hash",
		"UPDATE rows SET name = zeroblob(3000000) || 'x' WHERE id = 3":                                                     "longer than any that lapsvm writes",
		"UPDATE rows SET id = 99 WHERE id = 3":                                                                             "row 3 of its table rows is missing",
		"DROP VIEW history; DROP TABLE events":                                                                             "its ",
		"CREATE TRIGGER more AFTER INSERT ON events BEGIN SELECT 1; END":                                                   "the trigger more is not of lapsvm",
		"DROP VIEW history; ALTER TABLE rows RENAME TO other; CREATE VIEW rows AS WITH RECURSIVE c(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM c) SELECT id, NULL AS place, printf('%032x', id) AS hash, 'x' AS name, x'' AS sum FROM c": "missing or another",
		"DROP VIEW history; DROP TABLE events; CREATE TABLE events(seq, time, person, kind, row, class, name, into_class, comment, seconds, blind, predicted, learnt, key, batch, ref, source, sum)":                                       "missing or another",
	} {
		file := forge(change)
		if _, err := Open(t.Context(), file, Data{Name: "points.csv", Hashes: hashes(points)}); !Damaged.Is(err) || !strings.Contains(err.Error(), file) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", change, err, want)
		}
	}
	for _, length := range []int{1, 100, 5000, len(whole) / 2, len(whole) - 1} {
		file := filepath.Join(t.TempDir(), "short.db")
		if err := os.WriteFile(file, whole[:length], 0o600); err != nil {
			t.Fatal(err)
		}
		if s, err := Open(t.Context(), file, Data{Name: "points.csv", Hashes: hashes(points)}); err == nil || !strings.Contains(err.Error(), file) {
			t.Errorf("the first %d bytes: %v", length, err)
			s.Close()
		}
	}
}

// older makes a store of version 1, as it was written before there were checksums, by SQL.
func older(t *testing.T, points int, events ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "older.db")
	db, err := database(path, "")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	all := "PRAGMA journal_mode=wal; BEGIN;" + migrations[0] + fmt.Sprintf("PRAGMA application_id=%d; PRAGMA user_version=1;", applicationID)
	for row, hash := range hashes(points) {
		all += fmt.Sprintf("INSERT INTO rows VALUES(%d, %d, '%s', 'row %d');", row+1, row+1, hash, row+1)
	}
	for k, e := range events {
		all += fmt.Sprintf("INSERT INTO events(seq, time, batch, key, person, kind, row, class, name, into_class) VALUES(%d, '2026-01-01T00:00:00.000Z', %[1]d, 'k%[1]d', %s);", k+1, e)
	}
	if _, err := db.Exec(all + "COMMIT"); err != nil {
		t.Fatal(err)
	}
	return path
}

// A store of version 1 opens, gets checksums, and keeps the record of its imports. A damaged one is
// named and left as it was.
func TestVersionOne(t *testing.T) {
	imported := []string{"'data', 'class-add', NULL, 0, 'a', NULL", "'data', 'class-add', NULL, 1, 'b', NULL", "'data', 'import', 1, 0, 'a', NULL", "'data', 'import', 2, 1, 'b', NULL",
		"'ann', 'label', 1, 1, NULL, NULL", "'ann', 'class-merge', NULL, 0, NULL, 1"}
	path := older(t, 3, imported...)
	data := []Given{{0, "a", FromData}, {1, "b", FromData}}
	for range 2 {
		s := opened(t, path, 3)
		if n := taken(t, s, FromData, data...); n != 0 || classes(s) != "b 2" {
			t.Errorf("%d added, %s", n, classes(s))
		}
		add(t, s, Event{Kind: Skip, Person: "ann", Row: 2})
		s.Close()
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var bare int
	if err := db.QueryRow("SELECT (SELECT count(*) FROM events WHERE sum IS NULL) + (SELECT count(*) FROM rows WHERE sum IS NULL)").Scan(&bare); err != nil || bare != 0 {
		t.Errorf("%d without a checksum, %v", bare, err)
	}
	for event, want := range map[string]string{
		"'ann', 'class-rename', NULL, NULL, 'x', NULL":    "event 7 (class-rename) has the class -1",
		"'ann', 'class-rename', NULL, 55, 'x', NULL":      "no longer there",
		"'ann', 'class-add', NULL, 1000000000, 'x', NULL": "event 7 has the class 1000000000",
		"'ann', 'class-add', NULL, -5, 'x', NULL":         "event 7 has the class -5",
		"'ann', 'class-merge', NULL, 1, NULL, 1000":       "event 7 has the class merged into 1000",
		"'ann', 'label', NULL, 1, NULL, NULL":             "event 7 (label) is of the row 0 of 3",
	} {
		path := older(t, 3, append(imported[:6:6], event)...)
		if _, err := Open(t.Context(), path, Data{Name: "points.csv", Hashes: hashes(3)}); !Damaged.Is(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", event, err, want)
		}
		db, err := sql.Open("sqlite", path)
		if err != nil {
			t.Fatal(err)
		}
		var has int
		if err := db.QueryRow("PRAGMA user_version").Scan(&has); err != nil || has != 1 {
			t.Errorf("%s: now of version %d, %v", event, has, err)
		}
		db.Close()
	}
}

// A label that was written while the store was moved is not acknowledged.
func TestStoreMovedDuringAWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "labels.db")
	s := opened(t, path, 5)
	if err := s.write(t.Context(), func(*sql.Tx) error { return os.Rename(path, path+".moved") }); !Moved.Is(err) {
		t.Errorf("%v", err)
	}
}

// A store with files moved while it is open accepts no label. Earlier labels are in the file,
// wherever the file is.
func TestStoreMoved(t *testing.T) {
	rename := func(t *testing.T, from, to string) {
		t.Helper()
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
	}
	remove := func(t *testing.T, path string) {
		t.Helper()
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	for what, of := range map[string]struct {
		do   func(t *testing.T, path string) // returns the store with the labels
		then string                          // where the labels are
		back func(t *testing.T, path string) // which brings them back; nil: nothing does
	}{
		"moved": {func(t *testing.T, path string) { rename(t, path, path+".moved") }, ".moved", func(t *testing.T, path string) { rename(t, path+".moved", path) }},
		"moved with its log": {func(t *testing.T, path string) {
			rename(t, path, path+".moved")
			rename(t, path+logSuffix, path+".moved"+logSuffix)
		}, ".moved", func(t *testing.T, path string) {
			rename(t, path+".moved", path)
			rename(t, path+".moved"+logSuffix, path+logSuffix)
		}},
		"replaced": {func(t *testing.T, path string) {
			rename(t, path, path+".moved")
			text, _ := os.ReadFile(path + ".moved")
			if err := os.WriteFile(path, text, 0o600); err != nil {
				t.Fatal(err)
			}
		}, ".moved", func(t *testing.T, path string) { rename(t, path+".moved", path) }},
		"removed":       {func(t *testing.T, path string) { remove(t, path) }, "", nil},
		"without a log": {func(t *testing.T, path string) { remove(t, path+logSuffix) }, "", nil},
	} {
		t.Run(what, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "labels.db")
			s := opened(t, path, 30)
			s.idle = time.AfterFunc(time.Hour, func() {}) // the log is not carried over in time
			add(t, s, Event{Kind: ClassAdd, Person: "ann", Name: "cat"})
			for row := range 20 {
				add(t, s, Event{Kind: Label, Person: "ann", Row: row, Class: 0})
			}
			of.do(t, path)
			next := []Event{{Kind: Label, Person: "ann", Row: 20, Class: 0, Key: "next"}}
			for range 2 {
				if _, err := s.Append(t.Context(), next); !Moved.Is(err) || !strings.Contains(err.Error(), "the store was moved") {
					t.Fatalf("%v", err)
				}
				if _, err := s.Undo(t.Context(), "ann", "undo"); !Moved.Is(err) {
					t.Errorf("%v", err)
				}
				if n := len(aggregated(s)); n != 20 {
					t.Errorf("%d labels on the page", n)
				}
			}
			// After a kill the file alone has all acknowledged labels.
			if text, err := os.ReadFile(path + of.then); err == nil {
				left := filepath.Join(t.TempDir(), "left.db")
				if err := os.WriteFile(left, text, 0o600); err != nil {
					t.Fatal(err)
				}
				if n := len(aggregated(opened(t, left, 30))); n != 20 {
					t.Errorf("%d labels in the file", n)
				}
			}
			if of.back == nil {
				return
			}
			of.back(t, path)
			add(t, s, next...)
			s = reopened(t, s, 30)
			if n := len(aggregated(s)); n != 21 {
				t.Errorf("%d labels", n)
			}
		})
	}
}

// A store that was put in the place of an open one keeps its log when the other is closed.
func TestReplacedStoreKeepsItsLog(t *testing.T) {
	folder := t.TempDir()
	path, other := filepath.Join(folder, "labels.db"), filepath.Join(folder, "other.db")
	s := opened(t, path, 5)
	add(t, s, Event{Kind: ClassAdd, Person: "ann", Name: "cat"})
	o := opened(t, other, 5)
	o.idle = time.AfterFunc(time.Hour, func() {})
	add(t, o, Event{Kind: ClassAdd, Person: "ben", Name: "dog"}, Event{Kind: Label, Person: "ben", Row: 1, Class: 0})
	for _, suffix := range []string{"", logSuffix} { // as a kill would leave them
		text, err := os.ReadFile(other + suffix)
		if err == nil {
			err = os.WriteFile(path+".copy", text, 0o600)
		}
		if err == nil {
			err = os.Rename(path+".copy", path+suffix)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if n := len(aggregated(opened(t, path, 5))); n != 1 {
		t.Errorf("%d labels of the other store", n)
	}
}

// The log is copied into the file while the store is idle: the file alone then has all acknowledged
// labels.
func TestIdleStore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "labels.db")
	s := opened(t, path, 5)
	add(t, s, Event{Kind: ClassAdd, Person: "ann", Name: "cat"}, Event{Kind: Label, Person: "ann", Row: 1, Class: 0})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for behind := true; behind && ctx.Err() == nil; time.Sleep(idleTime / 10) {
		s.mu.RLock()
		behind = s.behind
		s.mu.RUnlock()
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	alone := filepath.Join(t.TempDir(), "alone.db")
	if err := os.WriteFile(alone, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if n := len(aggregated(opened(t, alone, 5))); n != 1 {
		t.Errorf("%d labels", n)
	}
}

// A log that another program cuts is noticed at the next label: what was taken meanwhile can be had from the page.
func TestLogIsCut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "labels.db")
	s, err := Open(t.Context(), path, points(10))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.AddClasses(t.Context(), []string{"a"}); err != nil {
		t.Fatal(err)
	}
	one := func(row int) Event {
		return Event{Kind: Label, Person: "ann", Row: row, Class: 0, Key: fmt.Sprint("k", row)}
	}
	if _, err := s.Append(t.Context(), []Event{one(0)}); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path+logSuffix, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Append(t.Context(), []Event{one(1)}); !Moved.Is(err) || !strings.Contains(err.Error(), "was cut by another program") {
		t.Error(err)
	}
	s.View(func(st *State) {
		if len(st.Aggregated()) != 1 {
			t.Errorf("%v", st.Aggregated())
		}
	})
}
