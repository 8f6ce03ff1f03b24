package describe

// Dots is the description by the dots themselves: those of the prepared picture, a plane for each colour.
const Dots = "dots"

// dots is how many dots a picture has, in all colours.
type dots int

func (d dots) numbers() int { return int(d) }

func (d dots) describe(dst, picture []float32) { copy(dst, picture) }
