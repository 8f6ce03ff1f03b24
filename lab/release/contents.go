package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// entry is a file of an archive or a package.
type entry struct {
	path    string // with slashes
	data    []byte
	program bool // it may be run
}

// filesOf reads what is below part of a folder, sorted by path; below is put before the
// paths.
func filesOf(folder, part, below string) (entries []entry, err error) {
	err = fs.WalkDir(os.DirFS(folder), part, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(name)))
		entries = append(entries, entry{path: path.Join(below, name), data: data})
		return err
	})
	return entries, err
}

// licenceFiles finds the files of a folder that state a licence.
func licenceFiles(folder string) ([]entry, error) {
	all, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var found []entry
	for _, file := range all {
		name := strings.ToUpper(file.Name())
		if !file.Type().IsRegular() || !slices.ContainsFunc([]string{"LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "PATENTS"}, func(start string) bool { return strings.HasPrefix(name, start) }) ||
			strings.HasSuffix(name, ".GO") {
			continue
		}
		data, err := os.ReadFile(filepath.Join(folder, file.Name()))
		if err != nil {
			return nil, err
		}
		found = append(found, entry{path: file.Name(), data: data})
	}
	return found, nil
}

// thirdParty is the name of the file with the licences of what is linked.
const thirdParty = "THIRD-PARTY-LICENCES.txt"

// contents are the files of an archive: the program, the manual with the other pages,
// the licence where there is one, the licences of what is linked, and what the program
// has generated.
func (r *release) contents(t target, program []byte, generated []entry, licences string) ([]entry, error) {
	all := []entry{{t.program(), program, true}, {path: thirdParty, data: []byte(licences)}}
	own, err := licenceFiles(r.root)
	if err != nil {
		return nil, err
	}
	for _, part := range []string{"README.md", "CHANGELOG.md", "docs"} {
		files, err := filesOf(r.root, part, "")
		if err != nil {
			return nil, err
		}
		own = append(own, files...)
	}
	all = append(append(all, own...), generated...)
	slices.SortFunc(all, func(a, b entry) int { return strings.Compare(a.path, b.path) })
	return all, nil
}

// Formats of packages.
const (
	deb = "deb"
	rpm = "rpm"
)

// installed returns where a package of a format puts a file of an archive, and the file
// as it is there: manual pages and Debian's changelogs are compressed. It knows none for what Linux does not need.
func installed(e entry, format string) (entry, bool, error) {
	folder, name := path.Split(e.path)
	switch {
	case e.program:
		e.path = "/usr/bin/" + name
	case folder == "man/":
		data, err := compressed(e.data)
		return entry{path: "/usr/share/man/man1/" + name + ".gz", data: data}, true, err
	case name == "lapsvm.bash":
		e.path = "/usr/share/bash-completion/completions/lapsvm"
	case name == "_lapsvm" && format == deb:
		e.path = "/usr/share/zsh/vendor-completions/_lapsvm"
	case name == "_lapsvm":
		e.path = "/usr/share/zsh/site-functions/_lapsvm"
	case name == "lapsvm.fish":
		e.path = "/usr/share/fish/vendor_completions.d/lapsvm.fish"
	case folder == "completions/":
		return e, false, nil
	case e.path == "CHANGELOG.md" && format == deb:
		data, err := compressed(e.data)
		return entry{path: "/usr/share/doc/lapsvm/changelog.gz", data: data}, true, err
	default:
		e.path = "/usr/share/doc/lapsvm/" + e.path
	}
	return e, true, nil
}

// compressed compresses data, without a name and a time.
func compressed(data []byte) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(data); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// packaged are the files of a package of a format, of the contents of an archive.
func (r *release) packaged(contents []entry, format string) ([]entry, error) {
	var all []entry
	for _, e := range contents {
		at, is, err := installed(e, format)
		if err != nil {
			return nil, err
		}
		if is {
			all = append(all, at)
		}
	}
	if format == deb {
		changes, err := compressed([]byte(fmt.Sprintf("lapsvm (%s) unstable; urgency=medium\n\n  * What changed is in changelog.gz.\n\n -- %s  %s\n",
			packageVersion(r.version)+"-1", r.commit.author, r.commit.time.Format("Mon, 02 Jan 2006 15:04:05 -0700"))))
		if err != nil {
			return nil, err
		}
		all = append(all, entry{path: "/usr/share/doc/lapsvm/copyright", data: []byte(copyright(contents))},
			entry{path: "/usr/share/doc/lapsvm/changelog.Debian.gz", data: changes})
	}
	return all, nil
}

// copyright says what is known of the licence.
func copyright(contents []entry) string {
	for _, e := range contents {
		if name := strings.ToUpper(e.path); strings.HasPrefix(name, "LICENSE") || strings.HasPrefix(name, "LICENCE") || strings.HasPrefix(name, "COPYING") {
			return "lapsvm is distributed under these terms:\n\n" + string(e.data) + "\nThe licences of the modules that are linked into it are in " + thirdParty + ".\n"
		}
	}
	return "The repository of lapsvm states no licence. The licences of the modules that are\nlinked into it are in " + thirdParty + ".\n"
}
