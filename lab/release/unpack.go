package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// madeVersion finds the version of the archive of a target in the folder: there must be
// one alone.
func (r *release) madeVersion(t target) (string, error) {
	ending := fmt.Sprintf("_%s_%s.cdx.json", t.system, t.processor)
	found, err := filepath.Glob(filepath.Join(r.out, "lapsvm_*"+ending))
	if err != nil {
		return "", err
	}
	if len(found) != 1 {
		return "", fmt.Errorf("%s has %d versions: empty it, and run the step dist again", r.out, len(found))
	}
	return strings.TrimPrefix(strings.TrimSuffix(filepath.Base(found[0]), ending), "lapsvm_"), nil
}

// readArchive reads the archive of a target.
func (r *release) readArchive(t target, version string) ([]entry, error) {
	name := archiveName(t, version)
	read, ending := readTar, ".tar.gz"
	if t.system == "windows" {
		read, ending = readZip, ".zip"
	}
	data, err := os.ReadFile(filepath.Join(r.out, name+ending))
	if err != nil {
		return nil, err
	}
	return read(data, name)
}

// readTar reads an archive by writeTar with all files below one folder.
func readTar(data []byte, below string) (entries []entry, err error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	for a := tar.NewReader(z); ; {
		h, err := a.Next()
		if errors.Is(err, io.EOF) {
			return entries, nil
		} else if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(a)
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry{strings.TrimPrefix(h.Name, below+"/"), text, h.Mode&0o111 != 0})
	}
}

// readZip reads an archive by writeZip with all files below one folder.
func readZip(data []byte, below string) (entries []entry, err error) {
	a, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	for _, f := range a.File {
		in, err := f.Open()
		if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(in)
		if err = errors.Join(err, in.Close()); err != nil {
			return nil, err
		}
		entries = append(entries, entry{strings.TrimPrefix(f.Name, below+"/"), text, f.Mode()&0o111 != 0})
	}
	return entries, nil
}

// stepContents lists the packages by the tools of their systems, and holds the lists to
// the archives.
func (r *release) stepContents(ctx context.Context) (string, error) {
	var remarks []string
	for _, t := range r.targets {
		if t.system != "linux" {
			continue
		}
		version, err := r.madeVersion(t)
		if err != nil {
			return "", err
		}
		r.version = version
		contents, err := r.readArchive(t, version)
		if err != nil {
			return "", err
		}
		for _, format := range []string{deb, rpm} {
			name := packageName(t, version, format)
			listed, err := r.list(ctx, filepath.Join(r.out, name), format)
			if errors.Is(err, exec.ErrNotFound) {
				remarks = append(remarks, name+" is not looked at: its tool is missing here")
				continue
			} else if err != nil {
				return "", err
			}
			files, err := r.packaged(contents, format)
			if err != nil {
				return "", err
			}
			var want []string
			for _, f := range files {
				want = append(want, f.path)
			}
			slices.Sort(want)
			if !slices.Equal(listed, want) {
				return "", fmt.Errorf("%s has the files\n  %s\nand not\n  %s\nrun the step dist again", name, strings.Join(listed, "\n  "), strings.Join(want, "\n  "))
			}
			remarks = append(remarks, fmt.Sprintf("%s has its %d files", name, len(want)))
		}
	}
	return strings.Join(remarks, "; "), nil
}

// list lists the files of a package, sorted, without folders.
func (r *release) list(ctx context.Context, path, format string) (files []string, err error) {
	command := []string{"rpm", "-qp", "--qf", "[%{FILEMODES:perms} %{FILENAMES}\n]", path}
	if format == deb {
		command = []string{"dpkg-deb", "--contents", path}
	}
	if _, err := exec.LookPath(command[0]); err != nil {
		return nil, exec.ErrNotFound
	}
	text, err := r.output(ctx, command[0], command[1:]...)
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		name := words[len(words)-1]
		if !strings.HasPrefix(line, "d") {
			files = append(files, "/"+strings.TrimLeft(name, "./"))
		}
	}
	slices.Sort(files)
	return slices.Compact(files), err
}
