package tasks

import (
	"io"

	"lapsvm/dataset"
	"lapsvm/dataset/files"
)

// Read reads the labels that r has, as [ReadFile] reads those of a file.
func Read(r io.ReadSeeker, name, separator string, memory int64) (*File, error) {
	return read(r, name, separator, memory, func(o files.Options) (*dataset.Dataset, error) {
		if _, err := r.Seek(0, io.SeekStart); err != nil {
			return nil, err
		}
		if o.Format == "" {
			o.Format = files.CSV
		}
		return files.Read(r, name, o)
	})
}
