package cli

import (
	"runtime"
	"runtime/debug"
	"strings"

	"lapsvm/internal/numbers/vec"
)

// Build describes the program's build and the system that it runs on.
type Build struct {
	Version   string `json:"version"`               // v1.2.3, a commit's where it has no tag, or (devel)
	Commit    string `json:"commit,omitempty"`      // "" where it was not built from a checkout
	Time      string `json:"commit_time,omitempty"` // UTC, as in RFC 3339
	Modified  bool   `json:"modified"`              // the checkout had changes that no commit has
	Go        string `json:"go"`
	System    string `json:"system"`    // such as linux
	Processor string `json:"processor"` // and the least of it that is needed, such as amd64 v1
	Kernels   string `json:"kernels"`   // of the instruction sets that the program knows, the one in use
	Tags      string `json:"tags,omitempty"`
}

// ThisBuild reads the linker's notes in the program.
func ThisBuild() Build {
	b := Build{Version: "of unknown origin", Go: runtime.Version(), System: runtime.GOOS, Processor: runtime.GOARCH, Kernels: vec.Path()}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	b.Version = info.Main.Version
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.Time = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		case "-tags":
			b.Tags = s.Value
		case "GOAMD64", "GOARM64":
			b.Processor += " " + s.Value
		}
	}
	return b
}

// String is the version in one line: the commit stands beside a version that does not
// name it.
func (b Build) String() string {
	text := b.Version
	if b.Commit != "" && !strings.Contains(text, b.Commit[:min(12, len(b.Commit))]) {
		text += " " + b.Commit
	}
	return text + " " + b.Go
}
