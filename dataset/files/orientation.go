package files

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/draw"
	"io"

	"golang.org/x/image/tiff"
)

// exifSize is how many bytes of a file its orientation is looked for in; cameras write it at the beginning.
const exifSize = 1 << 20

// Tags of TIFF and EXIF.
const (
	compressionTag = 259
	orientationTag = 274
	planesTag      = 284
)

// orientationOf returns how a viewer turns the picture of a file, from 1 (not at all) to 8, as its EXIF data say. What is damaged counts as 1.
// Source: CIPA DC-008-2019 (Exif 2.32), 4.5.4 and 4.6.4; W3C, "Portable Network Graphics", 11.3.4.4; Google, "WebP Container Specification".
func orientationOf(r io.Reader, kind string) int {
	head, _ := io.ReadAll(io.LimitReader(r, exifSize)) // what is cut off has no orientation
	var block []byte
	switch kind {
	case "jpeg":
		block = exifOfJPEG(head)
	case "png":
		block = chunk(head, 8, "eXIf", func(at []byte) (string, int, int) {
			return string(at[4:8]), int(binary.BigEndian.Uint32(at)), 12
		})
	case "webp":
		block = chunk(head, 12, "EXIF", func(at []byte) (string, int, int) {
			size := int(binary.LittleEndian.Uint32(at[4:]))
			return string(at[:4]), size, 8 + size&1
		})
	case "tiff":
		block = head
	}
	if v, found := tiffTag(bytes.TrimPrefix(block, []byte("Exif\x00\x00")), orientationTag); found && 1 <= v && v <= 8 {
		return v
	}
	return 1
}

// exifOfJPEG returns the EXIF data of a JPEG file, nil where there are none.
func exifOfJPEG(head []byte) []byte {
	for at := 2; at+4 <= len(head) && head[at] == 0xff; {
		size := int(binary.BigEndian.Uint16(head[at+2:]))
		end := at + 2 + size
		switch {
		case head[at+1] == 0xff: // fills up
			at++
			continue
		case head[at+1] == 0xda || size < 2 || end > len(head): // the picture begins
			return nil
		case head[at+1] == 0xe1 && bytes.HasPrefix(head[at+4:end], []byte("Exif\x00\x00")):
			return head[at+4 : end]
		}
		at = end
	}
	return nil
}

// chunk returns the data of a chunk of a file whose first begins at a byte. of reads the name, the size and what else a chunk has. The name comes
// behind the size in a PNG file, and before it in a WebP file: data are behind both.
func chunk(head []byte, at int, name string, of func(at []byte) (name string, size, more int)) []byte {
	for at+8 <= len(head) {
		called, size, more := of(head[at:])
		if size < 0 || size > len(head)-at-8 {
			return nil
		}
		if called == name {
			return head[at+8 : at+8+size]
		}
		at += size + more
	}
	return nil
}

// tiffTag returns the first number of a tag in the first directory of TIFF data, of either byte order.
func tiffTag(data []byte, tag uint16) (v int, found bool) {
	if len(data) < 8 {
		return 0, false
	}
	var order binary.ByteOrder = binary.LittleEndian
	switch string(data[:4]) {
	case "II*\x00":
	case "MM\x00*":
		order = binary.BigEndian
	default:
		return 0, false
	}
	at := int64(order.Uint32(data[4:]))
	if at+2 > int64(len(data)) {
		return 0, false
	}
	entries := int64(order.Uint16(data[at:]))
	for k := range entries {
		entry := at + 2 + 12*k
		if entry+12 > int64(len(data)) {
			return 0, false
		}
		if e := data[entry:]; order.Uint16(e) == tag {
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
func readableTIFF(r io.ReadSeeker) error {
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return err
	}
	head, _ := io.ReadAll(io.LimitReader(r, exifSize))
	const first, last = 2, 4
	if v, found := tiffTag(head, compressionTag); found && first <= v && v <= last {
		return tiff.UnsupportedError("compression of fax machines")
	}
	const apart = 2
	if v, found := tiffTag(head, planesTag); found && v == apart {
		return tiff.UnsupportedError("colours in planes of their own")
	}
	_, err := r.Seek(0, io.SeekStart)
	return err
}
