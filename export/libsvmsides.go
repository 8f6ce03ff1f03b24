package export

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"lapsvm/internal/machines/modelfile"
	"lapsvm/internal/system/fault"
	"lapsvm/points"
)

// Side is a file that belongs beside a LIBSVM model file. It has the same name with another
// ending.
type Side struct {
	Ending  string // SideRange or SideLabels
	Content []byte
}

// The endings of the files beside LIBSVM's.
const (
	SideRange  = ".range"  // for svm-scale -r: scales raw features for the model
	SideLabels = ".labels" // a line per class: LIBSVM's label, a tab, the class name
)

// standardised returns a model that LIBSVM can hold: a linear model with its scaling in the weight
// vectors, another model with the file that svm-scale needs.
func standardised(c *modelfile.Contents) (*modelfile.Contents, []Side, error) {
	switch {
	case c.Scaling.Kind == points.UnitNorm:
		return nil, nil, fault.Errorf("LIBSVM can neither hold nor do the model's standardisation (%s), which is another for every point: standardise the data beforehand and train without, or export to onnx or json", c.Scaling.Kind)
	case slices.ContainsFunc(c.Scaling.Width, func(w float64) bool { return w > 0 }):
		return nil, nil, fault.Errorf("LIBSVM can neither hold nor do the model's standardisation (%s), which takes the long tails of columns in: train with zscore or minmax, or export to onnx or json", c.Scaling.Kind)
	case c.Scaling.Factor == nil:
		return c, nil, nil
	case c.Kernel.Kind().Linear:
		return folded(c), nil, nil
	}
	text, err := scaleRange(c.Scaling)
	return c, []Side{{SideRange, text}}, err
}

// folded returns a linear model of raw points: ⟨w, (x − shift)·factor⟩ + b is
// ⟨w·factor, x⟩ + b − ⟨w·factor, shift⟩.
func folded(c *modelfile.Contents) *modelfile.Contents {
	f := *c
	n, d := c.Basis.Len(), c.Basis.Dim()
	raw := make([]float64, n*d)
	moved := make([]float64, n) // ⟨basis·factor, shift⟩
	for j := range n {
		row := raw[j*d : (j+1)*d]
		c.Basis.CopyRow(row, j)
		for k := range row {
			row[k] *= c.Scaling.Factor[k]
			moved[j] += row[k] * c.Scaling.Shift[k]
		}
	}
	f.Basis, f.Bias, f.Scaling = points.Dense(n, d, raw), make([]float64, len(c.Bias)), points.Scaling{}
	for m, b := range c.Bias {
		for j, a := range c.Coefficients[m] {
			b -= a * moved[j]
		}
		f.Bias[m] = b
	}
	return &f
}

// scaleRange returns the file that svm-scale -r reads: the values of each column that become 0
// and 1. Here they are the shift, and the shift plus 1/factor. A column with equal values is
// left out, which makes it 0.
func scaleRange(s points.Scaling) ([]byte, error) {
	b := []byte("x\n0 1\n")
	for j, shift := range s.Shift {
		one := shift
		if s.Factor[j] != 0 {
			if one += 1 / s.Factor[j]; one == shift || math.IsInf(one, 0) {
				return nil, fmt.Errorf("svm-scale cannot do the model's standardisation of feature %d, whose spread is too small beside its values or too large: subtract a constant from it beforehand, or export to onnx or json", j+1)
			}
		}
		b = strconv.AppendInt(b, int64(j)+1, 10)
		b = appendExact(append(b, ' '), shift)
		b = append(appendExact(append(b, ' '), one), '\n')
	}
	return b, nil
}

// LIBSVMLabels returns LIBSVM's labels of classes: their names where these are different whole
// numbers, else 1, 2, …
func LIBSVMLabels(classes []string) []int {
	labels, seen := make([]int, len(classes)), make(map[int]bool, len(classes))
	for c, name := range classes {
		v, err := strconv.ParseFloat(name, 64)
		if err != nil || v != math.Trunc(v) || math.Abs(v) > math.MaxInt32 || seen[int(v)] {
			for k := range labels {
				labels[k] = k + 1
			}
			return labels
		}
		labels[c], seen[int(v)] = int(v), true
	}
	return labels
}

// labelNames returns the file of class names by label, or none where the names are the labels.
func labelNames(labels []int, classes []string) ([]Side, error) {
	var text []byte
	same := true
	for c, name := range classes {
		if strings.ContainsAny(name, "\r\n") {
			return nil, fault.Errorf("the class %q has a line break in its name, which the file of LIBSVM's labels cannot hold: export to onnx or json", name)
		}
		number := strconv.Itoa(labels[c])
		same = same && number == name
		text = append(append(append(append(text, number...), '\t'), name...), '\n')
	}
	if same {
		return nil, nil
	}
	return []Side{{SideLabels, text}}, nil
}
