package command

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"

	"lapsvm"
	"lapsvm/internal/system/atomicfile"
)

// loadModel reads a model until ctx is done. An error of its file is an error of bad
// data.
func loadModel(ctx context.Context, path string) (*lapsvm.Model, error) {
	m, err := interruptible(ctx, func() (*lapsvm.Model, error) { return lapsvm.Load(path) })
	if err != nil {
		return nil, BadData(err)
	}
	return m, nil
}

// isModel reports whether a file, and no pipe, is a model.
func isModel(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	_, err := lapsvm.Load(path)
	return err == nil
}

// checksumOf returns the first 12 hexadecimal digits of the SHA-256 of the file that
// a write function writes.
func checksumOf(write func(io.Writer) error) (string, error) {
	sum := sha256.New()
	if err := write(sum); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil))[:12], nil
}

// checksumOfFile returns the checksum of a file, and "" for a pipe, because a pipe
// can be read only once.
func checksumOfFile(ctx context.Context, path string) (string, error) {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return "", err
	}
	return checksumOf(func(w io.Writer) error {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = io.Copy(atomicfile.Until(ctx, w), f)
		return err
	})
}
