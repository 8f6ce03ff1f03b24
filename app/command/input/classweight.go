package input

import (
	"context"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"lapsvm"
	"lapsvm/app/command/cli"
	"lapsvm/dataset"
)

// readClassWeights reads a file with a line for each class.
func readClassWeights(ctx context.Context, path string) (lapsvm.ClassWeights, error) {
	const most = 1 << 24
	text, err := cli.ReadText(ctx, path, most)
	if err != nil {
		return nil, cli.BadData(err)
	}
	return parseClassWeights(string(text), path)
}

// parseClassWeights reads lines of a class and its weight, a tab or the last comma
// between them. Empty lines count for nothing.
func parseClassWeights(text, file string) (lapsvm.ClassWeights, error) {
	weights := make(lapsvm.ClassWeights)
	number := 0
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		number++
		fail := func(message string, args ...any) (lapsvm.ClassWeights, error) {
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
		if slices.ContainsFunc(slices.Collect(maps.Keys(weights)), func(other string) bool { return dataset.ClassKey(other) == dataset.ClassKey(class) }) {
			return fail("the class %q has a weight already: leave one of them out", class)
		}
		weights[class] = weight
	}
	if len(weights) == 0 {
		return nil, &dataset.Error{File: file, Msg: dataset.Messagef("there is no weight of a class: give a line for each, its name, a tab and its weight")}
	}
	return weights, nil
}
