package selection

import (
	"math"
	"testing"

	"lapsvm/kernel"
	"lapsvm/train"
)

// On a part of the points the machine is taken whose loss would be least with more
// of them; of nearly equal ones that with the strongest graph, then the narrowest
// kernel.
func TestFirstOnAPart(t *testing.T) {
	one := func(kernel int, a, i, loss, half float64) (c, h candidate) {
		c = candidate{kernel: kernel, Member: train.Member{Neighbours: 10, GammaA: a, GammaI: i}, measurement: measurement{loss: []float64{loss, loss}}}
		h = c
		h.loss = []float64{half / 2, 3 * half / 2}
		return c, h
	}
	wide, narrow := kernel.Gaussian{Sigma: 2}, kernel.Gaussian{Sigma: 1}
	for name, test := range map[string]struct {
		part     bool
		machines [][5]float64 // kernel, γA, γI, loss, loss on half of the points; 0 was given up
		want     int
	}{
		"all points":      {false, [][5]float64{{0, 1, 1e-6, 0.10, 0}, {0, 1, 1, 0.11, 0.3}}, 0},
		"falling":         {true, [][5]float64{{0, 1, 1e-6, 0.10, 0.10}, {0, 1, 1e-4, 0.13, 0.2}}, 1},
		"falling too far": {true, [][5]float64{{0, 1, 1e-6, 0.10, 0.30}, {0, 1, 1e-4, 0.13, 0.2}}, 0},
		"given up":        {true, [][5]float64{{0, 1, 1e-6, 0.10, 0.10}, {0, 1, 1e-4, 0.13, 0}}, 0},
		"rising":          {true, [][5]float64{{0, 1, 1e-6, 0.10, 0.10}, {0, 1, 1e-4, 0.09, 0.06}}, 0},
		"stronger graph":  {true, [][5]float64{{0, 1, 1e-2, 0.100, 0.1}, {0, 1, 0.1, 0.102, 0.102}, {0, 1, 1, 0.11, 0.11}}, 1},
		"narrower kernel": {true, [][5]float64{{0, 1, 1, 0.100, 0.1}, {1, 1, 1, 0.101, 0.101}}, 1},
		"least":           {true, [][5]float64{{1, 1e-2, 1, 0.101, 0.101}, {1, 1, 1, 0.100, 0.1}}, 1},
		"no loss":         {true, [][5]float64{{0, 1, 1, 0, 0.1}, {0, 1, 10, 0.05, 0.05}}, 0},
	} {
		c := &comparison{part: test.part, kernels: []kernel.Kernel{wide, narrow}}
		half := &comparison{}
		for _, m := range test.machines {
			whole, h := one(int(m[0]), m[1], m[2], m[3], m[4])
			c.measured = append(c.measured, whole)
			if m[4] > 0 {
				half.measured = append(half.measured, h)
			}
		}
		c.follow(half)
		if got, want := c.first(), c.measured[test.want]; got.Member != want.Member || got.kernel != want.kernel {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}

// Members have the kernel of the best machine, and weights exp(−l(h − h_min)/2h_min)
// that sum to 1; what is below a thousandth of the best one's is left out.
func TestMembers(t *testing.T) {
	one := func(kernel, neighbours int, loss float64) candidate {
		return candidate{kernel: kernel, Member: train.Member{Neighbours: neighbours, LaplacianDegree: 1, GammaA: 1, GammaI: 2}, measurement: measurement{loss: []float64{loss / 2, 3 * loss / 2}}}
	}
	c := &comparison{
		kernels:  []kernel.Kernel{kernel.Gaussian{Sigma: 2}, kernel.Gaussian{Sigma: 1}},
		held:     &holdOut{count: []int{0, 1, 2, 3}},
		measured: []candidate{one(0, 2, 0.11), one(0, 3, 0.1), one(1, 5, 0.1), one(1, 7, 0.14), one(1, 9, 0.11), one(0, 11, 0.2), one(1, 13, 0.5)},
	}
	for _, test := range []struct {
		first      int
		neighbours []int
		losses     []float64
	}{
		{1, []int{2, 3, 11}, []float64{0.11, 0.1, 0.2}},
		{2, []int{5, 7, 9}, []float64{0.1, 0.14, 0.11}},
	} {
		got := c.members(c.measured[test.first])
		if len(got) != len(test.neighbours) {
			t.Fatalf("the members of kernel %d are %+v, want those of %v neighbours", c.measured[test.first].kernel, got, test.neighbours)
		}
		sum, all := 0.0, 0.0
		for _, loss := range test.losses {
			sum += math.Exp(-4 * (loss - 0.1) / 0.2)
		}
		for k, m := range got {
			want := math.Exp(-4*(test.losses[k]-0.1)/0.2) / sum
			if m.Neighbours != test.neighbours[k] || m.LaplacianDegree != 1 || m.GammaA != 1 || m.GammaI != 2 || !(math.Abs(m.Weight-want) <= 1e-12) {
				t.Errorf("member %d is %+v, want %d neighbours with the weight %v", k, m, test.neighbours[k], want)
			}
			all += m.Weight
		}
		if !(math.Abs(all-1) <= 1e-12) {
			t.Errorf("the weights sum to %v", all)
		}
	}
	// A loss of 0 has no equal but 0.
	c.measured = []candidate{one(0, 2, 0), one(0, 3, 1e-9), one(0, 5, 0)}
	if got := c.members(c.measured[0]); len(got) != 2 || got[0].Neighbours != 2 || got[1].Neighbours != 5 || got[0].Weight != 0.5 {
		t.Errorf("with a loss of 0: %+v", got)
	}
}
