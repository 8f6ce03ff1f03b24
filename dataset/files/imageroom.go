package files

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"os"
	"sync"
	"time"

	"golang.org/x/image/tiff"

	"lapsvm/dataset"
	"lapsvm/internal/system/fault"
	"lapsvm/internal/system/size"
)

// ImageRoom is the memory for images while they are decoded. As many are decoded at
// once as there is room for. Its methods are safe for concurrent use.
type ImageRoom struct {
	all   int64
	mu    sync.Mutex
	freed sync.Cond
	left  int64
	share func(bytes int64) error // unless nil takes the place of all that
}

// NewImageRoom returns room of so many bytes.
func NewImageRoom(bytes int64) *ImageRoom {
	r := &ImageRoom{all: bytes, left: bytes}
	r.freed.L = &r.mu
	return r
}

// NewSharedImageRoom returns room that others use too. It calls share with what is about to be taken, and with less than nothing for what is given
// back. An error of share is that of [ImageRoom.Decode].
func NewSharedImageRoom(share func(bytes int64) error) *ImageRoom { return &ImageRoom{share: share} }

// newImageRoom takes what is left of the memory allowed, 0 meaning any, beside what
// the origin has counted. All of it may be used: images do not grow.
func newImageRoom(origin *dataset.Origin, allowed int64) *ImageRoom {
	if allowed <= 0 {
		return NewImageRoom(math.MaxInt64)
	}
	return NewImageRoom(allowed/2 + origin.Memory.Room())
}

// Decode decodes the image of a file and calls use with it, which must not keep it. It
// waits until there is room, by the size in the image's header, and gives the room back
// afterwards. It fails where the file is no image, or one for which there will never be
// room, and when ctx is done before there is room.
func (r *ImageRoom) Decode(ctx context.Context, path string, use func(image.Image)) error {
	fail := func(err error) error { return damaged(path, err) }
	if err := readableKind(path); err != nil {
		return err
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() { // opening a pipe may take for ever
		return fail(errors.New("it is no regular file"))
	}
	f, err := os.Open(path)
	if err != nil {
		return &dataset.Error{File: path, Msg: dataset.Messagef("cannot be opened (%v); check the file and its permissions", cause(err)), Err: err}
	}
	defer f.Close()
	return r.decode(ctx, path, f, use)
}

// seeker is the content of a file, on a disk or in memory.
type seeker interface {
	io.ReadSeeker
	io.ReaderAt
}

// decode is [ImageRoom.Decode] of a content that errors call by a path.
func (r *ImageRoom) decode(ctx context.Context, path string, f seeker, use func(image.Image)) error {
	fail := func(err error) error { return damaged(path, err) }
	config, kind, err := image.DecodeConfig(bufio.NewReader(f))
	if err != nil {
		return notRead(path, f, err)
	}
	if config.Width < 1 || config.Height < 1 || float64(config.Width)*float64(config.Height) > maxPixels {
		return &dataset.Error{File: path, Msg: dataset.Messagef("the image has %d×%d dots; scale it down to at most %.0f million", config.Width, config.Height, maxPixels/1e6)}
	}
	if _, err := f.Seek(0, 0); err != nil {
		return fail(err)
	}
	whole := isWhole(f, kind)
	if _, err := f.Seek(0, 0); err != nil {
		return fail(err)
	}
	if kind == "tiff" {
		if err := readableTIFF(f); err != nil {
			return notRead(path, f, err)
		}
	}
	orientation := orientationOf(f, kind)
	copies := 0
	if orientation > 1 || kind == "webp" { // is turned, or has its colours computed
		copies = 4
	}
	bytes := int64(config.Width) * int64(config.Height) * int64(dotBytes(kind, config.ColorModel, whole)+copies)
	if err := r.enter(ctx, bytes, path, config); err != nil {
		return err
	}
	defer r.leave(bytes)
	img, _, err := image.Decode(bufio.NewReader(&timed{ctx: ctx, r: f, end: time.Now().Add(decodingTime(config))}))
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, errDecodingTime) {
		return &dataset.Error{File: path, Msg: dataset.Messagef("the image takes longer than %.0f s to be decoded; save it again, as PNG or JPEG", decodingTime(config).Seconds()), Err: err}
	}
	if err != nil {
		return notRead(path, f, err)
	}
	if box := img.Bounds(); box.Empty() || box.Dx() > config.Width || box.Dy() > config.Height {
		return fail(fmt.Errorf("its size is %v after decoding", box))
	}
	switch kind {
	case "webp":
		img = lossyColours(img)
	case "gif":
		img = onScreen{img, image.Rect(0, 0, config.Width, config.Height)}.whole()
	}
	use(upright(img, orientation))
	return nil
}

// damaged is the error for a file that is no whole image.
func damaged(path string, err error) error {
	return &dataset.Error{File: path, Msg: fault.Damaged.Messagef("the image is damaged or no image (%v); remove or replace it", cause(err)), Err: err}
}

// notRead is the error for a file that a decoder refuses: the first bytes tell those of other kinds, which may be sound, from damaged ones.
// Source: ISO/IEC 23008-12, 10.2; Google, "WebP Container Specification".
func notRead(path string, f io.ReaderAt, err error) error {
	const animated = 2 // among the flags of WebP
	var head [21]byte
	n, _ := f.ReadAt(head[:], 0)
	what := ""
	var unsupported tiff.UnsupportedError
	switch begin := string(head[:n]); {
	case n == 0:
		return damaged(path, errors.New("the file is empty"))
	case len(begin) >= 12 && begin[4:8] == "ftyp":
		what = "HEIC, AVIF and films"
	case len(begin) == len(head) && begin[:4] == "RIFF" && begin[8:16] == "WEBPVP8X" && begin[20]&animated != 0:
		what = "animated WebP files"
	case errors.As(err, &unsupported):
		what = "TIFF files of this kind (" + string(unsupported) + ")"
	default:
		return damaged(path, err)
	}
	return &dataset.Error{File: path, Msg: fault.Format.Messagef("%s are not read; save the image as PNG or JPEG", what), Err: err}
}

// onScreen is a picture that covers a part of its screen, as the first of an animated GIF file may. What it does not cover is transparent.
type onScreen struct {
	image.Image
	screen image.Rectangle
}

// whole returns the picture itself where it covers its screen.
func (s onScreen) whole() image.Image {
	if s.Image.Bounds() == s.screen {
		return s.Image
	}
	return s
}

func (s onScreen) Bounds() image.Rectangle { return s.screen }

func (onScreen) ColorModel() color.Model { return color.NRGBAModel }

func (s onScreen) At(x, y int) color.Color {
	if (image.Point{X: x, Y: y}).In(s.Image.Bounds()) {
		return s.Image.At(x, y)
	}
	return color.NRGBA{}
}

// decodingTime is how long an image may take to be decoded: far longer than any that a program wrote takes.
func decodingTime(config image.Config) time.Duration {
	const least, dots = 10 * time.Second, 5e6 // and the dots of a further second
	return least + time.Duration(float64(config.Width)*float64(config.Height)/dots*float64(time.Second))
}

var errDecodingTime = errors.New("files: decoding takes too long")

// timed gives a decoder little at a time, and ends it when its time is over: a small file may ask for any number of passes over its dots.
type timed struct {
	ctx context.Context
	r   io.Reader
	end time.Time
}

func (t *timed) Read(p []byte) (int, error) {
	const most = 512 // bytes
	if err := t.ctx.Err(); err != nil {
		return 0, err
	}
	if time.Now().After(t.end) {
		return 0, errDecodingTime
	}
	return t.r.Read(p[:min(len(p), most)])
}

// enter waits until there is room for the image at a path, which its header
// describes. An image for which there will never be room is an error.
func (r *ImageRoom) enter(ctx context.Context, bytes int64, path string, header image.Config) error {
	if r.share != nil {
		return r.share(bytes)
	}
	if bytes > r.all {
		return &dataset.Error{File: path, Msg: dataset.Messagef("the image of %d×%d dots needs about %s of memory to be decoded, but %s are left of what may be used; scale it down, or allow more with %s",
			header.Width, header.Height, size.Text(bytes), size.Text(r.all), dataset.Option{Name: "Memory"}), Err: dataset.ErrMemory}
	}
	defer context.AfterFunc(ctx, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.freed.Broadcast()
	})()
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.left < bytes && ctx.Err() == nil {
		r.freed.Wait()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	r.left -= bytes
	return nil
}

// leave makes room for other images.
func (r *ImageRoom) leave(bytes int64) {
	if r.share != nil {
		_ = r.share(-bytes) // which there is room for
		return
	}
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
	return kind == "webp" || kind == "tiff"
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

// dotBytes returns the most bytes that a decoder takes for a dot of an image. kind and model are the
// kind of file and the colour model in its header; whole is the result of isWhole.
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
