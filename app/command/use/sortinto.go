package use

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"lapsvm/app/answer"
	"lapsvm/app/command/cli"
	"lapsvm/app/command/input"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/internal/system/atomicfile"
	"lapsvm/internal/system/fault"
)

// sorting is predict's handling of the image files themselves.
type sorting struct {
	into string // folder with one for each label; "" to leave the images alone
	by   string // copy or link
}

func (s *sorting) register(flags *pflag.FlagSet) {
	flags.StringVar(&s.into, "sort-into", "", "folder to sort images into, each into a folder for its label; no file there is replaced, and none comes twice")
	cli.AddOneOf(flags, &s.by, "sort-by", "copy", "how images are sorted: copy, or link, which makes symbolic links", "copy", "link")
}

// check refuses to sort data that are no files, or into no folder.
func (s *sorting) check(data input.Source) error {
	switch {
	case s.into == "" && s.by != "copy":
		return cli.Usagef("--sort-by %s says how to sort, but not where: give --sort-into DIR too", s.by)
	case s.into != "" && within(data.Name, s.into):
		return cli.Usagef("--sort-into %s is in the folder whose images are sorted, which would have more of them each time: choose a folder outside of %s", s.into, data.Name)
	case s.into != "" && !data.IsImages():
		return cli.Usagef("--sort-into sorts images, and %s is neither one nor a folder of them; leave it out", data.First())
	}
	return nil
}

// sortImages puts the image at every path into the folder for its label.
func sortImages(ctx context.Context, p *cli.Program, paths []string, result answer.Predictions, r *predictRequest) error {
	p.Progress.Begin("sorting")
	names := folderNames(result.Classes)
	counts, err := r.sorting.sort(ctx, paths, result.Labels, names)
	p.Progress.Done()
	sum := 0
	for _, n := range counts {
		sum += n
	}
	if errors.Is(err, context.Canceled) {
		return cli.Interrupted(err, fmt.Sprintf("interrupted; the labels are written, and %d of %d images are sorted into %s", sum, len(paths), r.sorting.into))
	}
	if err != nil {
		return fmt.Errorf("the labels are written, and %d of %d images are sorted into %s: %w", sum, len(paths), r.sorting.into, err)
	}
	if r.output.Quiet {
		return nil
	}
	var parts []string
	for c, class := range result.Classes {
		part := fmt.Sprintf("%d %s", counts[c], input.Printable(class))
		if names[c] != class {
			part += " (in " + names[c] + ")"
		}
		parts = append(parts, part)
	}
	if n := counts[len(result.Classes)]; n > 0 {
		parts = append(parts, fmt.Sprintf("%d %s", n, outsideFolder()))
	}
	fmt.Fprintf(p.Errors(), "%s: %s: %s\n", r.sorting.into, cli.Count(sum, "image", "images"), strings.Join(parts, ", "))
	return nil
}

// outsideFolder is the name of the folder for images without a label, being outside
// of the one class.
func outsideFolder() string { return files.UnlabelledFolders()[0] }

// within reports whether a path is that of a folder, or lies below it.
func within(folder, path string) bool {
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return false
	}
	folder, errFolder := filepath.Abs(folder)
	path, errPath := filepath.Abs(path)
	relative, err := filepath.Rel(folder, path)
	return errors.Join(errFolder, errPath, err) == nil && filepath.IsLocal(relative)
}

// sort puts files into the folders of their labels, and returns how many of each label
// are there, those without a label last. A file gets a number where its name is
// taken: by another sorted file, or by a file of other content in the folder. One of the same content is the file itself, as it was sorted before.
func (s *sorting) sort(ctx context.Context, paths []string, labels []int, folders []string) (counts []int, err error) {
	counts = make([]int, len(folders)+1)
	next := make(map[string]int) // number by the name without one
	taken := make(map[string]bool)
	for i, path := range paths {
		if err := ctx.Err(); err != nil {
			return counts, err
		}
		c, folder := len(folders), outsideFolder()
		if labels[i] != dataset.Unlabelled {
			c, folder = labels[i], folders[labels[i]]
		}
		folder = filepath.Join(s.into, folder)
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return counts, fault.Errorf("the folder cannot be made (%w): check its name, its permissions and the space left", err)
		}
		wanted := filepath.Join(folder, filepath.Base(path))
		for {
			next[wanted]++
			to := numbered(wanted, next[wanted])
			if taken[to] {
				continue
			}
			err := s.put(ctx, path, to)
			if errors.Is(err, fs.ErrExist) && same(path, to) {
				err = nil
			}
			if err == nil {
				taken[to] = true
				break
			}
			if !errors.Is(err, fs.ErrExist) {
				return counts, err
			}
		}
		counts[c]++
	}
	return counts, nil
}

// same reports whether two files, or what links of their names lead to, have the same bytes.
func same(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	if errA != nil || errB != nil || !infoB.Mode().IsRegular() || infoA.Size() != infoB.Size() {
		return false
	}
	if os.SameFile(infoA, infoB) {
		return true
	}
	var whole [2][]byte
	for k, path := range []string{a, b} {
		f, err := os.Open(path)
		if err != nil {
			return false
		}
		defer f.Close()
		sum := sha256.New()
		if _, err := io.Copy(sum, f); err != nil {
			return false
		}
		whole[k] = sum.Sum(nil)
	}
	return bytes.Equal(whole[0], whole[1])
}

// numbered puts a number above 1 before the ending of a file's name.
func numbered(name string, number int) string {
	if number == 1 {
		return name
	}
	ending := filepath.Ext(name)
	return fmt.Sprintf("%s-%d%s", strings.TrimSuffix(name, ending), number, ending)
}

// put copies or links a file to where there is none.
func (s *sorting) put(ctx context.Context, from, to string) error {
	if s.by == "link" {
		target, err := filepath.Abs(from)
		if err != nil {
			return err
		}
		return os.Symlink(target, to)
	}
	f, err := os.Open(from)
	if err != nil {
		return err
	}
	defer f.Close()
	return atomicfile.WriteNew(to, func(w io.Writer) error {
		_, err := io.Copy(atomicfile.Until(ctx, w), f)
		return err
	})
}
