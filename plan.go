package lapsvm

import (
	"context"
	"log/slog"

	"lapsvm/dataset"
	"lapsvm/gram"
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
