package compare

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lapsvm/dataset/files"
)

// Source is a possible data set below a folder.
type Source struct{ Name, Path string }

// Sources returns the possible data sets in a folder and below it: files with the
// ending of a known format, and folders of images with a sub-folder for each class.
// Hidden files and folders, and links to folders, are left out. The sources are
// sorted. Their names are their paths, without endings where that keeps them
// distinct.
func Sources(folder string) ([]Source, error) {
	paths, err := sources(folder)
	if err != nil {
		return nil, err
	}
	count := map[string]int{}
	for _, path := range paths {
		count[nameOf(folder, path)]++
	}
	var all []Source
	for _, path := range paths {
		name := nameOf(folder, path)
		if count[name] > 1 {
			name = relative(folder, path)
		}
		all = append(all, Source{name, path})
	}
	return all, nil
}

// sources returns the paths of possible data sets.
func sources(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var paths, folders []string
	classes := 0 // sub-folders of images
	for _, entry := range entries {
		path := filepath.Join(folder, entry.Name())
		switch {
		case strings.HasPrefix(entry.Name(), "."), isImage(entry.Name()):
		case entry.IsDir():
			if folders = append(folders, path); hasImages(path) {
				classes++
			}
		default:
			if _, err := files.FormatOf(path); err == nil {
				paths = append(paths, path)
			}
		}
	}
	if classes > 1 && len(paths) == 0 {
		return []string{folder}, nil
	}
	for _, path := range folders {
		below, err := sources(path)
		if err != nil {
			return nil, err
		}
		paths = append(paths, below...)
	}
	slices.Sort(paths)
	return paths, nil
}

// isImage reports whether a file is an image by its name. Such a file is a row of a
// data set.
func isImage(name string) bool {
	return slices.Contains([]string{".png", ".jpg", ".jpeg", ".gif", ".bmp", ".webp"}, strings.ToLower(filepath.Ext(name)))
}

// hasImages reports whether images lie in a folder itself.
func hasImages(folder string) bool {
	entries, err := os.ReadDir(folder)
	return err == nil && slices.ContainsFunc(entries, func(e os.DirEntry) bool { return !e.IsDir() && isImage(e.Name()) })
}

func relative(folder, path string) string {
	name, err := filepath.Rel(folder, path)
	if err != nil || name == "." {
		return filepath.Base(path)
	}
	return filepath.ToSlash(name)
}

// nameOf is the path below the folder without the endings of format and compression.
func nameOf(folder, path string) string {
	name := relative(folder, path)
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return name
	}
	for _, ending := range []string{".gz", ".zst"} {
		name = strings.TrimSuffix(name, ending)
	}
	return strings.TrimSuffix(name, filepath.Ext(name))
}
