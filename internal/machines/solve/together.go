package solve

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"lapsvm/internal/numbers/objective"
)

// Together runs [PCG] on several problems that share K and L, such as the cells
// of a parameter grid, side by side. Whenever all that still run wait for a
// product with K, one pass over K serves them all. Each stops by itself.
//
// The solutions are those of PCG one by one, up to the rounding of products of
// several columns, and do not depend on the number of threads. It fails where
// PCG fails for one of them. A product that fails ends all with its error. The
// callbacks of different options are called at the same time. A number of
// options other than that of the problems panics. Cost per iteration: a product
// of all columns with K, which for 16 of them takes about as long as two products
// of one column.
func Together(ctx context.Context, problems []*objective.Problem, options []Options) ([]*Solution, error) {
	if len(problems) != len(options) {
		panic(fmt.Sprintf("solve: %d problems, %d options", len(problems), len(options)))
	}
	if len(problems) == 0 {
		return nil, nil
	}
	first := problems[0]
	for i, p := range problems {
		if p.K != first.K || p.L != first.L {
			return nil, fmt.Errorf("problem %d has another Gram matrix or another Laplacian than the first: only problems that share both are solved together", i+1)
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	shared := newSharedProducts(first.K, first.L, len(problems))
	solutions, errs := make([]*Solution, len(problems)), make([]error, len(problems))
	var all sync.WaitGroup
	for i, p := range problems {
		all.Go(func() {
			defer shared.leave(ctx)
			problem := *p
			problem.K = sharedOperator{shared, i, ofK}
			if p.L != nil {
				problem.L = sharedOperator{shared, i, ofL}
			}
			if solutions[i], errs[i] = PCG(ctx, &problem, options[i]); errs[i] != nil {
				cancel()
			}
		})
	}
	all.Wait()
	var failed error
	for _, err := range errs {
		// The first to fail cancels the others: its error is the one to tell.
		if err != nil && (failed == nil || errors.Is(failed, context.Canceled)) {
			failed = err
		}
	}
	if failed != nil {
		return nil, failed
	}
	return solutions, nil
}

// The matrices of sharedProducts.
const (
	ofK = iota
	ofL
)

// sharedProducts computes the products of several problems with the same K and
// L. Problems that wait for the same matrix share one pass over it. A product
// waits until every problem that still runs waits for one. Then those with L
// are computed, or, where nobody waits for L, those with K. Products with L are
// cheap, so that a pass over K serves all problems.
type sharedProducts struct {
	operators [2]objective.Operator
	lock      sync.Mutex
	computed  *sync.Cond
	requests  [2][]request // [matrix][problem]
	waiting   [2]int       // number of requests
	running   int          // problems that have not left
	failed    error        // of a product; after it there are no others
	dst, src  [][]float64  // scratch
}

// request is a product that a problem waits for; empty if it waits for none.
type request struct{ dst, src [][]float64 }

func newSharedProducts(k, l objective.Operator, problems int) *sharedProducts {
	s := &sharedProducts{operators: [2]objective.Operator{ofK: k, ofL: l}, running: problems}
	s.computed = sync.NewCond(&s.lock)
	for matrix := range s.requests {
		s.requests[matrix] = make([]request, problems)
	}
	return s
}

// sharedOperator is one of the matrices as one of the problems sees it.
type sharedOperator struct {
	products *sharedProducts
	problem  int
	matrix   int
}

// Len returns n.
func (o sharedOperator) Len() int { return o.products.operators[o.matrix].Len() }

// Mul requests a product and waits for it.
func (o sharedOperator) Mul(ctx context.Context, dst, src [][]float64) error {
	if len(dst) == 0 {
		return nil
	}
	s := o.products
	s.lock.Lock()
	defer s.lock.Unlock()
	s.requests[o.matrix][o.problem] = request{dst, src}
	s.waiting[o.matrix]++
	s.compute(ctx)
	for s.requests[o.matrix][o.problem].dst != nil && s.failed == nil {
		s.computed.Wait()
	}
	return s.failed
}

// leave takes out a problem that asks for no more products.
func (s *sharedProducts) leave(ctx context.Context) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.running--
	s.compute(ctx)
}

// compute computes products if all problems that run wait for one. The columns
// are in the order of the problems, whoever asked first: sums depend on it.
func (s *sharedProducts) compute(ctx context.Context) {
	if s.failed != nil || s.running == 0 || s.waiting[ofK]+s.waiting[ofL] < s.running {
		return
	}
	matrix := ofK
	if s.waiting[ofL] > 0 {
		matrix = ofL
	}
	s.dst, s.src = s.dst[:0], s.src[:0]
	for i, r := range s.requests[matrix] {
		s.dst, s.src = append(s.dst, r.dst...), append(s.src, r.src...)
		s.requests[matrix][i] = request{}
	}
	s.failed = s.operators[matrix].Mul(ctx, s.dst, s.src)
	s.waiting[matrix] = 0
	s.computed.Broadcast()
}
