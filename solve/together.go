package solve

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"lapsvm/objective"
)

// Together runs [PCG] on several problems that share K and L, such as the cells
// of a parameter grid, side by side: whenever all that still run wait for a
// product with K, one pass over K serves them all. Each stops by itself.
//
// The solutions are those of PCG one by one, up to the rounding of products of
// several columns, and do not depend on the number of threads. It fails where
// PCG fails for one of them, and a product that fails ends all with its error;
// the callbacks of different options are called at the same time. Cost per iteration: a product of all columns with K, which for
// 16 of them takes about as long as two products of one column.
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
	m := newMeeting(first.K, first.L, len(problems))
	solutions, errs := make([]*Solution, len(problems)), make([]error, len(problems))
	var all sync.WaitGroup
	for i, p := range problems {
		all.Go(func() {
			defer m.leave(ctx)
			own := *p
			own.K = visitor{m, i, ofK}
			if p.L != nil {
				own.L = visitor{m, i, ofL}
			}
			if solutions[i], errs[i] = PCG(ctx, &own, options[i]); errs[i] != nil {
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

// The operators of a meeting.
const (
	ofK = iota
	ofL
)

// meeting gathers products: each of its visitors waits until all present wait.
// Then those that wait for L are served, or, where none is left, those that
// wait for K. As L is cheap, the visitors of K are always all of them.
type meeting struct {
	operators [2]objective.Operator
	lock      sync.Mutex
	served    *sync.Cond
	requests  [2][]request // by visitor
	waiting   [2]int
	present   int
	failed    error       // of a product, after which nobody is served
	dst, src  [][]float64 // scratch
}

// request is a product that a visitor waits for; empty if it waits for none.
type request struct{ dst, src [][]float64 }

func newMeeting(k, l objective.Operator, visitors int) *meeting {
	m := &meeting{operators: [2]objective.Operator{ofK: k, ofL: l}, present: visitors}
	m.served = sync.NewCond(&m.lock)
	for o := range m.requests {
		m.requests[o] = make([]request, visitors)
	}
	return m
}

// visitor is an operator of a meeting as one problem sees it.
type visitor struct {
	m        *meeting
	i        int
	operator int
}

// Len returns n.
func (v visitor) Len() int { return v.m.operators[v.operator].Len() }

// Mul asks the meeting for a product and waits for it.
func (v visitor) Mul(ctx context.Context, dst, src [][]float64) error {
	if len(dst) == 0 {
		return nil
	}
	m := v.m
	m.lock.Lock()
	defer m.lock.Unlock()
	m.requests[v.operator][v.i] = request{dst, src}
	m.waiting[v.operator]++
	m.serve(ctx)
	for m.requests[v.operator][v.i].dst != nil && m.failed == nil {
		m.served.Wait()
	}
	return m.failed
}

// leave takes a visitor out that asks for no more products.
func (m *meeting) leave(ctx context.Context) {
	m.lock.Lock()
	defer m.lock.Unlock()
	m.present--
	m.serve(ctx)
}

// serve computes products if all present wait. The order of the columns is that
// of the visitors, whoever came first: sums depend on it.
func (m *meeting) serve(ctx context.Context) {
	if m.failed != nil || m.present == 0 || m.waiting[ofK]+m.waiting[ofL] < m.present {
		return
	}
	operator := ofK
	if m.waiting[ofL] > 0 {
		operator = ofL
	}
	m.dst, m.src = m.dst[:0], m.src[:0]
	for i, r := range m.requests[operator] {
		m.dst, m.src = append(m.dst, r.dst...), append(m.src, r.src...)
		m.requests[operator][i] = request{}
	}
	m.failed = m.operators[operator].Mul(ctx, m.dst, m.src)
	m.waiting[operator] = 0
	m.served.Broadcast()
}
