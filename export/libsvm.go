package export

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"lapsvm/internal/machines/modelfile"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/system/fault"
	"lapsvm/kernel"
	"lapsvm/points"
)

// LIBSVM writes a model to w as the text that svm-predict and the libraries of LIBSVM read. It
// returns the files that belong beside the model file. Numbers are exact, so that predictions
// differ by the rounding of float64 sums alone.
//
// Two classes become a c_svc whose first label is the second class, for which decision values
// are positive. For more classes LIBSVM votes over all pairs. The pair (a, b) gets the decision
// value f_a − f_b, so the class with the largest f wins all its pairs. LIBSVM sums for a pair
// over the support vectors of its two classes only. So every basis point is listed once for each
// class in whose machine it has a coefficient, and the file is up to C times as large. One class
// becomes a one_class machine, which answers 1 and −1. A regression becomes an epsilon_svr.
//
// Class names that are not all whole numbers are numbered from 1 in their order; the returned
// file of labels has the names. The standardisation of a linear model goes into its weight
// vectors. With another kernel svm-scale must standardise points before svm-predict; it reads
// the returned file of ranges.
//
// LIBSVM fails for a model with a Local, a mean of views, a description, several classes of a point or three and more ordered ones. It fails for unit-norm standardisation, which svm-scale cannot
// do, for a kernel that LIBSVM does not have, and for more than 2 GiB. It leaves calibration out,
// because LIBSVM computes probabilities in another way.
func LIBSVM(w io.Writer, c *modelfile.Contents) ([]Side, error) {
	if err := expressible(c); err != nil {
		return nil, err
	}
	svm := kindOf(c.Kind).svm
	if svm == "" {
		return nil, fault.Errorf("a point may have several classes of the model, and svm-predict gives it one: export to onnx or json")
	}
	if ofOrdered(c) {
		return nil, fault.Errorf("the model's classes are ordered and decided by their median, where svm-predict counts votes of pairs: export to onnx or json")
	}
	if err := train.OneView(1+len(c.Views), "LIBSVM knows one machine"); err != nil {
		return nil, fmt.Errorf("%w, or export to onnx or json", err)
	}
	if c.Description != nil {
		return nil, fault.Errorf("the model describes points (%s) before all else, which LIBSVM cannot: export to onnx or json, or with --encoded a model of the points that lapsvm encode MODEL DATA OUT writes", strings.Join(c.Description.Names(), ", "))
	}
	if err := fitsText(c); err != nil {
		return nil, err
	}
	c, files, err := standardised(c)
	if err != nil {
		return nil, err
	}
	var labels []int
	var parts []part
	switch len(c.Classes) {
	case 0, 1:
		parts = []part{{alpha: c.Coefficients[0], rows: nonzero(c.Coefficients[0]), pairs: 1}}
	default:
		labels = LIBSVMLabels(c.Classes)
		names, err := labelNames(labels, c.Classes)
		if err != nil {
			return nil, err
		}
		files = append(files, names...)
		if len(c.Classes) == 2 {
			slices.Reverse(labels)
			parts = bySign(c.Coefficients[0])
		} else {
			parts = pairs(c.Coefficients)
		}
	}
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "svm_type %s\n", svm)
	switch k := c.Kernel.(type) {
	case kernel.Linear, kernel.Precomputed:
		fmt.Fprintln(out, "kernel_type linear")
	case kernel.Gaussian:
		fmt.Fprintf(out, "kernel_type rbf\ngamma %s\n", exact(1/(2*k.Sigma*k.Sigma)))
	case kernel.Polynomial:
		fmt.Fprintf(out, "kernel_type polynomial\ndegree %d\ngamma %s\ncoef0 %s\n", k.Degree, exact(k.Parameters().Gamma), exact(k.Coef0))
	default:
		return nil, fault.Errorf("LIBSVM has no kernel like %v: export to onnx or json, or train with one of the kernels gaussian, poly and linear", k)
	}
	total := 0
	for _, p := range parts {
		total += len(p.rows)
	}
	fmt.Fprintf(out, "nr_class %d\ntotal_sv %d\nrho", max(2, len(c.Classes)), total)
	if len(c.Bias) == 1 {
		fmt.Fprintf(out, " %s", exact(-c.Bias[0]))
	}
	for a := range c.Bias {
		for b := a + 1; b < len(c.Bias); b++ {
			if _, err := fmt.Fprintf(out, " %s", exact(c.Bias[b]-c.Bias[a])); err != nil {
				return nil, err
			}
		}
	}
	if labels != nil {
		fmt.Fprint(out, "\nlabel")
		for _, l := range labels {
			fmt.Fprintf(out, " %d", l)
		}
		fmt.Fprint(out, "\nnr_sv")
		for _, p := range parts {
			fmt.Fprintf(out, " %d", len(p.rows))
		}
	}
	fmt.Fprintln(out, "\nSV")
	for _, p := range parts {
		if err := p.write(out, c.Basis); err != nil {
			return nil, err
		}
	}
	return files, out.Flush()
}

// fitsText fails for a model whose files would take more than about 2 GiB, by the numbers in
// them. With many classes most numbers are those of the pairs.
func fitsText(c *modelfile.Contents) error {
	const bytesEach = 16 // with the space
	machines := float64(len(c.Bias))
	total, row := machines*(machines-1)/2+3*float64(len(c.Scaling.Shift)), float64(c.Basis.Stored())/float64(c.Basis.Len())
	for _, alpha := range c.Coefficients {
		total += float64(len(nonzero(alpha))) * (max(machines-1, 1) + row)
	}
	if total > math.MaxInt32/bytesEach {
		return fmt.Errorf("LIBSVM's model text of %d classes and %d basis points would have %.2g numbers, some %.2g GiB where 2 are the limit: prune the model, or export to onnx or json",
			len(c.Classes), c.Basis.Len(), total, total*bytesEach/(1<<30))
	}
	return nil
}

// part is the support vectors of one class: rows of the basis, with their coefficients in the
// pairs with other classes. The coefficients are negative in the first pairs.
type part struct {
	alpha    []float64 // of all basis points
	rows     []int
	pairs    int
	negative int
}

func nonzero(alpha []float64) []int {
	var rows []int
	for j, a := range alpha {
		if a != 0 {
			rows = append(rows, j)
		}
	}
	return rows
}

// bySign gives the positive coefficients of a machine to its first label and
// the negative ones to its second, as LIBSVM's own training does.
func bySign(alpha []float64) []part {
	parts := []part{{alpha: alpha, pairs: 1}, {alpha: alpha, pairs: 1}}
	for _, j := range nonzero(alpha) {
		p := &parts[0]
		if alpha[j] < 0 {
			p = &parts[1]
		}
		p.rows = append(p.rows, j)
	}
	return parts
}

// pairs turns one machine per class into the machines f_a − f_b of all pairs a < b. A support
// vector of a class has its coefficient in the pairs with the class first, and its negative
// coefficient in the pairs with the class second.
func pairs(alpha [][]float64) []part {
	parts := make([]part, len(alpha))
	for a := range alpha {
		parts[a] = part{alpha: alpha[a], rows: nonzero(alpha[a]), pairs: len(alpha) - 1, negative: a}
	}
	return parts
}

// write writes one line per support vector: its coefficients and its values
// that are not zero, with columns counted from 1.
func (p part) write(w *bufio.Writer, basis *points.Points) error {
	row := make([]float64, basis.Dim())
	var line []byte
	for _, j := range p.rows {
		line = line[:0]
		for b := range p.pairs {
			a := p.alpha[j]
			if b < p.negative {
				a = -a
			}
			line = append(appendExact(line, a), ' ')
		}
		basis.CopyRow(row, j)
		for column, v := range row {
			if v != 0 {
				line = append(strconv.AppendInt(line, int64(column)+1, 10), ':')
				line = append(appendExact(line, v), ' ')
			}
		}
		if _, err := w.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return nil
}

// exact writes a number in the fewest digits that give it back.
func exact(v float64) string { return string(appendExact(nil, v)) }

func appendExact(b []byte, v float64) []byte { return strconv.AppendFloat(b, v, 'g', -1, 64) }
