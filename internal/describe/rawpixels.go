package describe

// RawPixels is the description by the pixels themselves: those of the prepared picture, a plane for each colour.
const RawPixels = "dots"

// rawPixels is how many pixels a picture has, in all colours.
type rawPixels int

func (d rawPixels) numbers() int { return int(d) }

func (d rawPixels) describe(dst, picture []float32) { copy(dst, picture) }
