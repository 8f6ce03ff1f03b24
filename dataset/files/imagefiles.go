package files

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lapsvm/dataset"
	"lapsvm/internal/system/fault"
)

// FileColumn is the name of the column of [dataset.Kept] with the files of images.
const FileColumn = "file"

// imageFile is an image to be read.
type imageFile struct {
	path     string
	name     string // of its row
	class    string // where it is labelled
	labelled bool
}

// ReadImages reads image files, as [ReadFile] reads those of a folder, in their order.
// The names of the rows are the paths as they are given, and no row has a label. It
// panics where there are no paths. Of several ranks each returns its own rows.
func ReadImages(paths []string, o Options) (*dataset.Dataset, error) {
	if len(paths) == 0 {
		panic("files: no images to read")
	}
	all := make([]imageFile, len(paths))
	for i, path := range paths {
		all[i] = imageFile{path: path, name: path}
	}
	return o.wordVectors(readImageFiles(paths[0], all, o))
}

// readImages reads an image, or a folder of PNG, JPEG, GIF, BMP, TIFF and WebP files, told by
// the ends of their names; other files, and files and folders whose name begins with
// a dot, are left out. The name of a sub-folder is the class of all images below
// it; images in the folder itself and in the sub-folders unlabelled, unlabeled
// and _unlabelled have no label. Rows are sorted by path, and have the path in the
// folder, with slashes, as their name.
func readImages(path string, o Options) (*dataset.Dataset, error) {
	all, err := imagesOf(path, o)
	if _, err := o.Ranks.Settle(0, err); err != nil {
		return nil, err
	}
	return readImageFiles(path, all, o)
}

// imagesOf returns an image, or those of a folder which are not to be left out, as rows.
func imagesOf(path string, o Options) ([]imageFile, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, &dataset.Error{File: path, Msg: dataset.Messagef("there is no such image or folder of images; check the name and the folder"), Err: err}
	}
	if !info.IsDir() {
		return []imageFile{{path: path, name: path}}, nil
	}
	paths, err := ImagesBelow(path)
	if err != nil {
		return nil, err
	}
	if o.Skip != nil {
		paths = slices.DeleteFunc(paths, func(relative string) bool { return o.Skip(filepath.ToSlash(relative)) })
	}
	all := make([]imageFile, len(paths))
	for i, relative := range paths {
		all[i] = imageFile{path: filepath.Join(path, relative), name: filepath.ToSlash(relative)}
		class, _, below := strings.Cut(all[i].name, "/")
		if below && !slices.Contains(UnlabelledFolders(), class) {
			all[i].class, all[i].labelled = class, true
		}
	}
	return all, nil
}

// sameImages fails on all ranks where they have not found the same images, as on machines with
// folders of their own: rows would come twice, or never.
func (o Options) sameImages(place string, all []imageFile) error {
	hash := sha256.New()
	for _, f := range all {
		fmt.Fprintf(hash, "%q", f.name)
	}
	found, err := dataset.All(o.Ranks, hash.Sum(nil))
	if err != nil {
		return err
	}
	for _, other := range found {
		if !bytes.Equal(other, found[0]) {
			return &dataset.Error{File: place, Msg: dataset.Messagef("the ranks do not see the same images; give a folder that all machines share, or a whole copy on each")}
		}
	}
	return nil
}

// UnlabelledFolders returns the names of the folders whose images have no label.
func UnlabelledFolders() []string { return []string{"unlabelled", "unlabeled", "_unlabelled"} }

// nameImages makes a data set of the names and labels of images, without points, of the rows that
// the origin keeps; classes are those of all. With o.Keep the rows have their class beside their
// name, where any has one.
func nameImages(all []imageFile, origin *dataset.Origin, o Options) (*dataset.Dataset, error) {
	kept := dataset.Kept{Names: []string{FileColumn}}
	if o.Keep && slices.ContainsFunc(all, func(f imageFile) bool { return f.labelled }) {
		kept.Names = append(kept.Names, "label")
	}
	columns := []int{0, 1}[:len(kept.Names)]
	labels := dataset.NewLabels(origin, false, o.rules())
	for i, f := range all {
		add := labels.AddNone
		if f.labelled {
			add = func() error { return labels.Add([]byte(f.class)) }
		}
		if err := add(); err != nil {
			return nil, err
		}
		if !origin.Own.Has(i) {
			continue
		}
		if err := kept.Add(origin, [][]byte{[]byte(f.name), []byte(f.class)}, columns); err != nil {
			return nil, err
		}
	}
	set := &dataset.Dataset{Kept: kept}
	return set, labels.Finish(set)
}

// ImagesBelow returns the paths of the images below a folder that [ReadFile] reads,
// relative to it and sorted. It fails where there are none.
func ImagesBelow(folder string) ([]string, error) {
	root := folder
	if target, err := filepath.EvalSymlinks(folder); err == nil {
		root = target // a walk does not follow links
	}
	var paths []string
	others := 0
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return &dataset.Error{File: path, Msg: dataset.Messagef("cannot be read (%v); check the folder and its permissions", cause(err)), Err: err}
		}
		if path == root {
			return nil
		}
		hidden := strings.HasPrefix(entry.Name(), ".")
		switch {
		case entry.IsDir() && hidden:
			return filepath.SkipDir
		case entry.IsDir() || hidden:
			return nil
		}
		if !IsImage(path) {
			others++
			return nil
		}
		relative, err := filepath.Rel(root, path)
		paths = append(paths, relative)
		return err
	})
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, &dataset.Error{File: folder, Msg: dataset.Messagef("the folder holds no images (%d other files); give one of PNG, JPEG, GIF, BMP, TIFF or WebP files, with a sub-folder for each class", others)}
	}
	slices.Sort(paths)
	return paths, nil
}

// IsImage reports whether the name of a file is that of an image, of a kind that is read or not.
func IsImage(name string) bool {
	ending := strings.TrimPrefix(strings.ToLower(filepath.Ext(name)), ".")
	return slices.Contains(imagesFormat().Endings, ending) || readableKind(name) != nil
}

// readableKind fails for file names of image formats that are not supported.
func readableKind(path string) error {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".heic", ".heif", ".avif", ".jxl", ".jp2":
		return &dataset.Error{File: path, Msg: fault.Format.Messagef("images of this kind are not read; save it as PNG, JPEG, GIF, BMP, TIFF or WebP")}
	}
	return nil
}
