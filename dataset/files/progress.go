package files

import "os"

// progressOfAll returns what is told of each of several files that are read one after another:
// how much of all has been read. It returns nil for each where the size of one is unknown.
func progressOfAll(paths []string, progress func(done, total int64)) []func(done, total int64) {
	each := make([]func(done, total int64), len(paths))
	if progress == nil {
		return each
	}
	before, all := make([]int64, len(paths)), int64(0)
	for k, path := range paths {
		info, err := os.Stat(fileOf(path))
		if err != nil || !info.Mode().IsRegular() {
			return each
		}
		before[k] = all
		all += info.Size()
	}
	for k := range paths {
		each[k] = func(done, _ int64) { progress(before[k]+done, all) }
	}
	return each
}
