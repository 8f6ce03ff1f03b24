package files

import (
	"bufio"
	"encoding/binary"
	"image"
	"image/color"
	"io"
	"math"
	"sync"

	"lapsvm/dataset"
	"lapsvm/internal/system/size"
)

// imageRoom is the memory for images while they are decoded. As many are decoded at
// once as there is room for.
type imageRoom struct {
	all   int64
	mu    sync.Mutex
	freed sync.Cond
	left  int64
}

// newImageRoom takes what is left of the memory allowed, 0 meaning any, beside what
// the origin has counted. All of it may be used: images do not grow.
func newImageRoom(origin *dataset.Origin, allowed int64) *imageRoom {
	r := &imageRoom{all: math.MaxInt64}
	if allowed > 0 {
		r.all = allowed/2 + origin.Memory.Room()
	}
	r.left = r.all
	r.freed.L = &r.mu
	return r
}

// enter waits until there is room for the image at a path, which its header
// describes. An image for which there will never be room is an error.
func (r *imageRoom) enter(bytes int64, path string, header image.Config) error {
	if bytes > r.all {
		return &dataset.Error{File: path, Msg: dataset.Messagef("the image of %d×%d dots needs about %s of memory to be decoded, but %s are left of what may be used; scale it down, or allow more with %s",
			header.Width, header.Height, size.Text(bytes), size.Text(r.all), dataset.Option{Name: "Memory"})}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.left < bytes {
		r.freed.Wait()
	}
	r.left -= bytes
	return nil
}

// leave makes room for other images.
func (r *imageRoom) leave(bytes int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.left += bytes
	r.freed.Broadcast()
}

// isWhole reports whether a decoder keeps the parts of an image until it has all of
// them, or cannot be told not to: the coefficients of a progressive JPEG file, the
// passes of an interlaced PNG file. Source: ITU T.81, Annex B; W3C, "Portable Network
// Graphics", 11.2.2.
func isWhole(r io.Reader, kind string) bool {
	in := bufio.NewReader(r)
	switch kind {
	case "jpeg":
		return isProgressive(in)
	case "png":
		const interlace = 28 // place of the method
		head, err := in.Peek(interlace + 1)
		return err != nil || head[interlace] != 0
	}
	return kind == "webp"
}

// isProgressive is isWhole for a JPEG file.
func isProgressive(in *bufio.Reader) bool {
	if _, err := in.Discard(2); err != nil { // the mark at the start
		return true
	}
	for {
		var segment [4]byte // a mark, and the size of what follows it
		if _, err := io.ReadFull(in, segment[:]); err != nil || segment[0] != 0xff {
			return true
		}
		switch segment[1] {
		case 0xc0, 0xc1:
			return false
		case 0xc2:
			return true
		}
		length := int(binary.BigEndian.Uint16(segment[2:]))
		if _, err := in.Discard(max(length-2, 0)); err != nil {
			return true
		}
	}
}

// dotBytes is the most that a decoder takes for a dot of an image, whose header names
// the kind of file and the model of its colours; whole is that of isWhole.
func dotBytes(kind string, model color.Model, whole bool) int {
	dot := 4
	switch model {
	case color.GrayModel:
		dot = 1
	case color.Gray16Model:
		dot = 2
	case color.RGBA64Model, color.NRGBA64Model, color.CMYKModel: // of the last, planes beside the image
		dot = 8
	default:
		if _, palette := model.(color.Palette); palette {
			dot = 1
		}
	}
	switch {
	case !whole:
		return dot
	case kind == "jpeg":
		return 5 * dot // a coefficient has 4 bytes for each value
	}
	return 2 * dot
}
