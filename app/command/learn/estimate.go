package learn

import (
	"context"
	"fmt"
	"math"
	"time"

	"lapsvm"
	"lapsvm/app/command/cli"
	"lapsvm/dataset"
	"lapsvm/internal/machines/solve"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/system/machine"
	"lapsvm/internal/system/size"
	"lapsvm/points"
)

// measuring is how long the speed of the threads is measured.
const measuring = 5 * time.Millisecond

// speed measures how many float32 operations a second the threads do at present, a multiply-add counting as two.
func speed(ctx context.Context) float64 { return vec.PeakFMA32(ctx, measuring) }

// roughReading is a rough rate in bytes a second at which memory is read,
// whatever the threads.
const roughReading = 15e9

// worthSaying is how long a training must be expected to take for an estimate.
const worthSaying = 5 * time.Second

// estimate is roughly how long a fit of points will take from here on until the model is written. It goes by the plan, the trainer, and the
// float32 operations that the threads do in a second. Of those in float64 they do half as many:
//
//	Gram matrix  n²·d operations
//	PCG          √n iterations, each reading the matrix once and 2·n²·machines
//	             operations; twice that with probabilities
//	landmarks    see [onLandmarks]
//	Newton       6 factorizations of 2n³/3 operations in float64
//	others       4·n³ operations in float64
func estimate(t lapsvm.Trainer, plan lapsvm.Plan, x *points.Points, flops float64) time.Duration {
	n, d, machines := float64(plan.N), float64(x.Stored()/max(x.Len(), 1)), float64(plan.Machines)
	products := n * n * d / flops
	seconds := products
	switch plan.Recipe.Solver {
	case lapsvm.PCG:
		iterations := math.Sqrt(n)
		if limit := float64(t.Recipe.MaxIterations); limit > 0 && (t.Recipe.Stop == solve.None || limit < iterations) {
			iterations = limit
		}
		var each float64
		switch plan.Gram.Form {
		case gram.FormPoints:
			seconds = 0
			each = 2 * 8 * n * d * machines / roughReading
			if !t.Recipe.Supervised {
				seconds = products // of the neighbours
			}
		case gram.FormStreamed:
			each = products + 2*n*n*machines/flops
		default:
			each = n*n/2*float64(plan.Recipe.Precision/8)*math.Ceil(machines/16)/roughReading + 2*n*n*machines/flops
		}
		if t.Recipe.Calibrate && !t.Recipe.OneClass {
			each *= 2
		}
		seconds += iterations * each
	case train.Landmarks:
		seconds = 2 * onLandmarks(t, plan, d) / flops
	case lapsvm.Newton:
		seconds += 6 * 2 / 3.0 * n * n * n / (flops / 2)
	default:
		seconds += 4 * n * n * n / (flops / 2)
	}
	return time.Duration(min(seconds, 1e9) * float64(time.Second))
}

// onLandmarks is roughly how many multiply-adds a training on m landmarks takes, each as fast as the speed that is measured:
//
//	neighbours   n²·(d + 16)/2, beyond 5e11 n·(1.3e6 + 10,000·d)·(n/1e6)^0.38
//	features     4.25·n·m² with the products that the solution needs, 2·n·m² for a challenger
//	graph        25,000·n·k
//	iteration    16·n·(6.4·m + 620·k) of 16 columns, up to 2.2 times that, as panels of more than some 100,000 points are not in the caches
//	labels       13·l³·machines for those of columns and what they are without each, 7·l³·machines beside a sample
//	new points   n·(4e5 + 50,000·machines)
//
// k is the number of neighbours. 8 columns take half of 16. The first panel takes 8 iterations, and another 3. A challenger
// takes as many again. Where a sample stands for all points, these have a column for each machine, and one that corrects it. Beyond 1,000 labels Newton's method
// takes 50 iterations for 16 machines, and as many without each part of the labels: five of a sample, one of all points.
func onLandmarks(t lapsvm.Trainer, plan lapsvm.Plan, d float64) float64 {
	n, m, k := float64(plan.N), float64(plan.Recipe.Landmarks), float64(plan.Recipe.Leading().Neighbours)
	l, machines := float64(plan.Labelled), float64(plan.Machines)
	panels := func(columns int) float64 { return math.Ceil(float64(columns)/8) / 2 }
	solved := func(columns int) float64 {
		if columns <= 8 {
			return 4
		}
		return 5 + 3*panels(columns)
	}
	work := func(n, iterations, times float64) float64 {
		search := n * n * (d + 16) / 2
		if search > exactSearch/2 {
			search = n * (1.3e6 + 10000*d) * math.Pow(n/1e6, 0.38)
		}
		return search + n*(25000*k+(2.25+2*times)*m*m+times*iterations*16*(6.4*m+620*k)*(1+1.2*min(1, n/3e5)))
	}
	times := 1.0
	if t.Recipe.Open() || plan.Recipe.Challenger != nil {
		times = 2
	}
	newton, ending := 50*panels(plan.Machines), n*(4e5+50000*machines)
	without := t.Recipe.Calibrate && !t.Recipe.OneClass
	leftOut := 0.0 // machines without each label
	if without {
		leftOut = times * 13 * l * l * l * machines
	}
	switch sampled := plan.Sampled(); {
	case sampled > 0 && plan.ByNewton():
		return ending + work(n, newton, 1) + work(float64(sampled), 6*newton, 1)
	case sampled > 0:
		return ending + leftOut + 7*l*l*l*machines + work(n, solved(plan.Machines+1)+3*panels(plan.Machines), 1) + work(float64(sampled), solved(plan.Labelled+1), times)
	case !plan.ByNewton():
		return ending + leftOut + work(n, solved(plan.Labelled+1), times)
	case without:
		return ending + work(n, 2*newton, 1)
	}
	return ending + work(n, newton, 1)
}

// exactSearch is the most n²·(d + 16) of an exact search for neighbours, as package graph has it for dense points.
const exactSearch = 5e11

// beyondPlan is what the program takes beyond the plan of a training: its code, its stacks and buffers, and garbage. Of trainings of
// 100,000 points with 2 to 50 classes it was 126 to 176 MB.
const beyondPlan = 128 << 20

// memory is roughly the most memory of the program until the model is written. It is what the training will take by its plan, unless reading and
// choosing have taken more.
func memory(plan lapsvm.Plan) int64 { return max(plan.Bytes()+beyondPlan, machine.Peak()) }

// announce writes an estimate of a longer training to standard error, before it begins: how long it will take from there on. What
// the training will refuse, it says itself.
func announce(ctx context.Context, p *cli.Program, t lapsvm.Trainer, d *dataset.Dataset, output *cli.OutputFlags) {
	if output.Quiet {
		return
	}
	plan, err := t.Plan(ctx, d)
	if err != nil {
		return
	}
	threads := parallel.Threads(ctx)
	expected := estimate(t, plan, d.Points, speed(ctx))
	if expected < worthSaying {
		return
	}
	p.Progress.Done()
	fmt.Fprintf(p.Errors(), "%d points, %s: %s to go by %s on %s; %s of memory, of which %s for the Gram matrix\n", plan.N, cli.Count(plan.D, "feature", "features"),
		cli.Roughly(expected), plan.Recipe.Solver, cli.Count(threads, "thread", "threads"), size.Text(memory(plan)), size.Text(plan.Gram.Bytes))
}
