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
	"lapsvm/internal/machines/modelfile"
	"lapsvm/points"
)

// Encoded returns the model of the points that lapsvm encode writes, which are encoded, described and
// scaled already. It shares the arrays of c.
func Encoded(c *modelfile.Contents) *modelfile.Contents {
	of := *c
	if of.Encoding, of.Scaling = nil, (points.Scaling{}); of.Description != nil {
		of.Description, of.Features = nil, nil // its numbers have no names
	}
	return &of
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
	reading dataset.Reading
	input   string // its name in the graph
}

// columns returns the columns that the features of a model are made of, and the model of these features alone. Where
// the features are the columns, or dots of a picture, it returns no columns. It fails for columns that a graph cannot read.
func columns(c *modelfile.Contents) (all []column, of *modelfile.Contents, err error) {
	d := c.Description
	if !c.Encoding.Learnt() || d != nil && d.Columns == 0 {
		return nil, c, nil
	}
	model, counts := *c, slices.Repeat([]bool{true}, len(c.Encoding.Features()))
	if d != nil {
		model.Description, counts = d.Needed()
	}
	var refused []string
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
		all = append(all, column{Column: of, place: k + 1, reading: reading})
	}
	if refused != nil {
		return nil, nil, fmt.Errorf("an ONNX graph cannot read the columns %s: leave them out of the training, or export with --encoded a graph of the points that lapsvm encode MODEL DATA OUT writes", strings.Join(refused, ", "))
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
	var parts, run []string     // run: columns of numbers side by side
	var reading dataset.Reading // of these
	numbers := func() {
		if run != nil {
			x := g.filled(g.prefix+"numbers_"+strconv.Itoa(len(parts)), run, reading.Fill)
			parts = append(parts, g.within(x, reading))
		}
		run, reading = nil, dataset.Reading{}
	}
	angles := g.angles(all)
	for k, c := range all {
		name, elements, width := g.prefix+"column_"+strconv.Itoa(k), g.element(), int64(len(c.reading.Fill))
		if c.reading.Fill == nil {
			elements, width = elementString, 1
		}
		g.inout(11, c.input, elements, -1, width)
		switch {
		case c.Kind == dataset.Latitude:
			numbers()
			parts = append(parts, g.within(g.turned(angles[c.Name], "Sin"), c.reading))
		case c.Kind == dataset.Longitude:
			numbers()
			around := g.turned(angles[c.With], "Cos")
			for _, operator := range []string{"Cos", "Sin"} {
				g.node(name+operator, "Mul", []string{around, g.turned(angles[c.Name], operator)})
			}
			g.node(name, "Concat", []string{name + "Cos", name + "Sin"}, attribute{"axis", 1})
			parts = append(parts, g.within(name, c.reading))
		case c.reading.Fill != nil:
			run, reading.Fill = append(run, c.input), append(reading.Fill, c.reading.Fill...)
			reading.Shift, reading.Width = append(reading.Shift, c.reading.Shift...), append(reading.Width, c.reading.Width...)
		default:
			numbers()
			parts = append(parts, g.word(name, c))
		}
	}
	numbers()
	g.node(g.prefix+"encoded", "Concat", parts, attribute{"axis", 1})
	return g.prefix + "encoded"
}

// filled adds out, columns of numbers side by side with what stands for missing ones, and returns out.
func (g *graph) filled(out string, inputs []string, fill []float64) string {
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

// within adds x as it is beside a text, and returns its name; x without one.
func (g *graph) within(x string, r dataset.Reading) string {
	if r.Shift == nil {
		return x
	}
	d := []int64{int64(len(r.Shift))}
	g.numbers(x+"_low", d, r.Shift...)
	g.numbers(x+"_width", d, r.Width...)
	g.node(x+"_above", "Sub", []string{x, x + "_low"})
	g.node(x+"_within", "Div", []string{x + "_above", x + "_width"})
	return x + "_within"
}

// word adds out, the features of a column of words, and returns out.
func (g *graph) word(out string, c column) string {
	words := slices.Sorted(maps.Keys(c.reading.Places))
	places := make([]int64, len(words))
	for k, word := range words {
		places[k] = int64(c.reading.Places[word])
	}
	g.learned = true
	g.node(out+"_place", "LabelEncoder", []string{c.input}, attribute{"keys_strings", words}, attribute{"values_int64s", places}, attribute{"default_int64", c.reading.Other})
	features := make([]int64, c.Width())
	for k := range features {
		features[k] = int64(k)
	}
	g.places(out+"_features", features, 1, len(features))
	g.node(out+"_is", "Equal", []string{out + "_place", out + "_features"})
	g.cast(out, out+"_is", elementDouble)
	return out
}

// angles adds the degrees of all places as angles, and returns their names by those of the columns.
func (g *graph) angles(all []column) map[string]string {
	names := make(map[string]string)
	for k, c := range all {
		if c.Kind != dataset.Latitude && c.Kind != dataset.Longitude {
			continue
		}
		name := g.prefix + "angle_" + strconv.Itoa(k)
		g.numbers(name+"_degree", nil, math.Pi/180)
		g.node(name, "Mul", []string{g.filled(name+"_degrees", []string{c.input}, c.reading.Fill), name + "_degree"})
		names[c.Name] = name
	}
	return names
}

// turned adds the sine or the cosine of an angle, and returns its name.
func (g *graph) turned(angle, operator string) string {
	name := angle + operator
	if !g.defined[name] {
		g.node(name, operator, []string{angle})
	}
	return name
}
