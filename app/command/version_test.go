package command

import (
	"encoding/json"
	"runtime"
	"slices"
	"strings"
	"testing"

	"lapsvm/internal/numbers/vec"
)

// version tells what the build is, in words and as JSON, and --version its first part.
func TestVersion(t *testing.T) {
	code, words, stderr := lapsvmRun(t, t.Context(), "", "version")
	if code != exitDone || stderr != "" {
		t.Fatal(stderr)
	}
	for _, part := range []string{"version  ", "built    by " + runtime.Version() + " for " + runtime.GOOS + "/" + runtime.GOARCH, "kernels  " + vec.Path() + ", "} {
		if !strings.Contains(words, part) {
			t.Errorf("%q is not in\n%s", part, words)
		}
	}
	_, text, _ := lapsvmRun(t, t.Context(), "", "version", "--json")
	var b build
	if err := json.Unmarshal([]byte(text), &b); err != nil {
		t.Fatal(err)
	}
	if b.Go != runtime.Version() || b.System != runtime.GOOS || !strings.HasPrefix(b.Processor, runtime.GOARCH) || !slices.Contains(vec.Paths(), b.Kernels) || b.Version == "" {
		t.Errorf("%+v", b)
	}
	if _, line, _ := lapsvmRun(t, t.Context(), "", "--version"); line != "lapsvm version "+b.String()+"\n" {
		t.Errorf("%q", line)
	}
	if code, _, _ := lapsvmRun(t, t.Context(), "", "version", "more"); code != exitUsage {
		t.Errorf("exit code %d", code)
	}
}

// The commit is shown once, with the mark of a modified checkout.
func TestBuildInWords(t *testing.T) {
	const commit = "0123456789abcdef0123456789abcdef01234567"
	tagged := build{Version: "v1.2.3", Commit: commit, Time: "2026-01-02T03:04:05Z", Go: "go1.26.0", System: "linux", Processor: "amd64 v1", Kernels: "avx2"}
	if got, want := tagged.String(), "v1.2.3 "+commit+" go1.26.0"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	between := tagged
	between.Version, between.Modified, between.Tags = "v0.0.0-20260102030405-0123456789ab+dirty", true, "purego"
	if got, want := between.String(), between.Version+" go1.26.0"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	want := [][2]string{{"version", between.Version}, {"commit", commit + " of 2026-01-02T03:04:05Z, with changes"},
		{"built", "by go1.26.0 for linux/amd64 v1, tags purego"}, {"kernels", "avx2, the fastest that this program has for this processor"}}
	if got := buildLines(between); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
