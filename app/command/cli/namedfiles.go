package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"lapsvm"
	"lapsvm/dataset/files"
	"lapsvm/internal/system/atomicfile"
)

// use describes the use that a command makes of a named file.
type use struct {
	writes  bool
	streams bool     // "-" writes to standard output
	perhaps bool     // it is written where that turns out to be needed
	folder  bool     // it is a folder; one that is written to is made
	endings []string // of its name, without the dot
	words   []string // in place of a name
}

// The endings of files, by content.
func dataEndings() []string  { return append(FormatEnds(AnyFormat), "gz", "zst") }
func modelEndings() []string { return []string{"lapsvm"} }

// argumentUse returns the use that a command makes of argument k, and the argument's name. Its usage
// has the names. ok is false where the argument is no file.
func argumentUse(c *cobra.Command, k int) (u use, name string, ok bool) {
	names := strings.Fields(c.Use)[1:]
	if end := slices.IndexFunc(names, func(name string) bool { return strings.ContainsAny(name[:1], "-[") }); end >= 0 {
		names = names[:end] // flags
	}
	if last := len(names) - 1; last >= 0 && strings.HasSuffix(names[last], "...") {
		k = min(k, last)
	}
	if k >= len(names) {
		return use{}, "", false
	}
	name = strings.TrimSuffix(names[k], "...")
	switch name {
	case "DATA", "IMAGES":
		u.endings = dataEndings()
	case "MODEL":
		u.endings = modelEndings()
	case "OUT":
		u.writes, u.streams = true, c.Name() == "convert"
	case "DIR":
		u.folder = true
	default:
		return use{}, "", false
	}
	return u, name, true
}

// flagUse returns the use that a command makes of the file named by a flag. ok is
// false where the flag names no file.
func flagUse(command, flag string) (u use, ok bool) {
	reads := func(endings ...string) (use, bool) { return use{endings: endings}, true }
	writes := func(endings ...string) (use, bool) { return use{writes: true, endings: endings}, true }
	results := func() (use, bool) {
		return use{writes: true, streams: true, endings: FormatEnds(files.Format.CanWriteSeries)}, true
	}
	switch flag {
	case "config":
		return reads("toml")
	case "import":
		return reads("csv")
	case "token-file":
		return reads()
	case "tls-cert", "tls-key":
		return reads("pem", "crt", "key")
	case "store":
		return use{endings: []string{"db"}}, true // written in its own way, which tells what is wrong
	case "report":
		return writes("html")
	case "transduction":
		return results()
	case "drift":
		return writes("json", "html")
	case "svg", "csv":
		return writes(flag)
	case "labels":
		return reads(append(dataEndings(), "db")...)
	case "edges":
		return reads(append(dataEndings(), "mtx")...)
	case "validation", "test":
		return reads(dataEndings()...)
	case "class-weight":
		return use{endings: []string{"tsv", "csv", "txt"}, words: []string{string(lapsvm.BalancedWeights)}}, true
	case "embed":
		return reads("onnx")
	case "onnxruntime":
		return reads()
	case "word-vectors":
		return reads("txt", "vec")
	case "against":
		return reads("json")
	case "recipe":
		return reads(append(modelEndings(), "json")...)
	case "keep":
		return use{writes: true, folder: true}, command == "demo"
	case "sort-into", "checkpoint", "embed-cache":
		return use{writes: true, folder: true}, true
	case "data":
		if command == "demo" {
			return writes(FormatEnds(files.Format.CanWrite)...)
		}
		return use{folder: true}, true
	case "output":
		switch command {
		case "train":
			return writes(modelEndings()...)
		case "predict", "suggest", "audit":
			return results()
		case "demo":
			return writes("svg", "png")
		case "benchmark":
			return writes("md", "csv")
		}
		return use{writes: true, folder: true}, true
	}
	return use{}, false
}

// namedFile is a file of a command line.
type namedFile struct {
	use
	name string // of the argument or flag
	path string
}

// namedFiles returns the files of a command line; "-" is none. The files that OUT gets perhaps have
// its name and the endings beside.
func namedFiles(c *cobra.Command, args, beside []string) []namedFile {
	var all []namedFile
	for k, arg := range args {
		u, name, isFile := argumentUse(c, k)
		if !isFile || arg == "-" {
			continue
		}
		for _, path := range Expand(arg) {
			all = append(all, namedFile{u, name, path})
		}
		if u.writes {
			for _, ending := range beside {
				all = append(all, namedFile{use{writes: true, perhaps: true}, name + ending, arg + ending})
			}
		}
	}
	c.Flags().VisitAll(func(f *pflag.Flag) {
		u, isFile := flagUse(c.Name(), f.Name)
		if path := f.Value.String(); isFile && path != "" && path != "-" && !slices.Contains(u.words, path) {
			all = append(all, namedFile{u, "--" + f.Name, path})
		}
	})
	return all
}

// Expand returns the files that match a pattern, in alphabetical order. Other names are
// returned as they are.
func Expand(name string) []string {
	if file, _ := files.Locate(name); file != name {
		return []string{name}
	}
	if _, err := os.Lstat(name); err == nil || !strings.ContainsAny(name, "*?[") {
		return []string{name}
	}
	found, err := filepath.Glob(name)
	if err != nil {
		return nil
	}
	slices.Sort(found)
	return found
}

// noStream returns what is to be written to "-" and cannot be, "" for nothing.
func noStream(c *cobra.Command, args []string) (name string) {
	for k, arg := range args {
		if u, called, isFile := argumentUse(c, k); isFile && arg == "-" && u.writes && !u.streams {
			return called
		}
	}
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if u, isFile := flagUse(c.Name(), f.Name); isFile && f.Value.String() == "-" && u.writes && !u.streams {
			name = "--" + f.Name
		}
	})
	return name
}

// checkFiles refuses a command line that would replace one of its own files or write
// to an unwritable place. It runs before anything is read.
func (p *Program) checkFiles(c *cobra.Command, args, beside []string) error {
	if name := noStream(c, args); name != "" {
		return Usagef("%s is not written to standard output: name a file; one called - is ./-", name)
	}
	all := namedFiles(c, args, beside)
	places := make([]place, len(all))
	for k, f := range all {
		file, _ := files.Locate(f.path)
		places[k] = placeOf(file)
	}
	if f, ok := p.Stdin.(*os.File); ok && len(args) > 0 && args[len(args)-1] == "-" {
		if info, err := f.Stat(); err == nil {
			all, places = append(all, namedFile{name: "standard input"}), append(places, place{file: info})
		}
	}
	for k, out := range all {
		if !out.writes || out.folder {
			continue
		}
		for j, other := range all {
			switch {
			case j == k || other.folder || !places[j].is(places[k]):
			case !other.writes:
				return Usagef("%s %s would replace %s, which is the same file: give it another name", out.name, out.path, strings.TrimSpace(other.name+" "+other.path))
			default:
				return Usagef("%s and %s are the same file, %s: give one of them another name", all[min(j, k)].name, all[max(j, k)].name, out.path)
			}
		}
	}
	for _, out := range all {
		switch {
		case !out.writes || out.perhaps:
		case out.folder:
			if err := checkFolder(out.path); err != nil {
				return usageError{err}
			}
		default:
			if err := atomicfile.Check(out.path); err != nil {
				return usageError{err}
			}
		}
	}
	return nil
}

// checkFolder returns the reason why no file can be written into a folder; a missing
// folder would be made.
func checkFolder(path string) error {
	for above := filepath.Clean(path); ; above = filepath.Dir(above) {
		if _, err := os.Stat(above); err == nil || above == filepath.Dir(above) {
			return atomicfile.Check(filepath.Join(above, "lapsvm.check"))
		}
	}
}

// place is where a file is, or would be.
type place struct {
	file   fs.FileInfo // nil where there is none yet; then
	folder fs.FileInfo // it would be in this folder
	base   string      // by this name
}

func placeOf(path string) place {
	if info, err := os.Stat(path); err == nil {
		return place{file: info}
	}
	if target, err := atomicfile.Target(path); err == nil {
		path = target
	}
	folder, base := filepath.Split(path)
	info, err := os.Stat(filepath.Clean(folder + "."))
	if err != nil {
		return place{}
	}
	return place{folder: info, base: base}
}

// is reports whether two places are the same. Devices and pipes may be named more
// than once.
func (p place) is(q place) bool {
	if p.file != nil && q.file != nil {
		return p.file.Mode().IsRegular() && os.SameFile(p.file, q.file)
	}
	return p.folder != nil && q.folder != nil && os.SameFile(p.folder, q.folder) && p.base == q.base
}
