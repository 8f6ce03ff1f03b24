package main

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
)

// licences gathers the licences of the modules that programs are linked from, and of Go.
func (r *release) licences(ctx context.Context, infos []*debug.BuildInfo) (string, error) {
	var names []string // module@version
	for _, info := range infos {
		for _, m := range info.Deps {
			if m.Replace != nil {
				m = m.Replace
			}
			names = append(names, m.Path+"@"+m.Version)
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	folders, err := r.output(ctx, "go", append([]string{"list", "-m", "-f", "{{.Path}}@{{.Version}}\t{{.Dir}}"}, modulePaths(names)...)...)
	if err != nil {
		return "", err
	}
	goFolder, err := r.output(ctx, "go", "env", "GOROOT")
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("lapsvm is linked from Go's library and these modules, whose licences follow:\n\n    " + strings.Join(names, "\n    ") + "\n")
	where := []string{infos[0].GoVersion + "\t" + goFolder}
	for line := range strings.Lines(folders) {
		where = append(where, strings.TrimSpace(line))
	}
	for _, line := range where {
		name, folder, _ := strings.Cut(line, "\t")
		files, err := licenceFiles(folder)
		if err != nil {
			return "", err
		}
		if len(files) == 0 {
			return "", fmt.Errorf("%s states no licence in %s: ask whether it may be passed on, or do without it", name, filepath.Clean(folder))
		}
		for _, f := range files {
			fmt.Fprintf(&b, "\n%s\n%s: %s\n\n%s\n", strings.Repeat("=", 80), name, f.path, strings.TrimSpace(string(f.data)))
		}
	}
	return b.String(), nil
}

// modulePaths are module@version without the versions, which the module's own file has.
func modulePaths(names []string) []string {
	paths := make([]string, len(names))
	for k, name := range names {
		paths[k], _, _ = strings.Cut(name, "@")
	}
	return paths
}
