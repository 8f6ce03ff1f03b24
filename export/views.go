package export

import (
	"fmt"
	"math"

	"lapsvm/calibrate"
	"lapsvm/internal/machines/modelfile"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/points/gram"
	"lapsvm/kernel"
)

// calibrationOf returns how decision values of a model become probabilities; nil where they do not.
func calibrationOf(c *modelfile.Contents) *calibrate.Calibration {
	if c.Views != nil {
		return c.Mean
	}
	return c.Calibration
}

// eachOf returns how decision values of a model of several classes become probabilities; nil where they do not.
func eachOf(c *modelfile.Contents) *calibrate.Each {
	if c.Views != nil {
		return c.MeanEach
	}
	return c.Each
}

// expressible fails for a model with a machine that no format can express.
func expressible(c *modelfile.Contents) error {
	for _, c := range c.Machines() {
		if kernel.Custom(c.Kernel) {
			return errCustomKernel(c.Kernel)
		}
		if err := withoutLocal(c.Contents); err != nil {
			return err
		}
	}
	return nil
}

// predictor returns what decides points by a model in float64.
func predictor(c *modelfile.Contents) *train.Predictor {
	var all []*train.Predictor
	var weights []float64
	for _, c := range c.Machines() {
		all = append(all, train.NewPredictor(c.Description, c.Scaling, gram.Expansion{Kernel: c.Kernel, Basis: c.Basis, Coefficients: c.Coefficients, Bias: c.Bias},
			gram.Double, task.OutputCodingOf(c.Kind, len(c.Classes)), train.Uncertainty{Calibration: c.Calibration, Each: c.Each}))
		weights = append(weights, c.Weight)
	}
	if c.Views == nil {
		return all[0]
	}
	return all[0].Beside(all[1:], weights[1:], train.Uncertainty{Calibration: c.Mean, Each: c.MeanEach})
}

// values adds out, the decision values of a model at the points x: those of its machine, or of the mean of its views as [train.MeanOf] has it.
func (g *graph) values(c *modelfile.Contents, x, out string) error {
	if c.Views == nil {
		return g.machine(c, x, out)
	}
	sum, machines := "", c.Machines()
	for k, v := range machines {
		part, err := g.view(fmt.Sprintf("view_%d_", k+1), v, x)
		switch {
		case err != nil:
			return err
		case sum == "":
			sum = part
			continue
		}
		next := fmt.Sprintf("sum_of_%d_views", k+1)
		if c.Mean == nil && k == len(machines)-1 { // numbers, or several classes
			next = out
		}
		g.node(next, "Add", []string{sum, part})
		sum = next
	}
	if c.Mean == nil {
		return nil
	}
	g.node("mean_of_classes", "ReduceMean", []string{sum}, attribute{"axes", []int64{1}}, attribute{"keepdims", 1})
	if len(c.Bias) > 1 {
		g.node(out, "Sub", []string{sum, "mean_of_classes"})
		return nil
	}
	g.node("values_of_views", "Sub", []string{sum, "mean_of_classes"})
	g.integers("second_class", 1)
	g.node(out, "Gather", []string{"values_of_views", "second_class"}, attribute{"axis", 1})
	return nil
}

// view adds the weighted logarithms of the probabilities by a view, of several classes of the odds, or its weighted numbers, in a scope of its own, and returns their name.
func (g *graph) view(scope string, v modelfile.View, x string) (string, error) {
	defer g.scope(scope)()
	if err := g.machine(v.Contents, x, "values"); err != nil {
		return "", err
	}
	values := "values"
	switch {
	case v.Each != nil:
		values = "bounded"
		g.logOdds("odds", "values", v.Each)
		bound := math.Log((1 - train.LeastProbability) / train.LeastProbability)
		g.numbers("least_odds", nil, -bound)
		g.numbers("most_odds", nil, bound)
		g.node(values, "Clip", []string{"odds", "least_odds", "most_odds"})
	case v.Calibration != nil:
		values = "logarithms"
		g.probabilities("chances", "values", len(v.Bias), v.Calibration.Slope)
		g.numbers("least_chance", nil, train.LeastProbability)
		g.node("possible", "Max", []string{"chances", "least_chance"})
		g.node(values, "Log", []string{"possible"})
	}
	g.numbers("weight", nil, v.Weight)
	g.node("weighted", "Mul", []string{values, "weight"})
	return g.name("weighted"), nil
}

// machine adds out, the decision values of one machine at the points x.
func (g *graph) machine(c *modelfile.Contents, x, out string) error {
	if c.Description != nil {
		var err error
		if x, err = g.described(c.Description, x); err != nil {
			return err
		}
	}
	return g.scores(c, x, out)
}
