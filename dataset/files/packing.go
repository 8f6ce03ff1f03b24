package files

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/therootcompany/xz"
)

// packing is a way to compress a file, which its first bytes tell. The ending of its
// name is behind that of the format.
type packing struct {
	name, ending, magic string

	// unpack reads what raw holds, in memory that the source counts. Its error is one of reading.
	unpack func(s *source, raw *bufio.Reader) (text io.Reader, close func(), err error)

	// pack returns a writer whose Close leaves w open; nil where files are read alone. Output does not
	// depend on time or on the number of processors.
	pack func(w io.Writer) (io.WriteCloser, error)
}

// packings returns all ways to compress a file.
func packings() []packing {
	return []packing{
		{name: "gzip", ending: ".gz", magic: "\x1f\x8b",
			unpack: func(_ *source, raw *bufio.Reader) (io.Reader, func(), error) {
				z, err := gzip.NewReader(raw)
				return z, nil, err
			},
			pack: func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil },
		},
		{name: "zstd", ending: ".zst", magic: "\x28\xb5\x2f\xfd",
			unpack: unpackZstd,
			pack:   func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1)) },
		},
		{name: "bzip2", ending: ".bz2", magic: "BZh",
			unpack: func(s *source, raw *bufio.Reader) (io.Reader, func(), error) {
				const block = 9 * 100_000 * 4 // bytes of the decoder, for the largest blocks
				return bzip2.NewReader(raw), nil, s.Take(block, "what the bzip2 data keep of themselves")
			},
		},
		{name: "xz", ending: ".xz", magic: "\xfd7zXZ\x00",
			unpack: unpackXZ,
		},
	}
}

// packingOf returns the way in which data that begin with magic are compressed; false for none.
func packingOf(magic []byte) (packing, bool) {
	for _, p := range packings() {
		if bytes.HasPrefix(magic, []byte(p.magic)) {
			return p, true
		}
	}
	return packing{}, false
}

// packed returns the way in which a file is compressed by its name; false for none.
func packed(name string) (packing, bool) {
	name = strings.ToLower(name)
	for _, p := range packings() {
		if strings.HasSuffix(name, p.ending) {
			return p, true
		}
	}
	return packing{}, false
}

// Compression returns the ending of a file's name that tells how it is compressed, such as ".gz";
// "" for none.
func Compression(name string) string {
	p, _ := packed(name)
	return p.ending
}

// Packed returns the endings of names of compressed files, of those that are written or of all that are read.
func Packed(written bool) []string {
	var endings []string
	for _, p := range packings() {
		if !written || p.pack != nil {
			endings = append(endings, p.ending)
		}
	}
	return endings
}

const (
	maxWindow   = 1 << 27 // bytes of history that compressed data may ask for
	leastWindow = 1 << 20 // bytes of history that are not counted
	windows     = 2       // copies of the history while it is unpacked
)

// maxWindow returns how many bytes of history there is memory for.
func (s *source) maxWindow() uint64 {
	return uint64(min(max(s.Memory.Room()/windows, leastWindow), maxWindow))
}

func unpackZstd(s *source, raw *bufio.Reader) (io.Reader, func(), error) {
	window, err := s.window(raw)
	if err != nil {
		return nil, nil, err
	}
	z, err := zstd.NewReader(raw, zstd.WithDecoderMaxWindow(window), zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, nil, err
	}
	return z, z.Close, nil
}

// window returns how many bytes of history zstd data may ask for, and counts those that
// their first frame asks for.
func (s *source) window(raw *bufio.Reader) (uint64, error) {
	head, _ := raw.Peek(zstd.HeaderMaxSize) // an error comes again
	var frame zstd.Header
	if frame.Decode(head) != nil || frame.Skippable {
		return s.maxWindow(), nil // what is damaged is told when it is unpacked
	}
	if frame.SingleSegment {
		frame.WindowSize = frame.FrameContentSize
	}
	window := min(max(frame.WindowSize, leastWindow), maxWindow)
	if err := s.Take(int(windows*(window-leastWindow)), "what the zstd data keep of themselves"); err != nil {
		return 0, err
	}
	return window, nil
}

// unpackXZ allows all blocks the history that the first block asks for, which it counts.
// Source: "The .xz File Format" 1.2.1, 3.1 and 5.3.1.
func unpackXZ(s *source, raw *bufio.Reader) (io.Reader, func(), error) {
	const start, lzma2 = 12, "\x21\x01" // bytes of the stream's header; the filter with one byte of properties
	window := uint64(leastWindow)
	head, _ := raw.Peek(start + 1024) // an error comes again
	if len(head) > start {
		block := head[start:min(len(head), start+4*(int(head[start])+1))]
		if k := bytes.LastIndex(block, []byte(lzma2)); k >= 0 && k+2 < len(block) {
			bits := block[k+2] & 63
			window = max(window, uint64(2|bits&1)<<min(bits/2+11, 40))
		}
	}
	if window > maxWindow {
		return nil, nil, s.Errorf(0, 0, "the xz data ask for %d MiB of history, and %d MiB are allowed; pack the file again with xz -9 or less", window>>20, maxWindow>>20)
	}
	if err := s.Take(int(window-leastWindow), "what the xz data keep of themselves"); err != nil {
		return nil, nil, err
	}
	z, err := xz.NewReader(raw, uint32(window))
	return z, nil, err
}
