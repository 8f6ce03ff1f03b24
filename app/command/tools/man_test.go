package tools

import (
	"testing"
)

func TestRoff(t *testing.T) {
	if got, want := roff(".a\\b\n'c - d"), "\\&.a\\eb\n\\&'c \\- d"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
