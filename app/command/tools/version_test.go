package tools

import (
	"slices"
	"testing"

	"lapsvm/app/command/cli"
)

// Words about a build have its commit, with the mark of a modified checkout.
func TestBuildInWords(t *testing.T) {
	const commit = "0123456789abcdef0123456789abcdef01234567"
	b := cli.Build{Version: "v0.0.0-20260102030405-0123456789ab+dirty", Commit: commit, Time: "2026-01-02T03:04:05Z", Modified: true,
		Go: "go1.26.0", System: "linux", Processor: "amd64 v1", Kernels: "avx2", Tags: "purego"}
	want := [][2]string{{"version", b.Version}, {"commit", commit + " of 2026-01-02T03:04:05Z, with changes"},
		{"built", "by go1.26.0 for linux/amd64 v1, tags purego"}, {"kernels", "avx2, the fastest that this program has for this processor"}}
	if got := buildLines(b); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
