package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"
)

var at = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// made is a release of this checkout, with a program and generated files that stand for
// the real ones.
func made(t *testing.T, system target) (*release, []entry) {
	t.Helper()
	r := &release{root: filepath.Join("..", ".."), out: t.TempDir(), log: io.Discard, version: "1.2.3", commit: commit{"0123", at, "Somebody <somebody@example.org>"}}
	generated := []entry{{path: "man/lapsvm.1", data: []byte(".TH LAPSVM 1\n")}, {path: "man/lapsvm-train.1"}, {path: "completions/lapsvm.bash"}, {path: "completions/_lapsvm"},
		{path: "completions/lapsvm.fish"}, {path: "completions/lapsvm.ps1"}}
	contents, err := r.contents(system, []byte("program"), generated, "licences")
	if err != nil {
		t.Fatal(err)
	}
	return r, contents
}

func pathsOf(entries []entry) (paths []string) {
	for _, e := range entries {
		paths = append(paths, e.path)
	}
	return paths
}

// An archive has the program, the manual that README names, manual pages, completions and
// licences, each once; one file may be run.
func TestContents(t *testing.T) {
	_, contents := made(t, target{"windows", "arm64"})
	paths := pathsOf(contents)
	for _, want := range []string{"lapsvm.exe", "README.md", "CHANGELOG.md", "docs/manual/README.md", "docs/manual/installing.md", "docs/demo.svg", "man/lapsvm-train.1", "completions/lapsvm.ps1", thirdParty} {
		if !slices.Contains(paths, want) {
			t.Errorf("%s is missing", want)
		}
	}
	if !slices.IsSorted(paths) || len(slices.Compact(slices.Clone(paths))) != len(paths) {
		t.Errorf("%q", paths)
	}
	for _, e := range contents {
		if e.program != (e.path == "lapsvm.exe") {
			t.Errorf("%s may be run: %v", e.path, e.program)
		}
	}
}

// Packages put files where their systems look for them.
func TestPackaged(t *testing.T) {
	r, contents := made(t, target{"linux", "amd64"})
	for format, want := range map[string][]string{
		deb: {"/usr/share/zsh/vendor-completions/_lapsvm", "/usr/share/doc/lapsvm/copyright", "/usr/share/doc/lapsvm/changelog.Debian.gz", "/usr/share/doc/lapsvm/changelog.gz"},
		rpm: {"/usr/share/zsh/site-functions/_lapsvm"},
	} {
		files, err := r.packaged(contents, format)
		if err != nil {
			t.Fatal(err)
		}
		paths := pathsOf(files)
		for _, path := range append(want, "/usr/bin/lapsvm", "/usr/share/man/man1/lapsvm-train.1.gz", "/usr/share/bash-completion/completions/lapsvm",
			"/usr/share/fish/vendor_completions.d/lapsvm.fish", "/usr/share/doc/lapsvm/docs/manual/README.md", "/usr/share/doc/lapsvm/"+thirdParty) {
			if !slices.Contains(paths, path) {
				t.Errorf("%s lacks %s", format, path)
			}
		}
		if slices.Sort(paths); len(slices.Compact(paths)) != len(files) {
			t.Errorf("%s has a file twice: %q", format, paths)
		}
		if k := slices.IndexFunc(files, func(e entry) bool { return strings.HasSuffix(e.path, ".ps1") }); k >= 0 {
			t.Errorf("%s has %s", format, files[k].path)
		}
	}
}

// Archives are the same for the same files, and read as they were written.
func TestArchives(t *testing.T) {
	_, contents := made(t, target{"linux", "amd64"})
	for name, f := range map[string]struct {
		write func(io.Writer, string, []entry, time.Time) error
		read  func([]byte, string) ([]entry, error)
	}{"tar": {writeTar, readTar}, "zip": {writeZip, readZip}} {
		var first, second bytes.Buffer
		if err := errors.Join(f.write(&first, "lapsvm_1", contents, at), f.write(&second, "lapsvm_1", contents, at.In(time.FixedZone("east", 3600)))); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Errorf("%s: %d bytes and %d bytes differ", name, first.Len(), second.Len())
		}
		again, err := f.read(first.Bytes(), "lapsvm_1")
		if err != nil {
			t.Fatal(err)
		}
		if !slices.EqualFunc(again, contents, func(a, b entry) bool {
			return a.path == b.path && a.program == b.program && bytes.Equal(a.data, b.data)
		}) {
			t.Errorf("%s: read %q", name, pathsOf(again))
		}
	}
}

// A pre-release sorts before its release for dpkg and rpm. They accept no hyphen.
func TestPackageVersion(t *testing.T) {
	for version, want := range map[string]string{"1.2.3": "1.2.3", "1.2.3-rc.1": "1.2.3~rc.1", "0.0.0-20260102030405-0123456789ab+dirty": "0.0.0~20260102030405.0123456789ab+dirty"} {
		if got := packageVersion(version); got != want {
			t.Errorf("%s is %s, want %s", version, got, want)
		}
	}
	if got, want := packageName(target{"linux", "arm64"}, "1.2.3", rpm), "lapsvm-1.2.3-1.aarch64.rpm"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := packageName(target{"linux", "arm64"}, "1.2.3", deb), "lapsvm_1.2.3-1_arm64.deb"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A bill of materials names every module that is linked, with the hash of go.sum.
func TestBill(t *testing.T) {
	info := &debug.BuildInfo{GoVersion: "go1.26.0", Main: debug.Module{Path: "lapsvm", Version: "v1.2.3"}, Settings: []debug.BuildSetting{{Key: "GOOS", Value: "linux"}},
		Deps: []*debug.Module{{Path: "example.org/one", Version: "v1.0.0+incompatible", Sum: "h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="},
			{Path: "example.org/two", Version: "v2.0.0", Replace: &debug.Module{Path: "example.org/other", Version: "v2.0.1"}}}}
	text, err := billOf("lapsvm", []byte("program"), info, at)
	if err != nil {
		t.Fatal(err)
	}
	var b bill
	if err := json.Unmarshal(text, &b); err != nil {
		t.Fatal(err)
	}
	var urls []string
	for _, c := range b.Components {
		urls = append(urls, c.URL)
	}
	if want := []string{"pkg:golang/std@1.26.0", "pkg:golang/example.org/one@v1.0.0%2Bincompatible", "pkg:golang/example.org/other@v2.0.1"}; !slices.Equal(urls, want) || !slices.Equal(b.Dependencies[0].On, want) {
		t.Errorf("%q, want %q", urls, want)
	}
	const empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	if h := b.Components[1].Hashes; len(h) != 1 || h[0].Content != empty {
		t.Errorf("%v", h)
	}
	if b.Metadata.Time != "2026-01-02T03:04:05Z" || b.Metadata.Component.Version != "v1.2.3" || b.Format != "CycloneDX" {
		t.Errorf("%+v", b.Metadata)
	}
}

// A file that was changed after it was made is named.
func TestSums(t *testing.T) {
	r := &release{out: t.TempDir(), log: io.Discard}
	if err := errors.Join(r.write("b", []byte("two")), r.write("a", []byte("one")), r.writeSums([]string{"b", "a"})); err != nil {
		t.Fatal(err)
	}
	if n, err := r.checkSums(); n != 2 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if err := os.WriteFile(filepath.Join(r.out, "a"), []byte("other"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := r.checkSums(); err == nil || !strings.Contains(err.Error(), "a has the checksum") {
		t.Errorf("%v", err)
	}
}

// A version is published with its changes under its heading.
func TestChangelog(t *testing.T) {
	for text, want := range map[string]string{
		"# Changelog\n\n## 1.2.3 (2026)\n\n- more\n\n## 1.2.2\n\n- first": "",
		"## Unreleased\n\n## 1.2.3\n\n- more":                             "",
		"## Unreleased\n\n- other\n\n## 1.2.3\n\n- more":                  "under Unreleased",
		"## 1.2.2\n\n- first":                                             "begins with 1.2.2",
		"## 1.2.3\n\n## 1.2.2\n\n- first":                                 "nothing under 1.2.3",
		"# Changelog":                                                     "no version",
	} {
		if err := checkChangelog(text, "1.2.3"); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	for tag, is := range map[string]bool{"v1.2.3": true, "v1.2.3-rc.1": true, "1.2.3": false, "v1.2": false, "v1.2.3-0.20260102": false} {
		if released.MatchString(tag) != is {
			t.Errorf("%s is a version: %v", tag, !is)
		}
	}
}

// The check-list stops at the first failure, says how to go on, and goes on there.
func TestWalk(t *testing.T) {
	broken := errors.New("mend it")
	var done []string
	steps := []step{
		{"one", func(context.Context) (string, error) { done = append(done, "one"); return "", nil }},
		{"two", func(context.Context) (string, error) { done = append(done, "two"); return "", broken }},
		{"three", func(context.Context) (string, error) { done = append(done, "three"); return "", nil }},
	}
	if err := walk(t.Context(), io.Discard, steps, ""); !errors.Is(err, broken) || !strings.Contains(err.Error(), "-from two") {
		t.Errorf("%v", err)
	}
	broken = nil
	if err := walk(t.Context(), io.Discard, steps, "two"); err != nil {
		t.Error(err)
	}
	if err := walk(t.Context(), io.Discard, steps, "four"); err == nil || !strings.Contains(err.Error(), "one, two, three") {
		t.Errorf("%v", err)
	}
	if want := []string{"one", "two", "two", "three"}; !slices.Equal(done, want) {
		t.Errorf("%q, want %q", done, want)
	}
}

// Bodies of functions are checked where they are ours.
func TestCheck(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "a.go"), []byte("package a\n\nfunc f() { missing() }\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	p := listed{ImportPath: "a", Dir: folder, GoFiles: []string{"a.go"}}
	if _, err := check(p, nil, "amd64", true); err == nil || !strings.Contains(err.Error(), "a.go:3:12: undefined: missing") {
		t.Errorf("%v", err)
	}
	if _, err := check(p, nil, "amd64", false); err != nil {
		t.Error(err)
	}
}

func TestParseTargets(t *testing.T) {
	if got, err := parseTargets(strings.Join(targetNames(), ",")); err != nil || !slices.Equal(got, allTargets()) || len(got) != 6 {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := parseTargets("linux/arm"); err == nil || !strings.Contains(err.Error(), "linux/arm64") {
		t.Errorf("%v", err)
	}
}
