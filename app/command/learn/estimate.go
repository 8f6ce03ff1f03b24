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
	"lapsvm/internal/system/size"
	"lapsvm/points"
)

// roughFlops is the rough speed of one thread of a server's processor, by the path of the
// kernels: operations a second in float32, half as many in float64. A multiply-add counts as
// two operations. lapsvm bench measures the machine's own speed.
func roughFlops(path string) float64 {
	switch path {
	case "avx512":
		return 100e9
	case "avx2":
		return 60e9
	case "neon":
		return 50e9
	}
	return 4e9
}

// roughReading is a rough rate in bytes a second at which memory is read,
// whatever the threads.
const roughReading = 15e9

// worthSaying is how long a training must be expected to take for an estimate.
const worthSaying = 5 * time.Second

// estimate is roughly how long a fit of points will take, from its plan and the trainer:
//
//	Gram matrix  n²·d operations
//	PCG          √n iterations, each reading the matrix once and 2·n²·machines
//	             operations; twice that with probabilities
//	landmarks    see [onLandmarks]
//	Newton       6 factorizations of 2n³/3 operations in float64
//	others       4·n³ operations in float64
func estimate(t lapsvm.Trainer, plan lapsvm.Plan, x *points.Points, threads int) time.Duration {
	n, d, machines := float64(plan.N), float64(x.Stored()/max(x.Len(), 1)), float64(plan.Machines)
	flops := roughFlops(vec.Path()) * float64(threads)
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

// onLandmarks is roughly how many multiply-adds a training on m landmarks takes. They are for every point 1e6 + 10,000·d for its
// neighbours, its place in the index and its features, 5·m² for the matrices of features, and 16·(4·m + 380·k) for an iteration with k
// neighbours. The first panel of 16 columns takes 8 iterations, and another 3; one of 8 columns takes half as long. A challenger takes as many again, and 2·m². Where a sample
// stands for all points, these have a column for each machine, in 20 iterations for 16 machines. Beyond 1,000 labels Newton's method
// takes 50 iterations for 16 machines, and as many without each part of the labels: five of a sample, one of all points. With up to
// 1,000 labels l machines without each take 8·l³ for a machine.
func onLandmarks(t lapsvm.Trainer, plan lapsvm.Plan, d float64) float64 {
	n, m := float64(plan.N), float64(plan.Recipe.Landmarks)
	panels := func(columns int) float64 { return math.Ceil(float64(columns)/8) / 2 }
	work := func(n, iterations, times float64) float64 {
		k := float64(plan.Recipe.Leading().Neighbours)
		return n * (1e6 + 10000*d + (3+2*times)*m*m + times*iterations*16*(4*m+380*k))
	}
	times := 1.0
	if t.Recipe.Open() || plan.Recipe.Challenger != nil {
		times = 2
	}
	columns, newton := 5+3*panels(plan.Labelled+1), 50*panels(plan.Machines)
	without := t.Recipe.Calibrate && !t.Recipe.OneClass
	leftOut := 0.0 // machines without each label
	if l := float64(plan.Labelled); without {
		leftOut = times * 8 * l * l * l * float64(plan.Machines)
	}
	switch sampled, _ := plan.Sampled(); {
	case sampled > 0 && plan.ByNewton():
		return work(n, newton, 1) + work(float64(sampled), 6*newton, 1)
	case sampled > 0:
		return leftOut + work(n, 20*panels(plan.Machines+1), 1) + work(float64(sampled), columns, times)
	case !plan.ByNewton():
		return leftOut + work(n, columns, times)
	case without:
		return work(n, 2*newton, 1)
	}
	return work(n, newton, 1)
}

// announce writes an estimate of a longer training to standard error, before it begins. What
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
	expected := estimate(t, plan, d.Points, threads)
	if expected < worthSaying {
		return
	}
	p.Progress.Done()
	fmt.Fprintf(p.Errors(), "%d points, %s: %s by %s on %s; %s for the Gram matrix, %s for the solver\n", plan.N, cli.Count(plan.D, "feature", "features"),
		cli.Roughly(expected), plan.Recipe.Solver, cli.Count(threads, "thread", "threads"), size.Text(plan.Gram.Bytes), size.Text(plan.Beside))
}
