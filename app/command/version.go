package command

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"lapsvm/internal/numbers/vec"
)

func (p *Program) version() *cobra.Command {
	var json bool
	c := &cobra.Command{
		Use:   "version",
		Short: "Show version, commit and build, and which kernels this processor gets",
		Args:  Arguments(),
		RunE: func(*cobra.Command, []string) error {
			b := thisBuild()
			if json {
				return PrintJSON(p.Stdout, b)
			}
			for _, line := range b.lines() {
				fmt.Fprintf(p.Text, "%-9s%s\n", line.name, line.value)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&json, "json", false, "print the result as one JSON object")
	return c
}

// build describes the program's build and the system that it runs on.
type build struct {
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

// thisBuild reads the linker's notes in the program.
func thisBuild() build {
	b := build{Version: "of unknown origin", Go: runtime.Version(), System: runtime.GOOS, Processor: runtime.GOARCH, Kernels: vec.Path()}
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
func (b build) String() string {
	text := b.Version
	if b.Commit != "" && !strings.Contains(text, b.Commit[:min(12, len(b.Commit))]) {
		text += " " + b.Commit
	}
	return text + " " + b.Go
}

// lines are the build for people.
func (b build) lines() []infoLine {
	lines := []infoLine{{"version", b.Version}}
	if b.Commit != "" {
		commit := b.Commit + " of " + b.Time
		if b.Modified {
			commit += ", with changes"
		}
		lines = append(lines, infoLine{"commit", commit})
	}
	built := fmt.Sprintf("%s for %s/%s", b.Go, b.System, b.Processor)
	if b.Tags != "" {
		built += ", tags " + b.Tags
	}
	return append(lines, infoLine{"built", "by " + built}, infoLine{"kernels", b.Kernels + ", the fastest that this program has for this processor"})
}
