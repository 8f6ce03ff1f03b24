package lapsvm

import (
	"context"
	"fmt"
	"log/slog"

	"lapsvm/dataset"
	"lapsvm/deformed"
	"lapsvm/gram"
	"lapsvm/internal/size"
	"lapsvm/solve"
)

// Plan is how [Trainer.Fit] would train on a dataset, and what that takes.
type Plan struct {
	N, D     int         // points that take part, and their features
	Machines int         // trained together: 1 for two classes, else one for each
	Solver   Solver      // never Auto
	Gram     gram.Choice // form of the Gram matrix, with its memory
	Beside   int64       // bytes for the solver, beside the data and the Gram matrix
}

// Plan tells how Fit would train on d, without computing anything: the solver,
// the form of the Gram matrix, and the memory of both. It fails where Fit would
// find bad labels or values, parameters outside their range or too little memory.
// Cost: a pass over the points; with GammaI = 0 a copy of the labelled ones.
func (t Trainer) Plan(d *dataset.Dataset) (Plan, error) {
	t, err := t.withDefaults()
	if err != nil {
		return Plan{}, ofKind(ErrParameter, err)
	}
	t.Log = slog.New(slog.DiscardHandler) // Fit says it
	f := &fit{t: t, d: d}
	if err := f.check(context.Background()); err != nil {
		return Plan{}, ofKind(ErrData, err)
	}
	if f.p = d.Points; len(f.rows) < f.p.Len() {
		f.p = f.p.Subset(f.rows)
	}
	if err := f.plan(context.Background()); err != nil {
		return Plan{}, ofKind(ErrParameter, err)
	}
	return Plan{N: f.p.Len(), D: f.p.Dim(), Machines: f.machines(), Solver: f.t.Solver, Gram: f.choice, Beside: f.workingBytes()}, nil
}

// plan chooses the solver and the form of the Gram matrix, and compares the
// memory needed with that allowed.
func (f *fit) plan(ctx context.Context) error {
	p := f.p
	var err error
	if f.t.Solver == Auto {
		f.t.Solver = PCG
		switch c := f.t.Choice; {
		case f.supervised() && len(f.labelled) <= newtonLimit:
			f.t.Solver = Newton
		case (c != nil && c.Candidates > 0 || f.t.LabelShares) && f.p.Len() <= exactLimit && !steered(f.t.Solve):
			f.t.Solver, f.t.Precision = Deformed, gram.Double
		}
	}
	if f.t.Kernel.Kind().Linear && f.t.LabelShares {
		return fmt.Errorf("with the linear kernel a decision is the sum of what the features add, so there is nothing to keep of every label: leave the label shares out")
	}
	if f.sharesLabels() && f.t.Solver != Deformed && f.t.Solver != Dual {
		return fmt.Errorf("what every label adds is known to the solvers deformed and dual alone, which take the cube of the %d points in time: choose one of them, or at most %d points", p.Len(), exactLimit)
	}
	budget := f.t.Memory
	if budget > 0 {
		if budget -= f.workingBytes(); budget <= 0 {
			return fmt.Errorf("training on %d points needs about %s beside the Gram matrix, but %s may be used: take fewer points, the solver pcg, or allow more memory",
				p.Len(), size.Text(f.workingBytes()), size.Text(f.t.Memory))
		}
	}
	needsRows := f.t.Solver != PCG
	if f.choice, err = gram.Choose(p, f.t.Kernel, f.t.Precision, budget, needsRows); err != nil {
		return err
	}
	f.config.Gram = string(f.choice.Form)
	f.training.Gram = f.choice.Reason
	level := slog.LevelInfo
	if f.choice.Form == gram.FormStreamed {
		level = slog.LevelWarn // slow
	}
	f.t.Log.Log(ctx, level, "gram matrix", "form", f.choice.Form, "bytes", f.choice.Bytes, "why", f.choice.Reason)
	return nil
}

// steered reports whether the options ask something of PCG.
func steered(o solve.Options) bool {
	return o.Stop != "" || o.CheckEvery != 0 || o.MaxIterations != 0 || o.Tolerance != 0 || o.Start != nil
}

// workingBytes estimates the memory that the training will take beside the
// data and the Gram matrix.
func (f *fit) workingBytes() int64 {
	n, machines := int64(f.p.Len()), int64(f.machines())
	need := 12 * 8 * n * machines
	switch {
	case f.t.Solver == Newton && !f.supervised():
		need += 2 * 8 * n * n
	case f.t.Solver == Deformed || f.t.Solver == Dual:
		need += deformed.Bytes(int(n))
		if f.sharesLabels() {
			need += 8 * n * int64(len(f.labelled)) * (machines + 2)
		}
	}
	return need
}

// sharesLabels reports whether the model is to keep what every label adds. A
// supervised machine has no other points.
func (f *fit) sharesLabels() bool { return f.t.LabelShares && !f.supervised() }
