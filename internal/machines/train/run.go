package train

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"lapsvm/dataset"
	"lapsvm/internal/machines/solve"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/ranks/comm"
)

// Run holds the settings of a training beside its recipe: data for its checks, its limit of memory,
// and its observer. The zero value has none of it.
type Run struct {
	Validation *dataset.Dataset // labelled points for the stopping checks that need them
	Start      *solve.Start     // warm start of PCG and Newton
	Memory     int64            // bytes that may be used; 0 means any number
	HoldsAll   bool             // every label is held out, also where a part of them would do for probabilities
	// Time is how long comparing machines may take, and again how long iterating may:
	// what there is by then is taken, and depends on the machine. 0 means any time. A
	// factorization that has begun is ended.
	Time  time.Duration
	until time.Time // see Comparing
	// Checkpoint is the folder that keeps neighbours and landmarks, or "" for none. Another
	// training on the same points by the same settings then starts at the solver. Points or
	// settings that differ are no error: the parts are then made anew. A damaged file is one. Of
	// ranks each keeps those of its own points, in the folder of that name on its machine; parts of
	// another number of ranks are an error.
	Checkpoint string
	Work       *Work // what a choice leaves for the training on the same data; nil for nothing
	Observer
}

// Observer is called during a training. Every field may be nil.
type Observer struct {
	Log *slog.Logger

	// Progress is called on the goroutine of the training, and often. A call with zeros announces
	// the beginning of one of the longer parts, by name. Later calls tell how much of the part is
	// done; total is 0 where its length is not known.
	Progress func(part string, done, total int)

	// Step is called after every iteration of PCG and Newton. The Step is valid
	// during the call only.
	Step func(*solve.Step)

	// Planned is called with the plan of a training before anything is computed.
	Planned func(Plan)

	// Compared is called for every machine that is compared with others.
	Compared func(done, total int)

	// Alone is called on rank 0 of several. With true the other ranks begin to wait for rank 0, which may use their
	// processors. With false they go on.
	Alone func(alone bool)

	// Gathered is called on rank 0, before the model is made, with the rows that it is made of. A
	// process alone passes the data set trained on, ranks the rows that rank 0 has gathered.
	Gathered func(*dataset.Dataset)
}

// Comparing returns the run with the clock of its comparisons started, unless it runs already: all of them share Time.
func (run Run) Comparing() Run {
	if run.Time > 0 && run.until.IsZero() {
		run.until = time.Now().Add(run.Time)
	}
	return run
}

// Until returns when the time for comparing is up, zero for never. The run must be of [Run.Comparing].
func (run Run) Until() time.Time { return run.until }

// WhileOthersWait tells Alone that the other ranks wait. The function that it returns tells Alone that they go on.
func (o Observer) WhileOthersWait(c *comm.Comm) (goOn func()) {
	if o.Alone == nil || c.Alone() || c.Rank() != 0 {
		return func() {}
	}
	o.Alone(true)
	return func() { o.Alone(false) }
}

// log returns the logger; without one it returns a logger that discards all.
func (o Observer) log() *slog.Logger {
	if o.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return o.Log
}

// named returns an observer that hears of progress alone, with other names for its parts.
func (o Observer) named(format string) Observer {
	if o.Progress == nil {
		return Observer{}
	}
	return Observer{Progress: func(part string, done, total int) { o.Progress(fmt.Sprintf(format, part), done, total) }}
}

// share returns a function that reports the progress of a share of a part, between the fractions
// from and to, or nil where nobody listens. The part begins with the call. The share never falls, though
// what is left to do is an estimate.
func (o Observer) share(part string, from, to float64) func(done, total int) {
	if o.Progress == nil {
		return nil
	}
	const whole = 1000
	most := int(whole * from)
	o.Progress(part, most, whole)
	return func(done, total int) {
		most = max(most, int(whole*(from+(to-from)*float64(done)/float64(max(total, 1)))))
		o.Progress(part, most, whole)
	}
}

// Watch tells Progress that a part begins, and returns the context through which the part reports
// its progress.
func (o Observer) Watch(ctx context.Context, part string) context.Context {
	if o.Progress == nil {
		return ctx
	}
	o.Progress(part, 0, 0)
	return parallel.Watch(ctx, func(done, total int) { o.Progress(part, done, total) })
}
