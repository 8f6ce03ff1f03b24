package files

import (
	"os"
	"strings"

	"lapsvm/dataset"
	"lapsvm/dataset/internal/quote"
)

// Locate splits the name of a part of a file, FILE#PART: a sheet of a workbook, a table of a database, a
// member of an archive or an array. A file whose own name has the sign is meant whole, and so is a
// name of which no file is there.
func Locate(name string) (file, part string) {
	k := strings.LastIndexByte(name, '#')
	if k <= 0 {
		return name, ""
	}
	if _, err := os.Lstat(name); err == nil {
		return name, ""
	}
	if _, err := os.Stat(name[:k]); err != nil {
		return name, ""
	}
	return name[:k], name[k+1:]
}

// fileOf returns the file of a name that may be FILE#PART.
func fileOf(name string) string {
	file, _ := Locate(name)
	return file
}

// takePart returns the wanted part of a file, or of one that has no parts an error.
func (s *source) takePart(form Format) error {
	if s.part == "" || form.parts != "" {
		return nil
	}
	return s.Errorf(0, 0, "there is no part %q: format %s has none; leave out what is behind the #", s.part, form.Name)
}

// among returns the wanted part of those of a file, whose names may differ from the wanted one in case alone. what
// names the parts, as in "sheet".
func (s *source) among(what string, parts []string) (int, error) {
	found := -1
	for k, name := range parts {
		switch {
		case name == s.part:
			return k, nil
		case strings.EqualFold(name, s.part):
			found = k
		}
	}
	if found < 0 {
		return 0, s.Errorf(0, 0, "there is no %s %q; there are %s", what, s.part, quote.Names(parts))
	}
	return found, nil
}

// unread notes what of a file was not read, where it has more of them than one.
func (s *source) unread(d *dataset.Dataset, what, read string, others []string) {
	if len(others) > 0 {
		s.note(d, dataset.Note{Message: dataset.Messagef("read the %s %s; not read: %s (FILE#NAME reads another)", what, read, quote.Names(others))})
	}
}
