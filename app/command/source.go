package command

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/ranks/comm"
)

// source is the data named by the arguments DATA: a data set in one file or more, or
// images.
type source struct {
	name   string   // of the file or folder; "" where there are several
	files  []string // of a data set, one after another
	images []string
}

// newSource returns the source named by arguments. A pattern that is no file stands for
// its matching files, in alphabetical order. Two files or more are either all images or
// none.
func newSource(names []string) (source, error) {
	var all []string
	for _, name := range names {
		found := expand(name)
		if found == nil {
			return source{}, BadData(&dataset.Error{File: name, Msg: dataset.Messagef("there is no such file, and none that fits it as a pattern; check the name and the folder")})
		}
		all = append(all, found...)
	}
	if len(all) == 1 {
		return source{name: all[0]}, nil
	}
	images := files.IsImage(all[0])
	for _, name := range all {
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			return source{}, Usagef("%s is a folder, but several DATA must all be files: give the folder alone", name)
		}
		if name == "-" {
			return source{}, Usagef("standard input is given, but several DATA must all be files: give standard input alone")
		}
		if files.IsImage(name) != images {
			return source{}, Usagef("only one of %s and %s is an image by its name: several DATA must all be image files (%s), or none", all[0], name, alternatives(formatEnds(isImages)))
		}
	}
	if images {
		return source{images: all}, nil
	}
	return source{files: all}, nil
}

func isImages(f files.Format) bool { return f.Name == files.Images }

// isImages reports whether every row is an image file.
func (s source) isImages() bool {
	if s.name == "" {
		return s.images != nil
	}
	info, err := os.Stat(s.name)
	return err == nil && (info.IsDir() || info.Mode().IsRegular() && files.IsImage(s.name))
}

// first returns the name of the data set, or of its first file.
func (s source) first() string {
	if s.files != nil {
		return s.files[0]
	}
	return s.name
}

// read reads the data set, or the images, or the part of it of one of ranks.
func (s source) read(ctx context.Context, p *Program, ranks *comm.Comm, o files.Options) (*dataset.Dataset, error) {
	if s.name != "" {
		return p.readData(ctx, ranks, s.name, o)
	}
	o.Threads, o.Ranks = parallel.Threads(ctx), dataset.NewRanks(ctx, ranks)
	if s.images != nil {
		return files.ReadImages(s.images, o)
	}
	o.Progress = p.progress.reading(fmt.Sprintf("%d files", len(s.files)))
	return files.ReadFiles(s.files, o)
}

// again reads the data set without telling how far it is.
func (s source) again(o files.Options) (*dataset.Dataset, error) {
	switch {
	case s.images != nil:
		return files.ReadImages(s.images, o)
	case s.files != nil:
		return files.ReadFiles(s.files, o)
	}
	return files.ReadFile(s.name, o)
}

// paths returns the files of rows that were read from s.
func (s source) paths(rows *dataset.Kept) []string {
	info, err := os.Stat(s.name)
	below := err == nil && info.IsDir() // and named by their place in it
	paths := make([]string, len(rows.Rows))
	for i, row := range rows.Rows {
		if paths[i] = row[0]; below {
			paths[i] = filepath.Join(s.name, filepath.FromSlash(row[0]))
		}
	}
	return paths
}

// sourceName returns the name of the data on a page.
func sourceName(name string) string {
	if name == "-" {
		return "standard input"
	}
	return filepath.Base(name)
}
