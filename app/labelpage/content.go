package labelpage

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"strconv"
	"strings"

	"golang.org/x/image/draw"

	"lapsvm/dataset"
	"lapsvm/dataset/files"
)

// Kind is the form in which rows are shown.
type Kind string

// The kinds of rows.
const (
	Images  Kind = "image"
	Texts   Kind = "text"
	Tables  Kind = "table"
	Vectors Kind = "vector"
)

// Content is the contents of the rows. It is not changed once it is shown: data that grow have
// another.
type Content struct {
	Data    *dataset.Dataset
	Kind    Kind
	Columns []string   // of a table, without its labels
	Fields  [][]string // [row][column] as they are in the file; nil for images and vectors
	Text    int        // the column with the text, of Texts
	Names   []string   // what rows are called, nil where nothing names them
	Files   []string   // of images, nil where they are features alone
	Marks   []string   // of these, by which a Source knows them again; nil where there is none

	Table dataset.Kept // all columns of a table, to write it again
	Label int          // its column of labels, −1 for none

	gone   []bool   // rows whose contents are no longer in the data; nil for none
	hashes []string // what Hashes returned; nil before
}

// Len returns the number of rows.
func (c *Content) Len() int { return c.Data.Points.Len() }

// Gone reports whether the contents of a row are no longer in the data.
func (c *Content) Gone(row int) bool { return c.gone != nil && c.gone[row] }

// here returns the number of rows that are in the data.
func (c *Content) here() int {
	n := c.Len()
	for _, gone := range c.gone {
		if gone {
			n--
		}
	}
	return n
}

// Called returns the name of a row, "" for none.
func (c *Content) Called(row int) string {
	if c.Names == nil {
		return ""
	}
	return c.Names[row]
}

// matches reports whether something that a row shows contains text, whatever its case.
func (c *Content) matches(row int, lower string) bool {
	if strings.Contains(strings.ToLower(c.Called(row)), lower) || strconv.Itoa(row+1) == lower {
		return true
	}
	if c.Fields != nil {
		for _, field := range c.Fields[row] {
			if strings.Contains(strings.ToLower(field), lower) {
				return true
			}
		}
	}
	return false
}

// Limits of the sizes of shown contents.
const (
	mostDots   = 512  // of a side of a picture
	fewestDots = 96   // features are drawn larger up to about so many
	mostValues = 4096 // of a vector
)

// getImage gives the picture of a row: GET /api/image/ROW.png.
func (s *Server) getImage(w http.ResponseWriter, r *http.Request) {
	text, is := strings.CutSuffix(r.PathValue("name"), ".png")
	row, err := strconv.Atoi(text)
	if !is || err != nil || row < 1 || row > s.content().Len() || s.content().Kind != Images {
		refuse(w, http.StatusNotFound, "there is no such picture")
		return
	}
	picture, err := s.content().picture(r.Context(), s.room, row-1)
	if r.Context().Err() != nil {
		return // who asked has gone
	}
	if err != nil {
		refuse(w, http.StatusNotFound, err.Error())
		return
	}
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, picture); err != nil {
		refuse(w, http.StatusNotFound, err.Error())
		return
	}
	w.Header().Set("Content-Type", "image/png")
	w.Header().Set("Cache-Control", "private, max-age=600")
	_, _ = w.Write(b.Bytes())
}

// pictureRoom is the memory for files of images while they are decoded: it holds one of the largest
// that are read, 100 million dots of 8 bytes, or many small ones.
const pictureRoom = 1 << 30

// picture returns the image of a row: the image of its file, or a drawing of its features. The
// features are drawn where the file is no image any more or is too large.
func (c *Content) picture(ctx context.Context, room *files.ImageRoom, row int) (m image.Image, err error) {
	if c.Files != nil && !c.Gone(row) { // whose place another file may have
		if err = room.Decode(ctx, c.Files[row], func(whole image.Image) { m = small(whole) }); err == nil || ctx.Err() != nil {
			return m, err
		}
	}
	if c.Data.Image.None() {
		return nil, fmt.Errorf("row %d is no image", row+1)
	}
	return c.fromFeatures(row), nil
}

// small brings an image to at most mostDots a side. Transparent parts become white, as they are in features.
func small(m image.Image) image.Image {
	box := m.Bounds()
	side := max(box.Dx(), box.Dy(), mostDots)
	to := image.NewRGBA(image.Rect(0, 0, max(1, box.Dx()*mostDots/side), max(1, box.Dy()*mostDots/side)))
	draw.Draw(to, to.Bounds(), image.White, image.Point{}, draw.Src)
	if side == mostDots {
		draw.Draw(to, to.Bounds(), m, box.Min, draw.Over)
	} else {
		draw.ApproxBiLinear.Scale(to, to.Bounds(), m, box, draw.Over, nil)
	}
	return to
}

// fromFeatures draws an image of features, each dot as a square.
func (c *Content) fromFeatures(row int) image.Image {
	m := c.Data.Image
	values := make([]float64, c.Data.Points.Dim())
	c.Data.Points.CopyRow(values, row)
	times := max(1, fewestDots/max(m.Width, m.Height))
	channels := 1
	if m.Colour {
		channels = 3
	}
	level := func(v float64) uint8 { return uint8(255*min(max(v/m.Brightest(), 0), 1) + 0.5) }
	to := image.NewNRGBA(image.Rect(0, 0, m.Width*times, m.Height*times))
	for y := range m.Height * times {
		for x := range m.Width * times {
			at := ((y/times)*m.Width + x/times) * channels
			dot := to.Pix[to.PixOffset(x, y):]
			for k := range 3 {
				dot[k] = level(values[at+min(k, channels-1)])
			}
			dot[3] = 255
		}
	}
	return to
}

// field is a column of a row.
type field struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// fields returns the columns of a row, without its text, and of vectors the first numbers.
func (c *Content) fields(row int) []field {
	if c.Fields == nil {
		return nil
	}
	all := make([]field, 0, len(c.Columns))
	for k, name := range c.Columns {
		if c.Kind != Texts || k != c.Text {
			value := c.Fields[row][k]
			if c.Data.Encoding.IsVector(name) {
				value = beginning(value)
			}
			all = append(all, field{name, value})
		}
	}
	return all
}

// beginning returns a list of numbers, cut after the first few.
func beginning(list string) string {
	const longest = 60
	if len(list) <= longest {
		return list
	}
	at := strings.LastIndexAny(list[:longest], ", ;\n")
	return strings.TrimRight(list[:max(at, 0)], ", ;\n") + ", …]"
}

// values returns the features of a row that is a vector, at most mostValues of them.
func (c *Content) values(row int) []float64 {
	if c.Kind != Vectors {
		return nil
	}
	all := make([]float64, c.Data.Points.Dim())
	c.Data.Points.CopyRow(all, row)
	return all[:min(len(all), mostValues)]
}
