package export

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"lapsvm/dataset"
	"lapsvm/internal/describe"
	"lapsvm/internal/machines/modelfile"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/system/fault"
	"lapsvm/points"
)

// Encoded returns the model of the points that lapsvm encode writes, which are encoded, described and
// scaled already. It shares the arrays of c. It fails for a mean of views, each of which sees other points.
func Encoded(c *modelfile.Contents) (*modelfile.Contents, error) {
	if err := train.OneView(1+len(c.Views), "each sees the rows as other points"); err != nil {
		return nil, err
	}
	of := *c
	if of.Encoding, of.Scaling = nil, (points.Scaling{}); of.Description != nil {
		of.Description, of.Features = nil, nil // its numbers have no names
	}
	return &of, nil
}

// Inputs returns the names of the inputs of an [ONNX] graph: those of the columns of a table, or points. It fails where
// ONNX does for the columns of a table.
func Inputs(c *modelfile.Contents) ([]string, error) {
	all, _, err := columns(c)
	switch {
	case err != nil:
		return nil, err
	case all == nil:
		return []string{pointsInput}, nil
	}
	names := make([]string, len(all))
	for k, column := range all {
		names[k] = column.input
	}
	return names, nil
}

// pointsInput is the input of points.
const pointsInput = "points"

// column is a column of a table that gives features.
type column struct {
	*dataset.Column
	place   int // in the table, from 1
	first   int // of its features
	reading dataset.Reading
	input   string // its name in the graph
}

// columns returns the columns that the features of a model are made of, and the model of these features alone. Where
// the features are the columns, or pixels of a picture, it returns no columns. It fails for columns that a graph cannot read.
func columns(c *modelfile.Contents) (all []column, of *modelfile.Contents, err error) {
	d, described := c.Description.(*describe.OfColumns)
	if !c.Encoding.Learnt() || !described && c.Description != nil {
		return nil, c, nil
	}
	model, counts := *c, slices.Repeat([]bool{true}, len(c.Encoding.Features()))
	if described && c.Views == nil {
		model.Description, counts = d.Needed()
	}
	var refused []string
	first := 0
	for k := range c.Encoding.Columns {
		of := &c.Encoding.Columns[k]
		width := of.Width()
		read := slices.Contains(counts[:width], true)
		if counts = counts[width:]; !read {
			continue
		}
		reading, err := c.Encoding.Reading(k)
		if err != nil {
			refused = append(refused, fmt.Sprintf("%q (%v)", of.Name, err))
			continue
		}
		all = append(all, column{Column: of, place: k + 1, first: first, reading: reading})
		first += width
	}
	if refused != nil {
		return nil, nil, fault.Errorf("an ONNX graph cannot read the columns %s: leave them out of the training, or export with %s a graph of the points that lapsvm encode MODEL DATA OUT writes", strings.Join(refused, ", "), fault.Option{In: "export", Name: "Encoded"})
	}
	nameInputs(all)
	return all, &model, nil
}

// nameInputs gives each column an input of its name, or of another name where that is one of an output, or none.
func nameInputs(all []column) {
	taken := map[string]bool{"": true, "scores": true, "value": true, "label": true, "labels": true, "probabilities": true}
	var others []*column
	for k := range all {
		if c := &all[k]; taken[c.Name] {
			others = append(others, c)
		} else {
			c.input, taken[c.Name] = c.Name, true
		}
	}
	for _, c := range others {
		c.input = cmp.Or(c.Name, "x"+strconv.Itoa(c.place))
		for taken[c.input] {
			c.input += "_column"
		}
		taken[c.input] = true
	}
}

// encoded adds the inputs of a table, one for each of its columns, and the features that these become, N×d. It
// returns the name of the features. Other values of the graph have a prefix from then on that no input has.
func (g *graph) encoded(all []column) string {
	for g.prefix = "graph_"; slices.ContainsFunc(all, func(c column) bool { return strings.HasPrefix(c.input, g.prefix) }); {
		g.prefix = "_" + g.prefix
	}
	var numbers, words, degrees []column
	for _, c := range all {
		switch {
		case c.reading.Fill == nil:
			g.inout(11, c.input, elementString, -1, 1)
			words = append(words, c)
			continue
		case c.Kind == dataset.Latitude, c.Kind == dataset.Longitude:
			degrees = append(degrees, c)
		default:
			numbers = append(numbers, c)
		}
		g.inout(11, c.input, g.element(), -1, int64(len(c.reading.Fill)))
	}
	var blocks []string
	var order []int // of the features in them
	add := func(block string, columns ...column) {
		for _, c := range columns {
			for k := range c.Width() {
				order = append(order, c.first+k)
			}
		}
		blocks = append(blocks, block)
	}
	if numbers != nil {
		add(g.within(g.filled(g.prefix+"numbers", numbers), numbers), numbers...)
	}
	if words != nil {
		add(g.words(g.prefix+"words", words), words...)
	}
	angles := make(map[string]string)
	for _, c := range degrees {
		angles[c.Name] = g.angle(c)
	}
	for _, c := range degrees {
		add(g.within(g.onSphere(c, angles), []column{c}), c)
	}
	g.node(g.prefix+"features", "Concat", blocks, attribute{"axis", 1})
	places := make([]int64, len(order))
	for at, feature := range order {
		places[feature] = int64(at)
	}
	g.integers(g.prefix+"places", places...)
	g.node(g.prefix+"encoded", "Gather", []string{g.prefix + "features", g.prefix + "places"}, attribute{"axis", 1})
	return g.prefix + "encoded"
}

// filled adds out, columns of numbers side by side with what stands for missing ones, and returns out.
func (g *graph) filled(out string, columns []column) string {
	var inputs []string
	var fill []float64
	for _, c := range columns {
		inputs, fill = append(inputs, c.input), append(fill, c.reading.Fill...)
	}
	g.node(out+"_given", "Concat", inputs, attribute{"axis", 1})
	given := out + "_given"
	if g.element() != elementDouble {
		given = out + "_wide"
		g.cast(given, out+"_given", elementDouble)
	}
	g.numbers(out+"_fill", []int64{int64(len(fill))}, fill...)
	g.node(out+"_missing", "IsNaN", []string{given})
	g.node(out, "Where", []string{out + "_missing", out + "_fill", given})
	return out
}

// within adds the features x of columns as they are beside a text, and returns their name; x without one.
func (g *graph) within(x string, columns []column) string {
	var shift, width []float64
	for _, c := range columns {
		shift, width = append(shift, c.reading.Shift...), append(width, c.reading.Width...)
	}
	if shift == nil {
		return x
	}
	d := []int64{int64(len(shift))}
	g.numbers(x+"_low", d, shift...)
	g.numbers(x+"_width", d, width...)
	g.node(x+"_above", "Sub", []string{x, x + "_low"})
	g.node(x+"_within", "Div", []string{x + "_above", x + "_width"})
	return x + "_within"
}

// words adds out, the features of columns of words, and returns out: 1 where the place of a word in its column is that
// of the feature.
func (g *graph) words(out string, columns []column) string {
	g.learned = true
	var found []string
	var owners, features []int64 // of each feature: its column, and its place there
	for k, c := range columns {
		words := slices.Sorted(maps.Keys(c.reading.Places))
		places := make([]int64, len(words))
		for j, word := range words {
			places[j] = int64(c.reading.Places[word])
		}
		name := out + "_" + strconv.Itoa(k)
		g.node(name, "LabelEncoder", []string{c.input}, attribute{"keys_strings", words}, attribute{"values_int64s", places}, attribute{"default_int64", c.reading.Other})
		found = append(found, name)
		for j := range c.Width() {
			owners, features = append(owners, int64(k)), append(features, int64(j))
		}
	}
	g.node(out+"_found", "Concat", found, attribute{"axis", 1})
	g.integers(out+"_owners", owners...)
	g.node(out+"_spread", "Gather", []string{out + "_found", out + "_owners"}, attribute{"axis", 1})
	g.integers(out+"_features", features...)
	g.node(out+"_are", "Equal", []string{out + "_spread", out + "_features"})
	g.cast(out, out+"_are", elementDouble)
	return out
}

// angle adds the degrees of a column as an angle, and returns its name.
func (g *graph) angle(c column) string {
	name := g.prefix + "angle_" + strconv.Itoa(c.place)
	g.numbers(name+"_degree", nil, math.Pi/180)
	g.node(name, "Mul", []string{g.filled(name+"_degrees", []column{c}), name + "_degree"})
	for _, operator := range []string{"Sin", "Cos"} {
		g.node(name+operator, operator, []string{name})
	}
	return name
}

// onSphere adds the coordinates of a latitude, or of a longitude, from the angles of the columns by their names, and
// returns their name.
func (g *graph) onSphere(c column, angles map[string]string) string {
	angle := angles[c.Name]
	if c.Kind == dataset.Latitude {
		return angle + "Sin"
	}
	for _, operator := range []string{"Cos", "Sin"} {
		g.node(angle+"_coordinate"+operator, "Mul", []string{angles[c.With] + "Cos", angle + operator})
	}
	g.node(angle+"_coordinates", "Concat", []string{angle + "_coordinateCos", angle + "_coordinateSin"}, attribute{"axis", 1})
	return angle + "_coordinates"
}
