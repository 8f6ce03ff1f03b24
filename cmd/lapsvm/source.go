package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/internal/parallel"
)

// source is what the arguments DATA name: a data set, or several images.
type source struct {
	name   string   // of the data set; "" where there are several images
	images []string // their files
}

// newSource finds out what arguments name. One that is no file, but a pattern, is the
// files that it fits, in alphabetical order. Several files are images.
func newSource(names []string) (source, error) {
	var all []string
	for _, name := range names {
		if _, err := os.Lstat(name); err == nil || !strings.ContainsAny(name, "*?[") {
			all = append(all, name)
			continue
		}
		found, err := filepath.Glob(name)
		if err != nil || len(found) == 0 {
			return source{}, dataError{&dataset.Error{File: name, Msg: dataset.Messagef("there is no such file, and none that fits it as a pattern; check the name and the folder")}}
		}
		all = append(all, found...)
	}
	if len(all) == 1 {
		return source{name: all[0]}, nil
	}
	for _, name := range all {
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			return source{}, usagef("%s is a folder, and one of several DATA, which must be image files: give it alone", name)
		}
		if !files.IsImage(name) {
			return source{}, usagef("%s is no image by its name: several DATA must be image files (%s); give others one by one", name, alternatives(formatEnds(isImages)))
		}
	}
	return source{images: all}, nil
}

func isImages(f files.Format) bool { return f.Name == files.Images }

// isImages reports whether every row is an image file.
func (s source) isImages() bool {
	if s.name == "" {
		return true
	}
	info, err := os.Stat(s.name)
	return err == nil && (info.IsDir() || info.Mode().IsRegular() && files.IsImage(s.name))
}

// read reads the data set, or the images.
func (s source) read(ctx context.Context, p *program, o files.Options) (*dataset.Dataset, error) {
	if s.name != "" {
		return p.readData(ctx, s.name, o)
	}
	o.Threads = parallel.Threads(ctx)
	return files.ReadImages(s.images, o)
}

// paths returns the files of the rows of d, which was read from s.
func (s source) paths(d *dataset.Dataset) []string {
	info, err := os.Stat(s.name)
	below := err == nil && info.IsDir() // and named by their place in it
	paths := make([]string, len(d.Kept.Rows))
	for i, row := range d.Kept.Rows {
		if paths[i] = row[0]; below {
			paths[i] = filepath.Join(s.name, filepath.FromSlash(row[0]))
		}
	}
	return paths
}
