package solve_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"lapsvm/internal/machines/solve"
	"lapsvm/internal/numbers/objective"
)

// cells returns problems of one K and L that need different numbers of
// iterations. Their weights of the norms are far apart, both losses occur, and
// one is supervised.
func cells(t *testing.T) []*objective.Problem {
	p := variant{loss: objective.SquaredHinge, bias: objective.BiasInNorm, columns: 3}.build(t, rand.New(rand.NewPCG(501, 1)), 60, 14)
	var all []*objective.Problem
	for i, gammaA := range []float64{1e-6, 1e-3, 1, 1e-2, 10} {
		cell := *p
		cell.GammaA, cell.GammaI = gammaA, gammaA*[]float64{100, 1, 0.01, 0, 5}[i]
		if i == 2 {
			cell.Loss = objective.Squared
		}
		all = append(all, &cell)
	}
	return all
}

// Problems solved together have the bits of those solved alone, where columns
// do not depend on their company, and need no more passes than the longest.
func TestTogetherIsEachAlone(t *testing.T) {
	problems := cells(t)
	options := make([]solve.Options, len(problems))
	for i := range options {
		options[i].Stop = []solve.Condition{solve.Auto, solve.Stability, solve.Gradient, solve.Objective, solve.None}[i]
		options[i].MaxIterations = 300
	}
	var alone []*solve.Solution
	longest, sum := 0, 0
	for i, p := range problems {
		k := &counting{Operator: p.K}
		counted := *p
		counted.K = k
		alone = append(alone, pcg(t, &counted, options[i]))
		longest, sum = max(longest, len(k.columns)), sum+len(k.columns)
	}
	k := &counting{Operator: problems[0].K}
	for _, p := range problems {
		p.K = k
	}
	together, err := solve.Together(t.Context(), problems, options)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range together {
		for c := range s.Alpha {
			if !slices.Equal(s.Alpha[c], alone[i].Alpha[c]) || s.B[c] != alone[i].B[c] || s.Iterations[c] != alone[i].Iterations[c] || s.Status[c] != alone[i].Status[c] {
				t.Errorf("problem %d, column %d: %d iterations (%s) together, %d (%s) alone, or other coefficients",
					i, c, s.Iterations[c], s.Status[c], alone[i].Iterations[c], alone[i].Status[c])
			}
		}
	}
	if len(k.columns) < longest || len(k.columns) > longest+sum/10 {
		t.Errorf("%d passes over K together; alone %d in all, and %d for the longest", len(k.columns), sum, longest)
	}
	if k.columns[0] != 3*len(problems) {
		t.Errorf("the first pass has %d columns, want those of all %d problems", k.columns[0], len(problems))
	}
}

func TestTogetherErrors(t *testing.T) {
	problems := cells(t)
	options := make([]solve.Options, len(problems))
	problems[3].GammaA = -1
	if _, err := solve.Together(t.Context(), problems, options); err == nil || !strings.Contains(err.Error(), "gamma-a must be positive") {
		t.Errorf("a wrong weight among good ones: error %v", err)
	}
	problems[3].GammaA = 1
	other := *problems[2]
	other.K = &plain{n: other.K.Len(), m: make([]float64, other.K.Len()*other.K.Len())}
	if _, err := solve.Together(t.Context(), []*objective.Problem{problems[0], &other}, options[:2]); err == nil || !strings.Contains(err.Error(), "share") {
		t.Errorf("another Gram matrix: error %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	options[1].Stop = solve.None
	options[1].Progress = func(s *solve.Step) {
		if s.Iteration == 3 {
			cancel()
		}
	}
	if _, err := solve.Together(ctx, problems, options); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: error %v", err)
	}
	if s, err := solve.Together(t.Context(), nil, nil); s != nil || err != nil {
		t.Errorf("nothing to solve: %v, %v", s, err)
	}
}

// failing multiplies like its operator until the given product. At that product
// it calls its function, and from then on products fail.
type failing struct {
	objective.Operator
	calls, from int
	before      func()
	err         error
}

func (f *failing) Mul(ctx context.Context, dst, src [][]float64) error {
	if f.calls++; f.calls < f.from {
		return f.Operator.Mul(ctx, dst, src)
	}
	if f.before != nil {
		f.before()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return f.err
}

// A failing product with K or L ends every solver at once with its error. A
// cancelled product does too.
func TestFailingProducts(t *testing.T) {
	broken := errors.New("the operator is broken")
	for _, operator := range []string{"K", "L"} {
		for _, cancelled := range []bool{false, true} {
			solvers := map[string]func(context.Context, []*objective.Problem) error{
				"PCG": func(ctx context.Context, problems []*objective.Problem) error {
					_, err := solve.PCG(ctx, problems[0], solve.Options{Stop: solve.None})
					return err
				},
				"Newton": func(ctx context.Context, problems []*objective.Problem) error {
					_, err := solve.Newton(ctx, problems[0], solve.Options{})
					return err
				},
				"Together": func(ctx context.Context, problems []*objective.Problem) error {
					_, err := solve.Together(ctx, problems, make([]solve.Options, len(problems)))
					return err
				},
			}
			for name, run := range solvers {
				problems := cells(t)
				k, l := problems[0].K, problems[0].L
				ctx, cancel := context.WithCancel(t.Context())
				bad, want := &failing{from: 3, err: broken}, broken
				if cancelled {
					bad.before, want = cancel, context.Canceled
				}
				for _, p := range problems {
					if operator == "K" {
						bad.Operator = k
						p.K = matrix{bad, k}
					} else {
						bad.Operator = l
						p.L = bad
					}
				}
				if err := run(ctx, problems); !errors.Is(err, want) {
					t.Errorf("%s, %s, cancelled %v: error %v, want %v", name, operator, cancelled, err, want)
				}
				if bad.calls != bad.from {
					t.Errorf("%s, %s, cancelled %v: %d products, want none after product %d", name, operator, cancelled, bad.calls, bad.from)
				}
				cancel()
			}
		}
	}
}

// matrix is an operator with the rows of another.
type matrix struct {
	objective.Operator
	rows objective.Operator
}

func (m matrix) Row(dst []float64, i int) { m.rows.(objective.Rows).Row(dst, i) }
