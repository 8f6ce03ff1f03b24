//go:build unix

package server

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Pipes and folders with the names of models are ignored in a folder, and refused where
// they are given by name.
func TestPipesAreNoModels(t *testing.T) {
	folder := theTwo(t)
	if err := os.MkdirAll(filepath.Join(folder, "moons.v", "2"+Ending), 0o777); err != nil {
		t.Fatal(err)
	}
	pipe := filepath.Join(folder, "pipe"+Ending)
	for _, path := range []string{pipe, filepath.Join(folder, "moons.v", "1"+Ending)} {
		if err := syscall.Mkfifo(path, 0o666); err != nil {
			t.Skip(err)
		}
	}
	s := New(Config{Paths: []string{folder}, Poll: -1})
	if err := s.Reload(t.Context()); err != nil || s.Models() != 2 {
		t.Errorf("%d models, %v", s.Models(), err)
	}
	if err := New(Config{Paths: []string{pipe}, Poll: -1}).Reload(t.Context()); err == nil || !strings.Contains(err.Error(), "no regular file, but a pipe") {
		t.Error(err)
	}
}
