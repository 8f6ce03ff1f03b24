package files

import "image"

// lossyColours returns a lossy WebP picture in the colours that it means. Its values are of the limited range of television, where black is 16 and
// white 235; Go takes them for the full range of JPEG. Dots between those that have a colour get 9/16 of the nearest, 3/16 of the next ones and 1/16 of the
// farthest, and colours are computed in whole numbers, as libwebp does. Other pictures stay as they are.
// Source: Google, libwebp 1.3, src/dsp/yuv.h and src/dsp/upsampling.c; ITU-R BT.601.
func lossyColours(img image.Image) image.Image {
	var planes *image.YCbCr
	alpha := func(int, int) uint8 { return 255 }
	switch p := img.(type) {
	case *image.YCbCr:
		planes = p
	case *image.NYCbCrA:
		planes = &p.YCbCr
		alpha = func(x, y int) uint8 { return p.A[(y-p.Rect.Min.Y)*p.AStride+x-p.Rect.Min.X] }
	}
	if planes == nil || planes.SubsampleRatio != image.YCbCrSubsampleRatio420 {
		return img
	}
	box := planes.Rect
	w, h := box.Dx(), box.Dy()
	across, down := (w+1)/2, (h+1)/2
	out := image.NewNRGBA(image.Rect(0, 0, w, h))
	between := func(plane []uint8, x, y int) int {
		near := func(k, n int) (at, next int) {
			at = k / 2
			if next = at - 1 + 2*(k&1); next < 0 || next >= n {
				next = at
			}
			return at, next
		}
		cx, nx := near(x, across)
		cy, ny := near(y, down)
		at := func(x, y int) int { return int(plane[y*planes.CStride+x]) }
		a, b, c, d := at(cx, cy), at(nx, cy), at(cx, ny), at(nx, ny)
		switch {
		case nx == cx && ny == cy:
			return a
		case nx == cx:
			return (3*a + c + 2) / 4
		case ny == cy:
			return (3*a + b + 2) / 4
		}
		diagonal := (a + b + c + d + 8 + 2*(b+c)) >> 3
		return (diagonal + a) >> 1
	}
	for y := range h {
		for x := range w {
			luma := int(planes.Y[y*planes.YStride+x]) * 19077 >> 8
			u, v := between(planes.Cb, x, y), between(planes.Cr, x, y)
			dot := out.Pix[out.PixOffset(x, y):]
			dot[0] = eightBits(luma + v*26149>>8 - 14234)
			dot[1] = eightBits(luma - u*6419>>8 - v*13320>>8 + 8708)
			dot[2] = eightBits(luma + u*33050>>8 - 17685)
			dot[3] = alpha(box.Min.X+x, box.Min.Y+y)
		}
	}
	return out
}

// eightBits brings a value of 64 times the unit to 0…255.
func eightBits(v int) uint8 { return uint8(min(max(v>>6, 0), 255)) }
