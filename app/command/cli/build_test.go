package cli

import (
	"testing"
)

// A version that does not name the commit has it beside it.
func TestBuild(t *testing.T) {
	const commit = "0123456789abcdef0123456789abcdef01234567"
	for version, want := range map[string]string{
		"v1.2.3": "v1.2.3 " + commit + " go1.26.0",
		"v0.0.0-20260102030405-0123456789ab+dirty": "v0.0.0-20260102030405-0123456789ab+dirty go1.26.0",
	} {
		b := Build{Version: version, Commit: commit, Go: "go1.26.0"}
		if got := b.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
