package train

import (
	"reflect"
	"testing"

	"lapsvm/internal/machines/solve"
	"lapsvm/kernel"
)

// The numbers of a summary are sums or means over the machines, and one machine that
// has not converged is enough to say so, whichever it is.
func TestSummariseMachines(t *testing.T) {
	p, err := Begin(t.Context(), few(20, 4), Recipe{Kernel: kernel.Gaussian{Sigma: 1}, GammaA: 1, GammaI: 1}, Run{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Geometry.Close()
	for _, c := range []struct {
		status []solve.Status
		want   solve.Status
	}{
		{[]solve.Status{solve.Converged, solve.Converged, solve.Converged}, solve.Converged},
		{[]solve.Status{solve.IterationLimit, solve.Converged, solve.Converged}, solve.IterationLimit},
		{[]solve.Status{solve.Converged, solve.Converged, solve.IterationLimit}, solve.IterationLimit},
	} {
		s := p.summarise(&minimum{Solution: &solve.Solution{Objective: []float64{1, 2, 4}, ErrorVectors: []int{3, 5, 7}, Iterations: []int{10, 20, 60},
			LineSearchSteps: []int{1, 1, 4}, Status: c.status}}, Run{})
		if s.Status != string(c.want) {
			t.Errorf("machines that stopped as %v: %s", c.status, s.Status)
		}
		if s.Objective != 7 || s.ErrorVectors != 15 || s.Iterations != 30 || s.LineSearchSteps != 2 || s.Labelled != 4 || s.Unlabelled != 16 {
			t.Errorf("%+v", s)
		}
	}
}

// sharesOfUsed keeps the shares of labels of basis points in coefficients of basis points.
func TestSharesOfUsed(t *testing.T) {
	all := [][]float64{
		{11, 12, 13, 14, 21, 22, 23, 24, 31, 32, 33, 34}, // labels 1, 2, 3 in points 1 … 4
		{-11, -12, -13, -14, -21, -22, -23, -24, -31, -32, -33, -34},
	}
	labelled := []int{0, 1, 3}
	for _, c := range []struct {
		used []int
		want [][]float64
	}{
		{[]int{0, 1, 2, 3}, all},
		{[]int{0, 2, 3}, [][]float64{{11, 13, 14, 31, 33, 34}, {-11, -13, -14, -31, -33, -34}}},
		{[]int{1}, [][]float64{{22}, {-22}}},
		{[]int{2}, [][]float64{nil, nil}},
	} {
		if got := sharesOfUsed(all, labelled, c.used, 4); !reflect.DeepEqual(got, c.want) {
			t.Errorf("of the points %v: %v, want %v", c.used, got, c.want)
		}
	}
}
