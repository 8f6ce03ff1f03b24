package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// On a full disk a list is refused as a whole, in words. A list is accepted again once
// there is space.
func TestFullDisk(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "labels.db"), 5000)
	add(t, s, Event{Kind: ClassAdd, Person: "anna", Name: "cat"})
	var pages int
	if err := s.db.QueryRow("PRAGMA page_count").Scan(&pages); err != nil {
		t.Fatal(err)
	}
	if _, err := s.db.Exec(fmt.Sprintf("PRAGMA max_page_count=%d", pages+2)); err != nil {
		t.Fatal(err)
	}
	var list []Event
	for row := range 1000 {
		list = append(list, Event{Kind: Label, Person: "anna", Row: row, Class: 0, Key: newKey()})
	}
	_, err := s.Append(t.Context(), list)
	if !Full.Is(err) || !strings.Contains(err.Error(), "make room") {
		t.Fatalf("%v", err)
	}
	if got := aggregated(s); len(got) != 0 {
		t.Errorf("%d labels of the list that was refused", len(got))
	}
	if _, err := s.db.Exec("PRAGMA max_page_count=100000"); err != nil {
		t.Fatal(err)
	}
	add(t, s, list...)
	if got := aggregated(s); len(got) != 1000 {
		t.Errorf("%d labels", len(got))
	}
}

// The same on a full file system, where the test may mount one.
func TestFullFileSystem(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root mounts a small file system")
	}
	folder := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=600k", "tmpfs", folder).CombinedOutput(); err != nil {
		t.Skipf("no small file system: %v %s", err, out)
	}
	t.Cleanup(func() { _ = exec.Command("umount", folder).Run() })
	path := filepath.Join(folder, "labels.db")
	s, err := Open(t.Context(), path, Data{Name: "points.csv", Hashes: hashes(100000)})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	add(t, s, Event{Kind: ClassAdd, Person: "anna", Name: "cat"})
	taken := 0
	for row := 0; row < 100000 && err == nil; row += 100 {
		var list []Event
		for k := range 100 {
			list = append(list, Event{Kind: Label, Person: "anna", Row: row + k, Class: 0, Key: newKey()})
		}
		if _, err = s.Append(t.Context(), list); err == nil {
			taken += 100
		}
	}
	if !Full.Is(err) {
		t.Fatalf("%d labels, %v", taken, err)
	}
	if got := aggregated(s); len(got) != taken {
		t.Errorf("%d labels, %d were taken", len(got), taken)
	}
	if err := s.Close(); err != nil && !Full.Is(err) {
		t.Error(err)
	}
	copied := filepath.Join(t.TempDir(), "labels.db") // as somebody would who needs room
	for _, suffix := range []string{"", "-wal"} {
		if text, err := os.ReadFile(path + suffix); err == nil {
			if err := os.WriteFile(copied+suffix, text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	again, err := Open(t.Context(), copied, Data{Name: "points.csv", Hashes: hashes(100000)})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if got := aggregated(again); len(got) != taken {
		t.Errorf("%d labels after opening again, %d were taken", len(got), taken)
	}
}

// A store that cannot be written is refused before anything is labelled.
func TestReadOnlyStore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "labels.db")
	if err := opened(t, path, 5).Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o444); err != nil {
		t.Fatal(err)
	}
	_, err := Open(t.Context(), path, Data{Name: "points.csv", Hashes: hashes(5)})
	if !ReadOnly.Is(err) || !strings.Contains(err.Error(), "make both writable") {
		t.Errorf("%v", err)
	}
}

// A store that becomes read-only while it is open refuses labels, in words.
func TestReadOnlyMeanwhile(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "labels.db"), 5)
	add(t, s, Event{Kind: ClassAdd, Person: "anna", Name: "cat"})
	if _, err := s.db.Exec("PRAGMA query_only=1"); err != nil {
		t.Fatal(err)
	}
	_, err := s.Append(t.Context(), []Event{{Kind: Label, Person: "anna", Key: "k"}})
	if !ReadOnly.Is(err) {
		t.Errorf("%v", err)
	}
	if len(aggregated(s)) != 0 {
		t.Error("the label counts")
	}
}

// While a store is open nobody else can write, and everybody can read.
func TestOneWriterManyReaders(t *testing.T) {
	path := filepath.Join(t.TempDir(), "labels.db")
	s := opened(t, path, 5)
	add(t, s, Event{Kind: ClassAdd, Person: "anna", Name: "cat"}, Event{Kind: Label, Person: "anna", Row: 2, Class: 0})
	if _, err := Open(t.Context(), path, Data{Name: "points.csv", Hashes: hashes(5)}); !Locked.Is(err) || !strings.Contains(err.Error(), "another lapsvm label") {
		t.Errorf("%v", err)
	}
	reader, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	var row, class int
	var person string
	if err := reader.QueryRow("SELECT row, class, person FROM history WHERE kind = 'label'").Scan(&row, &class, &person); err != nil || row != 3 || class != 0 || person != "anna" {
		t.Errorf("row %d, class %d by %q, %v", row, class, person, err)
	}
	for _, change := range []string{"DELETE FROM events", "UPDATE events SET class = 7"} {
		if _, err := reader.Exec(change); err == nil || !strings.Contains(err.Error(), "only added") {
			t.Errorf("%s: %v", change, err)
		}
	}
	// One who writes all the same is noticed, and named from then on.
	if _, err := reader.Exec("INSERT INTO events(seq, time, person, kind, row, class, key, batch) VALUES(3, '2026-01-01T00:00:00.000Z', 'eve', 'label', 1, 0, 'eve', 3)"); err != nil {
		t.Fatal(err)
	}
	label := []Event{{Kind: Label, Person: "anna", Row: 4, Class: 0, Key: "k"}}
	if _, err := s.Append(t.Context(), label); !Locked.Is(err) {
		t.Errorf("%v", err)
	}
	if _, err := s.Append(t.Context(), label); !Damaged.Is(err) || !strings.Contains(err.Error(), "event 3 (label by eve) does not have the checksum") {
		t.Errorf("%v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), path, Data{Name: "points.csv", Hashes: hashes(5)}); !Damaged.Is(err) {
		t.Errorf("%v", err)
	}
}

// The store waits a while for a program that locks the database, and then returns an
// error that names the lock.
func TestLockedByATool(t *testing.T) {
	path := filepath.Join(t.TempDir(), "labels.db")
	s := opened(t, path, 5)
	if _, err := s.db.Exec("PRAGMA busy_timeout=10"); err != nil {
		t.Fatal(err)
	}
	tool, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer tool.Close()
	tool.SetMaxOpenConns(1)
	if _, err := tool.Exec("BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	class := []Event{{Kind: ClassAdd, Person: "anna", Name: "cat", Key: "k"}}
	if _, err := s.Append(t.Context(), class); !Locked.Is(err) || !strings.Contains(err.Error(), "another program") {
		t.Errorf("%v", err)
	}
	if _, err := tool.Exec("ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Append(t.Context(), class); err != nil {
		t.Error(err)
	}
}

// A file that is no store, or a store of a later version, is left as it is.
func TestNotAStore(t *testing.T) {
	folder := t.TempDir()
	text := filepath.Join(folder, "text.db")
	if err := os.WriteFile(text, []byte(strings.Repeat("no database\n", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(folder, "other.db")
	db, err := sql.Open("sqlite", other)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("CREATE TABLE t(x)"); err != nil {
		t.Fatal(err)
	}
	db.Close()
	later := filepath.Join(folder, "later.db")
	s := opened(t, later, 5)
	if _, err := s.db.Exec("PRAGMA user_version=99"); err != nil {
		t.Fatal(err)
	}
	s.Close()
	for path, want := range map[string]string{text: "is not a store", other: "not a store of labels", later: "later lapsvm (version 99", folder: "is a folder", filepath.Join(folder, "none", "x.db"): "there is no folder", "/dev/null": "no file"} {
		before, _ := os.ReadFile(path)
		_, err := Open(t.Context(), path, Data{Name: "points.csv", Hashes: hashes(5)})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
		if after, _ := os.ReadFile(path); string(after) != string(before) {
			t.Errorf("%s was changed", path)
		}
	}
}

// A store of version 0, an empty file, is brought to this version, as all older
// versions are.
func TestMigration(t *testing.T) {
	path := filepath.Join(t.TempDir(), "labels.db")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s := opened(t, path, 5)
	var has int
	if err := s.db.QueryRow("PRAGMA user_version").Scan(&has); err != nil || has != version {
		t.Errorf("version %d, %v", has, err)
	}
}

// The clock may jump: times are still in the order of the events.
func TestClockGoesBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "labels.db")
	clock := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	data := Data{Name: "points.csv", Hashes: hashes(5)}
	for _, jump := range []time.Duration{time.Minute, -time.Hour, 48 * time.Hour, -time.Second, -1000 * time.Hour} {
		s, err := open(t.Context(), path, data, func() time.Time { return clock })
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			add(t, s, Event{Kind: Skip, Person: "anna", Row: 1})
			clock = clock.Add(jump)
			add(t, s, Event{Kind: Skip, Person: "anna", Row: 2})
		}
		for k := 1; k < len(s.events); k++ {
			if s.events[k].Time.Before(s.events[k-1].Time) {
				t.Errorf("jump %v: event %d is of %v, after %v", jump, k+1, s.events[k].Time, s.events[k-1].Time)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// Where a failed write may have been done, the store looks it up in the file.
func TestUncertainWrite(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "labels.db"), 5)
	class := []Event{{Kind: ClassAdd, Person: "anna", Name: "cat", Key: "k"}}
	if _, err := s.Append(t.Context(), class); err != nil {
		t.Fatal(err)
	}
	// As if the commit above had been answered by an error of the disk.
	state, err := replay(nil, s.places, s.rules())
	if err != nil {
		t.Fatal(err)
	}
	s.events, s.keys, s.state, s.stale = nil, map[string]int{}, state, true
	if seqs, err := s.Append(t.Context(), class); err != nil || seqs[0] != 1 {
		t.Errorf("%v, %v", seqs, err)
	}
	if seqs := add(t, s, Event{Kind: Label, Person: "anna", Row: 1, Class: 0}); seqs[0] != 2 {
		t.Errorf("%v", seqs)
	}
}

// A request of a client that went away is done or not, never half.
func TestClientGoesAway(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "labels.db"), 5)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Append(ctx, []Event{{Kind: ClassAdd, Person: "anna", Name: "cat", Key: "k"}}); err != nil {
		t.Error(err)
	}
}

// Every error of the system becomes one of the reasons.
func TestReasons(t *testing.T) {
	for err, want := range map[error]Reason{syscall.ENOSPC: Full, syscall.EROFS: ReadOnly, os.ErrPermission: ReadOnly, errors.New("odd"): Failed} {
		if got := inWords("labels.db", err); !want.Is(got) || !errors.Is(got, err) {
			t.Errorf("%v: %v", err, got)
		}
	}
}
