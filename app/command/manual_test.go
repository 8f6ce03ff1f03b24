package command

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"lapsvm/dataset/files"
	"lapsvm/internal/testing/detector"
)

const manual = "../../docs/manual"

// Every command of the manual runs as it is printed. The console blocks of a page
// share one folder. In a block "$ " begins a command, and "> " continues it. The
// other lines are the command's expected output, standard output and standard error
// together; a command without such lines is not compared. In a line "…" stands for
// any text, and alone on a line for any number of lines.
func TestManual(t *testing.T) {
	detector.Spare(t)
	for _, tool := range []string{"sh", "awk", "cat"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("the manual's commands need %s, which is not here", tool)
		}
	}
	pages, err := filepath.Glob(filepath.Join(manual, "*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatalf("no pages in %s: %v", manual, err)
	}
	ran := 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		steps, err := console(string(text))
		if err != nil {
			t.Errorf("%s: %v", filepath.Base(page), err)
		}
		ran += len(steps)
		t.Run(filepath.Base(page), func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			for _, s := range steps {
				c := exec.CommandContext(t.Context(), "sh", "-c", withoutProgress+s.command)
				c.Dir = folder
				out, err := c.CombinedOutput()
				if err != nil {
					t.Fatalf("line %d: %s\n%v\n%s", s.line, s.command, err, out)
				}
				if len(s.output) > 0 && !matches(s.output, string(out)) {
					t.Errorf("line %d: %s\nprints\n%sin place of\n%s", s.line, s.command, out, strings.Join(s.output, "\n"))
				}
			}
		})
	}
	if ran < 30 {
		t.Errorf("only %d commands found in the manual", ran)
	}
}

// withoutProgress makes commands silent about their progress, which they show once
// they have taken some time.
const withoutProgress = `lapsvm() {
	case $1 in
	train | predict | evaluate | tune | graph | convert | suggest | audit) command lapsvm "$@" --progress off ;;
	*) command lapsvm "$@" ;;
	esac
}
`

// step is a command of a page with its output by the page.
type step struct {
	line    int
	command string
	output  []string
}

// console returns the commands in the console blocks of a page.
func console(page string) ([]step, error) {
	var steps []step
	inside, fence := false, false
	for i, line := range strings.Split(page, "\n") {
		command, isCommand := strings.CutPrefix(line, "$ ")
		more, isMore := strings.CutPrefix(line, "> ")
		switch {
		case strings.HasPrefix(line, "```"):
			inside, fence = !fence && line == "```console", !fence
		case !inside:
		case isCommand:
			steps = append(steps, step{line: i + 1, command: command})
		case len(steps) == 0:
			return nil, fmt.Errorf("line %d: output without a command", i+1)
		case isMore && len(steps[len(steps)-1].output) == 0:
			steps[len(steps)-1].command += "\n" + more
		default:
			s := &steps[len(steps)-1]
			s.output = append(s.output, line)
		}
	}
	if fence {
		return nil, fmt.Errorf("a block is not closed")
	}
	return steps, nil
}

var blanks = regexp.MustCompile(" +")

// matches reports whether out is what a page shows. Several blanks count as one,
// since numbers that vary move columns, and those at the ends of lines and empty
// lines at the end do not count.
func matches(shown []string, out string) bool {
	out = blanks.ReplaceAllString(out, " ")
	var pattern strings.Builder
	for _, line := range shown {
		if line == "…" {
			pattern.WriteString(`(?:.*\n)*?`)
			continue
		}
		parts := strings.Split(strings.TrimRight(blanks.ReplaceAllString(line, " "), " "), "…")
		for i := range parts {
			parts[i] = regexp.QuoteMeta(parts[i])
		}
		pattern.WriteString(strings.Join(parts, ".*") + ` ?\n`)
	}
	return regexp.MustCompile(`\A` + pattern.String() + `\s*\z`).MatchString(out)
}

// The comparison distinguishes the outputs that it should.
func TestManualMatches(t *testing.T) {
	for _, c := range []struct {
		shown, out string
		want       bool
	}{
		{"a\nb", "a\nb\n", true},
		{"a\nb", "a  \nb\n\n", true},
		{"a\nb", "a\nb\nc\n", false},
		{"a\nb", "a\n", false},
		{"in … s", "in 1.5 s\n", true},
		{"in … s", "in 1.5 h\n", false},
		{"a.c", "abc\n", false},
		{"  a   b", " a b \n", true},
		{"a b", "ab\n", false},
		{"a\n…\nz", "a\nz\n", true},
		{"a\n…\nz", "a\nb\nc\nz\n", true},
		{"a\n…\nz", "a\nb\n", false},
	} {
		if got := matches(strings.Split(c.shown, "\n"), c.out); got != c.want {
			t.Errorf("%q and %q: %v", c.shown, c.out, got)
		}
	}
	steps, err := console("text\n```console\n$ a \\\n> b\nout\n```\n```csv\n$ no\n```\n```console\n$ c\n```\n")
	if err != nil || len(steps) != 2 || steps[0].command != "a \\\nb" || len(steps[0].output) != 1 || steps[1].command != "c" || steps[1].line != 11 {
		t.Errorf("%+v, %v", steps, err)
	}
	for _, bad := range []string{"```console\n$ a\n", "```console\nout\n```\n"} {
		if _, err := console(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

// The Go of the README and the manual compiles.
func TestManualGo(t *testing.T) {
	if testing.Short() {
		t.Skip("runs go vet")
	}
	pages, err := filepath.Glob(filepath.Join(manual, "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```")
	ran := 0
	for _, page := range append(pages, "../../README.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range blocks.FindAllStringSubmatch(string(text), -1) {
			ran++
			file := filepath.Join(t.TempDir(), "main.go")
			if err := os.WriteFile(file, []byte(fmt.Sprintf(goFrame, block[1])), 0o600); err != nil {
				t.Fatal(err)
			}
			if out, err := exec.CommandContext(t.Context(), "go", "vet", file).CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s\n%s", page, err, block[1], out)
			}
		}
	}
	if ran < 2 {
		t.Errorf("only %d blocks of Go found", ran)
	}
}

// goFrame makes a program of the lines of a page.
const goFrame = `package main

import (
	"context"
	"fmt"
	"log"

	"lapsvm"
	"lapsvm/dataset/files"
)

func main() {
	ctx := context.Background()
	%s
	fmt.Println(m, err)
}
`

// Every link of a Markdown page to a file or a heading of this repository leads
// somewhere. The changelog speaks of files that were there in its day.
func TestLinks(t *testing.T) {
	root := filepath.Join("..", "..")
	var pages []string
	for _, folder := range []string{".", "docs", "docs/manual", "docs/decisions", "lab/notes", "python", "testdata/written"} {
		found, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(folder), "*.md"))
		if err != nil || len(found) == 0 {
			t.Fatalf("no pages in %s: %v", folder, err)
		}
		pages = append(pages, found...)
	}
	links := regexp.MustCompile(`\]\(([^)#:\s]*)(?:#([^)]*))?\)`)
	for _, page := range pages {
		if filepath.Base(page) == "CHANGELOG.md" {
			continue
		}
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, link := range links.FindAllStringSubmatch(string(text), -1) {
			target := page
			if link[1] != "" {
				target = filepath.Join(filepath.Dir(page), filepath.FromSlash(link[1]))
			}
			if info, err := os.Stat(target); err != nil {
				t.Errorf("%s: %v", page, err)
				continue
			} else if info.IsDir() {
				continue
			}
			linked, err := os.ReadFile(target)
			if err != nil {
				t.Fatal(err)
			}
			if link[2] != "" && !anchors(string(linked))[link[2]] {
				t.Errorf("%s: there is no heading #%s in %s", page, link[2], target)
			}
		}
	}
}

// anchors returns the names by which the headings of a page are linked to.
func anchors(page string) map[string]bool {
	names := make(map[string]bool)
	for line := range strings.Lines(page) {
		if title := strings.TrimLeft(line, "#"); title != line {
			names[strings.Map(func(r rune) rune {
				switch {
				case r == ' ':
					return '-'
				case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
					return unicode.ToLower(r)
				}
				return -1
			}, strings.TrimSpace(title))] = true
		}
	}
	return names
}

// The manual has every ending of a name that tells a format.
func TestManualHasFormats(t *testing.T) {
	page, err := os.ReadFile(manual + "/formats.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files.Formats() {
		for _, ending := range f.Endings {
			if !strings.Contains(string(page), "`."+ending+"`") && f.Name != files.IDX {
				t.Errorf("the manual says nothing of .%s", ending)
			}
		}
	}
}
