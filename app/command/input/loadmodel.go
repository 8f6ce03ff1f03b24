package input

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"

	"lapsvm"
	"lapsvm/app/command/cli"
	"lapsvm/internal/system/atomicfile"
)

// LoadModel reads a model until ctx is done. An error of its file is an error of bad
// data.
func LoadModel(ctx context.Context, path string) (*lapsvm.Model, error) {
	m, err := cli.Interruptible(ctx, func() (*lapsvm.Model, error) { return lapsvm.Load(path) })
	if err != nil {
		return nil, cli.BadData(err)
	}
	return m, nil
}

// IsModel reports whether a file, and no pipe, is a model.
func IsModel(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	_, err := lapsvm.Load(path)
	return err == nil
}

// Checksum returns the first 12 hexadecimal digits of the SHA-256 of the file that
// a write function writes.
func Checksum(write func(io.Writer) error) (string, error) {
	sum := sha256.New()
	if err := write(sum); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil))[:12], nil
}

// FileChecksum returns the checksum of a file, and "" for a pipe, because a pipe
// can be read only once.
func FileChecksum(ctx context.Context, path string) (string, error) {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return "", err
	}
	return Checksum(func(w io.Writer) error {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = io.Copy(atomicfile.Until(ctx, w), f)
		return err
	})
}
