package labelling

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"lapsvm/app/command/cli"
	"lapsvm/app/command/input"
	"lapsvm/app/labelpage"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
)

// labelSource is DATA of label, which is looked at while the page is open.
type labelSource struct {
	name  string
	p     *cli.Program
	flags *input.DataFlags  // by which it is read as it was first
	width int               // columns of the points
	mark  string            // from before it was read
	first map[string]string // size and time of every file then
	left  map[string]string // those of images that could not be read
}

// begin records the state of DATA before it is read. It refuses files that cannot be opened again,
// such as a pipe; other errors are left to reading.
func (s *labelSource) begin() error {
	var err error
	if s.first, err = s.files(); errors.As(err, new(notAgain)) {
		return cli.BadData(err)
	}
	s.mark, _, _ = s.look()
	return nil
}

// notAgain is the error for a file that cannot be read a second time. Even to open a pipe may take for ever, while
// nobody writes to it.
type notAgain struct{ path string }

func (e notAgain) Error() string {
	return e.path + " is a pipe or a device, but label reads its data again later: write the data to a file, and give that"
}

// as has later reads be by the columns of content, which was read by flags.
func (s *labelSource) as(flags *input.DataFlags, content *labelpage.Content) {
	s.flags, s.width = flags.Like(content.Data), content.Data.Points.Dim()
	markFiles(content, s.first)
	s.leave(s.first, nil, content.Files)
}

// markFiles notes the size and time of the files of content.
func markFiles(content *labelpage.Content, files map[string]string) {
	for _, path := range content.Files {
		content.Marks = append(content.Marks, files[path])
	}
}

// leave notes the images among all files that are neither known nor were read:
// they are read again once they have changed. It does nothing where the data are no images.
func (s *labelSource) leave(all map[string]string, known map[string]bool, read []string) {
	if known == nil && read == nil {
		return
	}
	s.left = maps.Clone(all)
	for _, path := range read {
		delete(s.left, path)
	}
	maps.DeleteFunc(s.left, func(path, _ string) bool { return known[path] })
}

// watched returns the source as the page looks at it.
func (s *labelSource) watched() labelpage.Source {
	return labelpage.Source{Look: s.look, Read: s.read, Mark: s.mark, Called: input.SourceName(s.name), Words: driftWarnings}
}

// files returns the size and time of every file of DATA.
func (s *labelSource) files() (map[string]string, error) {
	from, err := input.NewSource([]string{s.name})
	if err != nil {
		return nil, err
	}
	paths := slices.Concat(from.Images, from.Files)
	if from.Name != "" {
		paths = []string{from.Name}
	}
	if info, err := os.Stat(from.Name); err == nil && info.IsDir() {
		if paths, err = files.ImagesBelow(from.Name); err != nil {
			return nil, err
		}
		for i := range paths {
			paths[i] = filepath.Join(from.Name, paths[i])
		}
	}
	all := make(map[string]string, len(paths))
	for _, path := range paths {
		path, _ = files.Locate(path)
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		if !info.Mode().IsRegular() {
			return nil, notAgain{path}
		}
		all[path] = fmt.Sprint(info.Size(), " ", info.ModTime().UnixNano())
	}
	return all, nil
}

// look returns a mark of the files, and whether the last of them is lines of which the last has no end.
func (s *labelSource) look() (mark string, unfinished bool, err error) {
	all, err := s.files()
	if err != nil {
		return "", false, err
	}
	sum := sha256.New()
	paths := slices.Sorted(maps.Keys(all))
	for _, path := range paths {
		fmt.Fprintf(sum, "%q %s\n", path, all[path])
	}
	return string(sum.Sum(nil)), endsWithinLine(paths[len(paths)-1]), nil
}

// endsWithinLine reports whether a file is one of lines and does not end with one.
func endsWithinLine(path string) bool {
	form, err := files.FormatOf(path)
	if err != nil || !slices.Contains([]string{files.CSV, files.TSV, files.JSONL, files.SVM}, form.Name) {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	last := make([]byte, 1)
	if _, err := f.Seek(-1, io.SeekEnd); err != nil {
		return false
	}
	_, err = f.Read(last)
	return err == nil && last[0] != '\n'
}

// read reads DATA again; of a folder of images it reads the new and changed ones.
func (s *labelSource) read(ctx context.Context, now *labelpage.Content) (read *labelpage.Content, kept []int, err error) {
	from, err := input.NewSource([]string{s.name})
	if err != nil {
		return nil, nil, err
	}
	o, err := s.flags.OptionsFor(ctx, s.p, from)
	if err != nil {
		return nil, nil, err
	}
	if len(o.Columns) == 0 && !o.Encoding.Learnt() {
		o.Features = s.width
	}
	o.Threads = max(1, runtime.GOMAXPROCS(0)/2)
	all, err := s.files()
	if err != nil {
		return nil, nil, err
	}
	var here map[string]bool // images that stay
	if now.Files != nil {
		known := make(map[string]bool)
		for row, path := range now.Files {
			if !now.Gone(row) && all[path] != "" && all[path] == now.Marks[row] {
				known[path], kept = true, append(kept, row)
			}
		}
		here = maps.Clone(known)
		for path, mark := range s.left {
			if all[path] == mark {
				known[path] = true
			}
		}
		if len(known) == len(all) {
			return nil, kept, nil
		}
		from.Images = slices.DeleteFunc(from.Images, func(path string) bool { return known[path] })
		o.Skip = func(name string) bool { return known[filepath.Join(s.name, filepath.FromSlash(name))] }
	}
	d, err := cli.Interruptible(ctx, func() (*dataset.Dataset, error) { return from.Again(o) })
	if err != nil {
		return nil, nil, err
	}
	if now.Files == nil {
		return labelpage.NewContent(d, nil, s.flags.ID), nil, nil
	}
	read = labelpage.NewContent(d, from.Paths(d.Kept), s.flags.ID)
	markFiles(read, all)
	s.leave(all, here, read.Files)
	return read, kept, nil
}
