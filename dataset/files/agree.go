package files

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"os"

	"lapsvm/dataset"
)

// Ranks compare all bytes of a small file. Of a larger file they compare blocks that begin evenly
// spaced, and blocks on both sides of where the shares of two ranks meet. Bytes that differ
// between the blocks alone are not found: each rank reads its own share, and none knows
// the share of another.
const (
	comparedWhole  = 4 << 20 // bytes of a small file
	comparedBlocks = 256
	comparedBlock  = 4 << 10 // bytes
)

// seen is what a rank sees of a file.
type seen struct {
	Size int64  // −1 for a pipe or a device, −2 if there is no file
	Hash []byte // of what is compared
	Err  string // why it cannot be read
}

// agree fails on all ranks where they do not see the same files, as on machines with copies of
// their own: they would train on a mixture. Paths may differ, as what they hold counts. Cost: up
// to 4 MB of every file.
func (o Options) agree(paths []string) error {
	if o.Ranks == nil {
		return nil
	}
	all := append([]string(nil), paths...)
	for _, path := range paths {
		all = append(all, labelsBeside(path)...)
	}
	if o.WordVectors != "" {
		all = append(all, o.WordVectors)
	}
	own := make([]seen, len(all))
	for k, path := range all {
		own[k] = look(path, o.Ranks.Size())
	}
	views, err := dataset.All(o.Ranks, own)
	if err != nil {
		return err
	}
	for rank, its := range views {
		if len(its) != len(views[0]) {
			return &dataset.Error{File: paths[0], Msg: dataset.Messagef("rank %d reads %d files, rank 0 %d: %s", rank, len(its), len(views[0]), sameFiles)}
		}
		for k, s := range its {
			if differs := s.differs(views[0][k], rank); differs != "" {
				return &dataset.Error{File: all[k], Msg: dataset.Messagef("%s: %s", differs, sameFiles)}
			}
		}
	}
	return nil
}

const sameFiles = "give files on a folder that all machines share, or the same copies on each"

// differs tells how the view of a rank differs from that of rank 0, "" for equal ones.
func (s seen) differs(first seen, rank int) string {
	words := func(s seen) string {
		switch s.Size {
		case -2:
			return "no such file"
		case -1:
			return "a folder or a pipe"
		}
		return fmt.Sprintf("a file of %d bytes", s.Size)
	}
	switch {
	case s.Err != "":
		return fmt.Sprintf("rank %d cannot read it (%s)", rank, s.Err)
	case s.Size != first.Size:
		return fmt.Sprintf("rank %d sees %s, rank 0 %s", rank, words(s), words(first))
	case !bytes.Equal(s.Hash, first.Hash):
		return fmt.Sprintf("rank %d sees other bytes in it than rank 0, as many", rank)
	}
	return ""
}

// look returns what this rank sees of a file that so many share.
func look(path string, ranks int) seen {
	info, err := os.Stat(fileOf(path))
	switch {
	case err != nil:
		return seen{Size: -2} // reading says why
	case !info.Mode().IsRegular():
		return seen{Size: -1}
	}
	s := seen{Size: info.Size()}
	if s.Hash, err = hashOf(path, s.Size, ranks); err != nil {
		s.Err = cause(err).Error()
	}
	return s
}

// hashOf returns the hash of what is compared of a file.
func hashOf(path string, size int64, ranks int) ([]byte, error) {
	f, err := os.Open(fileOf(path))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	sum := sha256.New()
	if size <= comparedWhole {
		_, err := io.Copy(sum, io.NewSectionReader(f, 0, size))
		return sum.Sum(nil), err
	}
	at := func(k, parts int, before int64) int64 {
		return min(max(size/int64(parts)*int64(k)-before, 0), size-comparedBlock)
	}
	block := make([]byte, comparedBlock)
	add := func(at int64) {
		if err == nil {
			if _, err = f.ReadAt(block, at); err == nil {
				sum.Write(block)
			}
		}
	}
	for k := range comparedBlocks {
		add(at(k, comparedBlocks-1, 0))
	}
	for k := 1; k < ranks; k++ {
		add(at(k, ranks, comparedBlock))
		add(at(k, ranks, 0))
	}
	return sum.Sum(nil), err
}
