package export

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"

	"lapsvm/calibrate"
	"lapsvm/internal/machines/modelfile"
	"lapsvm/internal/points/gram"
)

// ONNX writes a model as an ONNX graph of standard operators (ai.onnx 13, and LabelEncoder of ai.onnx.ml 2 where a
// table has words), which onnxruntime and others run. Encoding, description and standardisation are inside. A model of a
// table that has an encoding has an input for each column that counts, by the column's name:
//
//	number         [N, 1]  NaN where it is missing; so are a latitude and a longitude
//	vector         [N, d]  NaN for each missing number
//	other          [N, 1]  text, as the table has it: a category or a boolean; any other text is missing, or was not seen
//
// A column that is called as an output has "_column" behind its name, and one without a name is called x1, x2, … by its
// place. The metadata entry columns is a JSON list of the columns' own names in the order of the inputs. Numbers in a
// category are known as [dataset.Reading] says. Texts, dates, and vectors that a network or command made of another
// column are refused by their names, unless they count for nothing. Every other model, and one that [Encoded]
// returns, has one input,
//
//	points         [N, d]  raw features, or the pixels of a picture
//
// and the metadata entry features, their names. The outputs are
//
//	scores         [N, M]  f_c(x), M = 1 for two classes and for one, else a column per class
//	label          [N]     class names; "" outside a one-class model's class
//	probabilities  [N, C]  where the model is calibrated
//
// A regression has the one output value [N, 1]. Where a point may have several classes, M is C, and in place of label there is
//
//	labels         [N, C]  int64: 1 where a point has a class, else 0
//
// The metadata entry classes, a JSON list, then names these columns, and ordered classes from the lowest to the highest.
//
// The precision is that of the inputs and the outputs. The graph computes in float64, so scores
// differ from the exact scores of the given points by less than 1e-11·S, mostly by less than
// 1e-14·S, with S = Σ_j |α_cj·k(b_j, x)| + |b_c|. Labels are decided before scores are rounded.
// So float32 loses accuracy in the points alone, where raw values are large beside their
// differences. [Rounding] is the measurement of that loss. With precision 0, the default, the
// graph takes float32 where the measurement changes no label, else float64. With Single ONNX
// fails where a label changes. The result has the precision taken and the measurement.
//
// A mean of views has all of their machines in the graph. They share its inputs.
//
// The description of pictures is float32 in the graph, as in predictions: decision values differ from
// those of the program by some 1e-5 of the largest. Where the gradients of two colours are equally
// large, rounding decides which counts. The graph holds 0.4 MB for a picture of 28×28 that is described by patches. The
// description of texts is float64, of dense points.
//
// With a Gaussian or Laplacian kernel the graph moves points to the mean of the basis, and with a
// polynomial kernel it scales kernel values by the largest of the basis, so that values neither
// cancel nor overflow. N is free. The graph holds N×basis kernel values at a time. With a
// Laplacian kernel, or a Gaussian far narrower than the basis is wide, it also holds N×16,384
// differences of coordinates, or N×d if that is more.
//
// ONNX fails for columns that no graph can read, for a model with a Local, and for more than 2 GiB. It fails for a kernel of the
// program's own, for a description that it does not know, and when ctx is done. A sparse basis becomes dense. Memory: the basis twice, as float64.
func ONNX(ctx context.Context, w io.Writer, c *modelfile.Contents, precision gram.Precision) (Rounding, error) {
	if err := expressible(c); err != nil {
		return Rounding{}, err
	}
	const room = 1 << 20 // for names and what else is small
	size := 0.0
	for _, c := range c.Machines() {
		size += 8 * (float64(max(c.Basis.Len(), len(c.Bias))+2)*float64(c.Basis.Dim()) + float64(c.Basis.Len()+len(c.Bias))*float64(len(c.Bias)+2))
		if c.Description != nil {
			for _, p := range c.Description.List() {
				size += 4 * float64(len(p.Components))
			}
		}
	}
	if size > math.MaxInt32-room {
		return Rounding{}, fmt.Errorf("the %d×%d basis does not fit into the 2 GiB of an ONNX file: prune the model, or export to json", c.Basis.Len(), c.Basis.Dim())
	}
	table, c, err := columns(c)
	if err != nil {
		return Rounding{}, err
	}
	r, err := choose(ctx, c, precision)
	if err != nil {
		return r, err
	}
	g := graph{precision: r.Precision, defined: map[string]bool{}, outputs: map[string]bool{}}
	if err := g.decide(byClass(c), table); err != nil {
		return r, err
	}
	if g.err != nil {
		return r, g.err
	}
	var m message
	m.int(1, irVersion)
	m.string(2, "lapsvm")
	g.body.string(2, "lapsvm")
	m.message(7, &g.body)
	operators := func(domain string, version int64) {
		var set message
		set.string(1, domain)
		set.int(2, version)
		m.message(8, &set)
	}
	operators("", operatorSet) // ai.onnx
	if g.learned {
		operators(learnedOperators, learnedOperatorSet)
	}
	named := func(key string, names []string) {
		list, _ := json.Marshal(names) // of any text
		var entry message
		entry.string(1, key)
		entry.bytes(2, list)
		m.message(14, &entry)
	}
	switch {
	case table != nil:
		names := make([]string, len(table))
		for k, column := range table {
			names[k] = column.Name
		}
		named("columns", names)
	case c.Features != nil:
		named("features", c.Features)
	}
	if kindOf(c.Kind).named {
		named("classes", c.Classes)
	}
	if err := ctx.Err(); err != nil {
		return r, err
	}
	return r, m.writeTo(w)
}

// points adds the input of the points in raw features, and returns their name.
func (g *graph) points(c *modelfile.Contents) string {
	inputs := c.Basis.Dim()
	if c.Description != nil {
		inputs = c.Description.Inputs()
	}
	g.inout(11, pointsInput, g.element(), -1, int64(inputs))
	g.cast(g.wide(pointsInput), pointsInput, elementDouble)
	return g.wide(pointsInput)
}

// decide adds the whole computation, from the columns of a table or else points, to outputs.
func (g *graph) decide(c *modelfile.Contents, table []column) error {
	var x string
	if table != nil {
		x = g.encoded(table)
	} else {
		x = g.points(c)
	}
	defer g.scope(g.prefix)()
	of := kindOf(c.Kind)
	scores := g.wide(of.scores)
	g.inout(12, of.scores, g.element(), -1, int64(len(c.Bias)))
	if err := g.values(c, x, scores); err != nil {
		return err
	}
	g.cast(of.scores, scores, elementFloat)
	of.answer(g, c, scores)
	return nil
}

// class adds the class of a point, and its probabilities.
func (g *graph) class(c *modelfile.Contents, scores string) {
	g.inout(12, "label", elementString, -1)
	names, calibration := c.Classes, calibrationOf(c)
	switch {
	case ofOrdered(c):
		slope := 1.0
		if calibration != nil {
			slope = calibration.Slope
		}
		g.median(len(c.Classes), scores, slope)
	case len(c.Bias) > 1:
		g.node("index", "ArgMax", []string{scores}, attribute{"axis", 1}, attribute{"keepdims", 0})
	default:
		if len(names) == 1 { // and outside of it
			names = []string{"", names[0]}
		}
		g.numbers("zero", nil, 0)
		g.node("positive", "Greater", []string{scores, "zero"})
		g.node("column", "Cast", []string{"positive"}, attribute{"to", elementInt64})
		g.integers("flat", -1)
		g.node("index", "Reshape", []string{"column", "flat"})
	}
	g.texts("classes", names)
	g.node("label", "Gather", []string{"classes", "index"}, attribute{"axis", 0})
	if calibration == nil {
		return
	}
	g.inout(12, "probabilities", g.element(), -1, int64(len(c.Classes)))
	g.probabilities(g.wide("probabilities"), scores, len(c.Bias), calibration.Slope)
	g.cast("probabilities", g.wide("probabilities"), elementFloat)
}

// probabilities adds out, those of classes by the decision values of so many machines, and a slope.
func (g *graph) probabilities(out, scores string, machines int, slope float64) {
	if machines > 1 {
		g.numbers("slope", nil, slope)
		g.node("class_exponents", "Mul", []string{scores, "slope"})
	} else { // −f and f
		g.numbers("slope", []int64{1, 2}, -slope, slope)
		g.node("class_exponents", "MatMul", []string{scores, "slope"})
	}
	g.node(out, "Softmax", []string{"class_exponents"}, attribute{"axis", 1})
}

// several adds the classes of points that may have any of them, and their probabilities.
func (g *graph) several(c *modelfile.Contents, scores string) {
	machines := int64(len(c.Bias))
	limits, each := make([]float64, machines), eachOf(c)
	if each != nil {
		limits = each.Limits()
	}
	g.numbers("limits", []int64{machines}, limits...)
	g.node("above", "Greater", []string{scores, "limits"})
	g.inout(12, "labels", elementInt64, -1, machines)
	g.node("labels", "Cast", []string{"above"}, attribute{"to", elementInt64})
	if each == nil {
		return
	}
	g.inout(12, "probabilities", g.element(), -1, machines)
	g.logOdds("class_exponents", scores, each)
	g.node(g.wide("probabilities"), "Sigmoid", []string{"class_exponents"})
	g.cast("probabilities", g.wide("probabilities"), elementFloat)
}

// logOdds adds out, the logarithms of the odds of several classes by their decision values.
func (g *graph) logOdds(out, scores string, e *calibrate.Each) {
	machines := int64(len(e.Slope))
	g.numbers("slopes", []int64{machines}, e.Slope...)
	g.numbers("offsets", []int64{machines}, e.Offset...)
	g.node("steep", "Mul", []string{scores, "slopes"})
	g.node(out, "Add", []string{"steep", "offsets"})
}
