package deformed_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/numbers/objective"
)

// A reduction has the same bits after other reductions, of higher and lower powers, in the memory of closed
// ones. It also has the same bits when asked for again after its reduction to a band.
func TestViewsShareMemory(t *testing.T) {
	ctx := t.Context()
	const n = 90
	k, l := scattered(t, n, 0.4, 19)
	var weights []deformed.Gammas
	for _, i := range []float64{1e-4, 1e-3, 0.01, 0.1, 1, 10, 100, 1000} {
		weights = append(weights, deformed.Gammas{A: 0.01, I: i})
	}
	problems := func(v *deformed.Reduction) (all []float64) {
		if err := v.Each(ctx, weights, func(_ int, c *deformed.Problem) error {
			f, err := c.Outputs(ctx, []*deformed.Solution{{A: []float64{1, -1, 0.5}, B: 0.25}})
			all = append(append(all, c.Kernel...), f[0]...)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		return all
	}
	reduction := func(p *deformed.Powers, degree int) *deformed.Reduction {
		v, err := p.Reduction(ctx, degree, []int{3, 40, 77}, objective.BiasInNorm)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	factor, err := deformed.NewFactor(ctx, k, 0)
	if err != nil {
		t.Fatal(err)
	}
	power := func(degree int) objective.Operator { return l.Ordered(factor.Order()).Power(degree) }
	alone := make(map[int][]float64)
	for _, degree := range []int{1, 2, 5} {
		alone[degree] = problems(reduction(factor.Powers(power), degree))
	}
	for range 2 {
		powers := factor.Powers(power)
		for _, degree := range []int{1, 5, 2, 2} {
			v := reduction(powers, degree)
			if first, again := problems(v), problems(v); !slices.Equal(first, alone[degree]) || !slices.Equal(again, first) {
				t.Errorf("degree %d: other bits than alone, or than the first time", degree)
			}
			v.Close()
		}
		powers.Close()
	}
}

// negative is −I.
type negative int

func (n negative) Len() int { return int(n) }

func (negative) Mul(_ context.Context, dst, src [][]float64) error {
	for c, x := range src {
		for i, v := range x {
			dst[c][i] = -v
		}
	}
	return nil
}

// Problems whose matrix is numerically indefinite are passed over, by whatever factorization the others
// are solved. The error tells of them.
func TestEachPassesOverRounding(t *testing.T) {
	k, _ := scattered(t, 90, 0.4, 19)
	factor, err := deformed.NewFactor(t.Context(), k, 0)
	if err != nil {
		t.Fatal(err)
	}
	reduction, err := factor.Reduction(t.Context(), negative(90), []int{3, 40, 77}, objective.BiasInNorm)
	if err != nil {
		t.Fatal(err)
	}
	defer reduction.Close()
	for _, count := range []int{1, 20} {
		problems, want := []deformed.Gammas{{A: 1, I: 1e3}}, []int(nil)
		for i := range count {
			problems, want = append(problems, deformed.Gammas{A: 1, I: 1e-6 * float64(i+1)}), append(want, i+1)
		}
		var got []int
		err := reduction.Each(t.Context(), problems, func(i int, _ *deformed.Problem) error {
			got = append(got, i)
			return nil
		})
		if !errors.Is(err, deformed.ErrRounding) || !slices.Equal(got, want) {
			t.Errorf("%d problems: visited are %v, error %v", len(problems), got, err)
		}
	}
}
