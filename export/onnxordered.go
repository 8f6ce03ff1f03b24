package export

import (
	"slices"

	"lapsvm/internal/machines/modelfile"
	"lapsvm/internal/machines/task"
)

// ofOrdered reports whether a model has three or more ordered classes, with machines between neighbours.
func ofOrdered(c *modelfile.Contents) bool { return c.Kind == task.OfOrdered && len(c.Bias) > 1 }

// byClass returns a model of ordered classes with a machine for each of them, in place of those between neighbours, and its views so too. Its
// decision values are the same. Other models it returns as they are.
func byClass(c *modelfile.Contents) *modelfile.Contents {
	if !ofOrdered(c) {
		return c
	}
	coding, bias := task.OutputCodingOf(c.Kind, len(c.Classes)), make([][]float64, len(c.Bias))
	for machine := range bias {
		bias[machine] = c.Bias[machine : machine+1]
	}
	of := *c
	of.Views = slices.Clone(c.Views)
	for k := range of.Views {
		of.Views[k].Contents = byClass(c.Views[k].Contents)
	}
	of.Bias, of.Coefficients = coding.Scores(bias)[0], nil
	for class := range c.Classes {
		of.Coefficients = append(of.Coefficients, coding.Score(c.Coefficients, class))
	}
	return &of
}

// halfReached is a little less than a half, as sums of probabilities are rounded: see [task.OutputCoding.DecideCalibrated].
const halfReached = 0.5 * (1 - 1e-9)

// median adds index, the first class up to which probabilities sum to a half: as many classes are before it as have smaller sums.
func (g *graph) median(classes int, scores string, slope float64) {
	g.numbers("steepness", nil, slope)
	g.node("steep", "Mul", []string{scores, "steepness"})
	g.node("chances", "Softmax", []string{"steep"}, attribute{"axis", 1})
	g.rows("up_to", classes, classes, func(dst []float64, i int) {
		for class := range dst {
			dst[class] = 0
			if class >= i {
				dst[class] = 1
			}
		}
	})
	g.node("sums", "MatMul", []string{"chances", "up_to"})
	g.numbers("half", nil, halfReached)
	g.node("below", "Greater", []string{"half", "sums"})
	g.node("counted", "Cast", []string{"below"}, attribute{"to", elementInt64})
	g.integers("along_classes", 1)
	g.node("index", "ReduceSum", []string{"counted", "along_classes"}, attribute{"keepdims", 0})
}
