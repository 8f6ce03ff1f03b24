package lapsvm

import (
	"testing"

	"lapsvm/deformed"
	"lapsvm/graph"
	"lapsvm/kernel"
)

// On a part of the points the machine is taken whose loss would be least with more
// of them; of nearly equal ones that with the strongest graph, then the narrowest
// kernel.
func TestFirstOnAPart(t *testing.T) {
	one := func(kernel int, a, i, loss, half float64) (c, h candidate) {
		c = candidate{kernel: kernel, member: member{graph: graph.Options{Neighbours: 10}, gammas: deformed.Gammas{A: a, I: i}}, measurement: measurement{loss: []float64{loss, loss}}}
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
		c := &chooser{part: test.part, kernels: []kernel.Kernel{wide, narrow}}
		half := &chooser{}
		for _, m := range test.machines {
			whole, h := one(int(m[0]), m[1], m[2], m[3], m[4])
			c.machines = append(c.machines, whole)
			if m[4] > 0 {
				half.machines = append(half.machines, h)
			}
		}
		c.follow(half)
		if got, want := c.first(), c.machines[test.want]; got.gammas != want.gammas || got.kernel != want.kernel {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}
