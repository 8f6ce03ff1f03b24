package input

import "testing"

// Data that another program gives without a name have none on a page.
func TestSourceName(t *testing.T) {
	for name, want := range map[string]string{
		"-": "standard input", "/proc/self/fd/4": "data of another program", "/dev/fd/63": "data of another program", "in/moons.csv": "moons.csv", "fd/4": "4",
	} {
		if got := SourceName(name); got != want {
			t.Errorf("%s: %q, not %q", name, got, want)
		}
	}
}
