package files

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"path"
	"strings"

	"github.com/klauspost/compress/flate"

	"lapsvm/dataset"
	"lapsvm/dataset/internal/quote"
)

const zipMagic = "PK\x03\x04"

// isZip reports whether the source is a zip archive, by its first bytes.
func (s *source) isZip() bool {
	head, _ := s.Peek(len(zipMagic)) // an error comes again
	return bytes.Equal(head, []byte(zipMagic))
}

// zip opens the source as an archive. The message says what is wrong where it is none, with one %v for the cause.
func (s *source) zip(message string) (*zip.Reader, error) {
	at, size, err := s.random()
	if err != nil {
		return nil, err
	}
	if err := s.takeDirectory(at, size); err != nil {
		return nil, err
	}
	archive, err := zip.NewReader(at, size)
	if err != nil {
		return nil, s.Damagedf(message, err)
	}
	archive.RegisterDecompressor(zip.Deflate, func(r io.Reader) io.ReadCloser {
		return flate.NewReader(bufio.NewReaderSize(r, 1<<16))
	})
	return archive, nil
}

// readArchive reads the file in a zip archive, or finds out which format the archive itself
// is: then there is no data set. Of several files it reads the wanted one, or the only one whose name tells
// a format.
func (s *source) readArchive(form *Format, o Options) (d *dataset.Dataset, inside bool, err error) {
	archive, err := s.zip("the zip archive is damaged or cut off (%v); fetch or write the file again")
	if err != nil {
		return nil, false, err
	}
	var names []string
	files := map[string]*zip.File{}
	for _, f := range archive.File {
		base := path.Base(f.Name)
		if strings.HasSuffix(f.Name, "/") || strings.HasPrefix(f.Name, "__MACOSX/") || strings.HasPrefix(base, ".") {
			continue
		}
		names, files[f.Name] = append(names, f.Name), f
	}
	if f, is := formatOfArchive(names); is && form.Name == "" {
		*form = f
		return nil, false, nil
	}
	if err := s.isOtherArchive(form.Name, names); err != nil {
		return nil, false, err
	}
	name, err := s.member(names)
	if err != nil {
		return nil, false, err
	}
	f := files[name]
	if f.Flags&1 != 0 {
		return nil, false, s.Errorf(0, 0, "%q in the archive is encrypted; unpack it first", name)
	}
	open, err := s.openMember(f)
	if errors.Is(err, zip.ErrAlgorithm) {
		return nil, false, s.Errorf(0, 0, "%q in the archive is compressed by method %d; pack it anew with zip, or unpack it", name, f.Method)
	}
	if err != nil {
		return nil, false, s.Errorf(0, 0, "%q in the archive cannot be read (%v); fetch or write the file again", name, err)
	}
	defer open.Close()
	if form.Name == "" {
		if known, err := FormatOf(name); err == nil {
			*form = known
		}
	}
	if form.Name != "" && !form.CanRead() {
		return nil, false, s.Errorf(0, 0, "%q in the archive is read from a folder; unpack the archive, and give the folder", name)
	}
	o.Budget, o.part = s.Memory, ""
	member := checkedReader{open, s, fmt.Sprintf("%s in the archive is damaged or cut off (%%v); fetch or write the file again", quote.Field([]byte(name)))}
	if d, err = read(member, fileOf(s.File)+"#"+name, form, o, s.extent, s.set); err != nil {
		return nil, false, err
	}
	var others []string
	for _, other := range names {
		if other != name {
			others = append(others, other)
		}
	}
	s.unread(d, "member", name, others)
	return d, true, nil
}

// formatOfArchive returns the format whose files are archives of files of these names; false where it is an archive of files of their own.
func formatOfArchive(names []string) (Format, bool) {
	for _, f := range Formats() {
		if f.inZip != nil && f.inZip(names) {
			return f, true
		}
	}
	return Format{}, false
}

// isOtherArchive refuses an archive that is a workbook, where it is called something else. Arrays may be among other files.
func (s *source) isOtherArchive(called string, names []string) error {
	if other, is := formatOfArchive(names); is && other.Table && called != "" && other.Name != called {
		return s.Errorf(0, 0, "is no %s, but %s by the files in it; rename it, or give %s", called, other.Name, dataset.Option{Name: "Format", Value: other.Name})
	}
	return nil
}

// namesIn returns the names of the files of an archive.
func namesIn(archive *zip.Reader) []string {
	names := make([]string, len(archive.File))
	for k, f := range archive.File {
		names[k] = f.Name
	}
	return names
}

// member returns the file of an archive that is wanted.
func (s *source) member(names []string) (string, error) {
	if s.part != "" {
		k, err := s.among("member", names)
		if err != nil {
			return "", err
		}
		return names[k], nil
	}
	var known []string
	for _, name := range names {
		if _, err := FormatOf(name); err == nil {
			known = append(known, name)
		}
	}
	switch {
	case len(names) == 0:
		return "", s.Errorf(0, 0, "the archive has no files; check how it was made")
	case len(names) == 1:
		return names[0], nil
	case len(known) == 1:
		return known[0], nil
	case len(known) == 0:
		known = names
	}
	return "", s.Errorf(0, 0, "the archive has %d files: %s; name one, as in %s", len(names), quote.Names(known), fmt.Sprintf("%q", fileOf(s.File)+"#"+known[0]))
}

// takeDirectory counts what the directory of a zip archive takes once it is read, whose
// size the end of the archive tells. What is damaged is told by its reader.
// Source: PKWARE, "APPNOTE.TXT", 4.3.14 and 4.3.16.
func (s *source) takeDirectory(at io.ReaderAt, size int64) error {
	const (
		record, record64 = 22, 56 // bytes of the end, without its comment; of that of large archives
		comment          = 1 << 16
		grown            = 8 // bytes in memory for one of the file
	)
	end := make([]byte, min(size, record+comment+record64+20))
	if _, err := at.ReadAt(end, size-int64(len(end))); err != nil {
		return nil
	}
	directory := uint64(0)
	if k := bytes.LastIndex(end, []byte("PK\x05\x06")); k >= 0 && len(end)-k >= record {
		directory = uint64(binary.LittleEndian.Uint32(end[k+12:]))
	}
	if k := bytes.LastIndex(end, []byte("PK\x06\x06")); k >= 0 && len(end)-k >= record64 {
		directory = max(directory&^math.MaxUint32, binary.LittleEndian.Uint64(end[k+40:]))
	}
	return s.Take(grown*int(min(directory, uint64(size))), "the directory of the archive")
}
