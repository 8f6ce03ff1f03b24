package files

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/draw"
	"io"
	"math"

	"golang.org/x/image/tiff"
)

// Tags of TIFF and EXIF.
const (
	compressionTag = 259
	orientationTag = 274
	planesTag      = 284
)

// orientationOf returns how a viewer turns the picture of a file, from 1 (not at all) to 8, as its EXIF data say. They may be behind the picture.
// What is damaged counts as 1.
// Source: CIPA DC-008-2019 (Exif 2.32), 4.5.4 and 4.6.4; W3C, "Portable Network Graphics", 11.3.4.4; Google, "WebP Container Specification".
func orientationOf(r io.ReaderAt, kind string) int {
	block := section{r, 0, math.MaxInt64}
	switch kind {
	case "jpeg":
		block = exifOfJPEG(block)
	case "png":
		block = chunk(block, 8, "eXIf", func(at []byte) (string, int64, int64) {
			return string(at[4:]), int64(binary.BigEndian.Uint32(at)), 12
		})
	case "webp":
		block = chunk(block, 12, "EXIF", func(at []byte) (string, int64, int64) {
			size := int64(binary.LittleEndian.Uint32(at[4:]))
			return string(at[:4]), size, 8 + size&1
		})
	case "tiff":
	default:
		return 1
	}
	if string(block.bytes(0, len(exifMark))) == exifMark {
		block = block.part(int64(len(exifMark)), block.size-int64(len(exifMark)))
	}
	if v, found := tiffTag(block, orientationTag); found && 1 <= v && v <= 8 {
		return v
	}
	return 1
}

// section is a part of a file, of size 0 where there is none.
type section struct {
	file     io.ReaderAt
	at, size int64
}

// part returns a part of a section.
func (s section) part(at, size int64) section { return section{s.file, s.at + at, size} }

// bytes returns n bytes of a section, nil where it has fewer.
func (s section) bytes(at int64, n int) []byte {
	if at < 0 || at > s.size-int64(n) {
		return nil
	}
	b := make([]byte, n)
	if read, _ := s.file.ReadAt(b, s.at+at); read < n { // what is cut off has no orientation
		return nil
	}
	return b
}

const (
	exifMark   = "Exif\x00\x00"
	mostChunks = 1 << 17 // of a file, in which EXIF data are looked for
)

// exifOfJPEG returns the EXIF data of a JPEG file.
func exifOfJPEG(file section) section {
	at := int64(2)
	for range mostChunks {
		head := file.bytes(at, 4)
		if head == nil || head[0] != 0xff {
			break
		}
		if head[1] == 0xff { // fills up
			at++
			continue
		}
		size := int64(binary.BigEndian.Uint16(head[2:]))
		if head[1] == 0xda || size < 2 { // the picture begins
			break
		}
		if data := file.part(at+4, size-2); head[1] == 0xe1 && string(data.bytes(0, len(exifMark))) == exifMark {
			return data
		}
		at += 2 + size
	}
	return section{}
}

// chunk returns the data of a chunk of a file whose first begins at a byte. of reads the name, the size and what else a chunk has. The name comes
// behind the size in a PNG file, and before it in a WebP file: data are behind both.
func chunk(file section, at int64, name string, of func(at []byte) (name string, size, more int64)) section {
	for range mostChunks {
		head := file.bytes(at, 8)
		if head == nil {
			break
		}
		called, size, more := of(head)
		if called == name {
			return file.part(at+8, size)
		}
		at += size + more
	}
	return section{}
}

// tiffTag returns the first number of a tag in the first directory of TIFF data, of either byte order.
func tiffTag(data section, tag uint16) (v int, found bool) {
	var order binary.ByteOrder = binary.LittleEndian
	head := data.bytes(0, 8)
	switch {
	case bytes.HasPrefix(head, []byte("II*\x00")):
	case bytes.HasPrefix(head, []byte("MM\x00*")):
		order = binary.BigEndian
	default:
		return 0, false
	}
	const entry = 12 // bytes
	at := int64(order.Uint32(head[4:]))
	count := data.bytes(at, 2)
	if count == nil {
		return 0, false
	}
	for k := range int64(order.Uint16(count)) {
		e := data.bytes(at+2+entry*k, entry)
		if e == nil {
			return 0, false
		}
		if order.Uint16(e) == tag {
			const short, long = 3, 4
			switch order.Uint16(e[2:]) {
			case short:
				return int(order.Uint16(e[8:])), true
			case long:
				return int(order.Uint32(e[8:])), true
			}
			return 0, false
		}
	}
	return 0, false
}

// upright returns a picture as a viewer shows it, by its orientation. The dots are those of img where they stay in their places.
func upright(img image.Image, orientation int) image.Image {
	if orientation < 2 {
		return img
	}
	box := img.Bounds()
	w, h := box.Dx(), box.Dy()
	turned := orientation > 4
	size := image.Rect(0, 0, w, h)
	if turned {
		size = image.Rect(0, 0, h, w)
	}
	var out draw.Image
	switch img.(type) {
	case *image.Gray:
		out = image.NewGray(size)
	case *image.Gray16:
		out = image.NewGray16(size)
	case *image.RGBA64, *image.NRGBA64:
		out = image.NewNRGBA64(size)
	default:
		out = image.NewNRGBA(size)
	}
	for y := range h {
		for x := range w {
			tx, ty := x, y
			switch orientation {
			case 2:
				tx = w - 1 - x
			case 3:
				tx, ty = w-1-x, h-1-y
			case 4:
				ty = h - 1 - y
			case 5:
				tx, ty = y, x
			case 6:
				tx, ty = h-1-y, x
			case 7:
				tx, ty = h-1-y, w-1-x
			case 8:
				tx, ty = y, w-1-x
			}
			out.Set(tx, ty, img.At(box.Min.X+x, box.Min.Y+y))
		}
	}
	return out
}

// readableTIFF refuses the compressions of fax machines, of which the decoder makes negatives, and colours in planes, of which it takes one for all.
func readableTIFF(r io.ReaderAt) error {
	file := section{r, 0, math.MaxInt64}
	const first, last = 2, 4
	if v, found := tiffTag(file, compressionTag); found && first <= v && v <= last {
		return tiff.UnsupportedError("compression of fax machines")
	}
	const apart = 2
	if v, found := tiffTag(file, planesTag); found && v == apart {
		return tiff.UnsupportedError("colours in planes of their own")
	}
	return nil
}
