package input

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"lapsvm/app/command/cli"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/ranks/comm"
)

// Source is the data named by the arguments DATA: a data set in one file or more, or
// images.
type Source struct {
	Name   string   // of the file or folder; "" where there are several
	Files  []string // of a data set, one after another
	Images []string
}

// NewSource returns the source named by arguments. A pattern that is no file stands for
// its matching files, in alphabetical order. Two files or more are either all images or
// none.
func NewSource(names []string) (Source, error) {
	var all []string
	for _, name := range names {
		found := cli.Expand(name)
		if found == nil {
			return Source{}, cli.BadData(&dataset.Error{File: name, Msg: dataset.Messagef("there is no such file, and none that fits it as a pattern; check the name and the folder")})
		}
		all = append(all, found...)
	}
	if len(all) == 1 {
		return Source{Name: all[0]}, nil
	}
	images := files.IsImage(all[0])
	for _, name := range all {
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			return Source{}, cli.Usagef("%s is a folder, but several DATA must all be files: give the folder alone", name)
		}
		if name == "-" {
			return Source{}, cli.Usagef("standard input is given, but several DATA must all be files: give standard input alone")
		}
		if files.IsImage(name) != images {
			return Source{}, cli.Usagef("only one of %s and %s is an image by its name: several DATA must all be image files (%s), or none", all[0], name, cli.Alternatives(cli.FormatEnds(isImages)))
		}
	}
	if images {
		return Source{Images: all}, nil
	}
	return Source{Files: all}, nil
}

// Missing is the error of DATA that is a file and not there. It is told before what else is wrong with a command.
func Missing(name string) error {
	file, _ := files.Locate(name)
	if _, err := os.Stat(file); name == "-" || !errors.Is(err, fs.ErrNotExist) || cli.Expand(name) != nil && strings.ContainsAny(name, "*?[") {
		return nil
	}
	return cli.BadData(&dataset.Error{File: name, Msg: dataset.Messagef("there is no such file; check the name and the folder")})
}

func isImages(f files.Format) bool { return f.Name == files.Images }

// IsImages reports whether every row is an image file.
func (s Source) IsImages() bool {
	if s.Name == "" {
		return s.Images != nil
	}
	file, part := files.Locate(s.Name)
	info, err := os.Stat(file)
	return err == nil && part == "" && (info.IsDir() || info.Mode().IsRegular() && files.IsImage(s.Name))
}

// First returns the name of the data set, or of its first file.
func (s Source) First() string {
	if s.Files != nil {
		return s.Files[0]
	}
	return s.Name
}

// Read reads the data set, or the images, or the part of it of one of ranks.
func (s Source) Read(ctx context.Context, p *cli.Program, ranks *comm.Comm, o files.Options) (*dataset.Dataset, error) {
	if s.Name != "" {
		return readData(ctx, p, ranks, s.Name, o)
	}
	o.Threads, o.Ranks = parallel.Threads(ctx), dataset.NewRanks(ctx, ranks)
	if s.Images != nil {
		return files.ReadImages(s.Images, o)
	}
	o.Progress = p.Progress.Reading(fmt.Sprintf("%d files", len(s.Files)))
	return files.ReadFiles(s.Files, o)
}

// Again reads the data set without telling how far it is.
func (s Source) Again(o files.Options) (*dataset.Dataset, error) {
	switch {
	case s.Images != nil:
		return files.ReadImages(s.Images, o)
	case s.Files != nil:
		return files.ReadFiles(s.Files, o)
	}
	return files.ReadFile(s.Name, o)
}

// Paths returns the files of rows that were read from s.
func (s Source) Paths(rows dataset.Kept) []string {
	info, err := os.Stat(s.Name)
	below := err == nil && info.IsDir() // and named by their place in it
	paths := make([]string, len(rows.Rows))
	for i, row := range rows.Rows {
		if paths[i] = row[0]; below {
			paths[i] = filepath.Join(s.Name, filepath.FromSlash(row[0]))
		}
	}
	return paths
}

// Unnamed reports whether a path is that of an open file without a name, as other programs give it.
func Unnamed(path string) bool {
	return strings.HasPrefix(path, "/proc/self/fd/") || strings.HasPrefix(path, "/dev/fd/")
}

// SourceName returns the name of the data on a page.
func SourceName(name string) string {
	switch {
	case name == "-":
		return "standard input"
	case Unnamed(name):
		return "data of another program"
	}
	return filepath.Base(name)
}
