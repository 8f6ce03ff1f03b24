package main

import (
	"archive/tar"
	"archive/zip"
	"compress/flate"
	"compress/gzip"
	"io"
	"time"
)

// mode is the permissions of a file.
func (e entry) mode() int64 {
	if e.program {
		return 0o755
	}
	return 0o644
}

// writeTar writes files into a compressed archive, below a folder, all with one time and
// of nobody.
func writeTar(w io.Writer, below string, entries []entry, at time.Time) error {
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	a := tar.NewWriter(z)
	for _, e := range entries {
		h := &tar.Header{Typeflag: tar.TypeReg, Name: below + "/" + e.path, Mode: e.mode(), Size: int64(len(e.data)), ModTime: at, Format: tar.FormatPAX}
		if err := a.WriteHeader(h); err != nil {
			return err
		}
		if _, err := a.Write(e.data); err != nil {
			return err
		}
	}
	if err := a.Close(); err != nil {
		return err
	}
	return z.Close()
}

// writeZip writes files as writeTar does.
func writeZip(w io.Writer, below string, entries []entry, at time.Time) error {
	a := zip.NewWriter(w)
	a.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
	for _, e := range entries {
		h := &zip.FileHeader{Name: below + "/" + e.path, Method: zip.Deflate, Modified: at.UTC()}
		h.SetMode(0o644)
		if e.program {
			h.SetMode(0o755)
		}
		f, err := a.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := f.Write(e.data); err != nil {
			return err
		}
	}
	return a.Close()
}
