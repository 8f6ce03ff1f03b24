package input

import (
	"context"
	"math"
	"strconv"
	"strings"

	"lapsvm"
	"lapsvm/app/command/cli"
	"lapsvm/dataset"
)

// classWeights reads --class-weight: a name, or a file with a line for each class.
func (f *TrainFlags) classWeights(ctx context.Context) (name lapsvm.ClassWeight, weights map[string]float64, err error) {
	if f.classWeight == "" || f.classWeight == string(lapsvm.BalancedWeights) {
		return lapsvm.ClassWeight(f.classWeight), nil, nil
	}
	const most = 1 << 24
	text, err := cli.ReadText(ctx, f.classWeight, most)
	if err != nil {
		return "", nil, cli.BadData(err)
	}
	weights, err = parseClassWeights(string(text), f.classWeight)
	return "", weights, err
}

// parseClassWeights reads lines of a class and its weight, a tab or the last comma
// between them. Empty lines count for nothing.
func parseClassWeights(text, file string) (map[string]float64, error) {
	weights := make(map[string]float64)
	number := 0
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		number++
		fail := func(message string, args ...any) (map[string]float64, error) {
			return nil, &dataset.Error{File: file, Line: number, Msg: dataset.Messagef(message, args...)}
		}
		if line = strings.TrimRight(line, "\r\n"); strings.TrimSpace(line) == "" {
			continue
		}
		at := strings.LastIndexByte(line, '\t')
		if at < 0 {
			at = strings.LastIndexByte(line, ',')
		}
		if at < 0 {
			return fail("a line is a class and its weight, a tab or a comma between them, not %q", line)
		}
		class := dataset.ClassName(line[:at])
		weight, err := strconv.ParseFloat(strings.TrimSpace(line[at+1:]), 64)
		if err != nil || !(weight > 0) || math.IsInf(weight, 1) {
			return fail("the weight of the class %q is %q: give a positive number, or leave the class out of the data with --select", class, strings.TrimSpace(line[at+1:]))
		}
		if _, twice := weights[class]; twice {
			return fail("the class %q has a weight already: leave one of them out", class)
		}
		weights[class] = weight
	}
	if len(weights) == 0 {
		return nil, &dataset.Error{File: file, Msg: dataset.Messagef("there is no weight of a class: give a line for each, its name, a tab and its weight")}
	}
	return weights, nil
}
