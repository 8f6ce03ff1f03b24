package learn

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"lapsvm"
	"lapsvm/app/answer"
	"lapsvm/app/command/cli"
	"lapsvm/dataset"
	"lapsvm/internal/machines/nystrom"
	"lapsvm/internal/machines/solve"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/system/machine"
	"lapsvm/internal/system/size"
	"lapsvm/points"
)

// measuring is how long the speed of the threads is measured at first. For what takes longer it is measured anew, several times as long
// each time, and the middle one counts. Beside other work it varies from one moment to the next.
const measuring = 5 * time.Millisecond

// estimated is [estimate] by the speed of the threads at present.
func estimated(ctx context.Context, t lapsvm.Trainer, plan lapsvm.Plan, x *points.Points) time.Duration {
	by := func(d time.Duration) time.Duration {
		return estimate(t, plan, x, vec.PeakFMA32(ctx, d), parallel.Threads(ctx))
	}
	if first := by(measuring); first < worthSaying {
		return first
	}
	const times, longer = 5, 6
	var all [times]time.Duration
	for i := range all {
		all[i] = by(longer * measuring)
	}
	slices.Sort(all[:])
	return all[times/2]
}

// roughReading is a rough rate in bytes a second at which memory is read,
// whatever the threads.
const roughReading = 15e9

// slow is a rate of float32 operations that hardly any machine is below.
const slow = 10e9

// worthSaying is how long a training must be expected to take for an estimate.
const worthSaying = 5 * time.Second

// estimate is roughly how long a fit of points will take from here on until the model is written. It goes by the plan, the trainer, and the
// float32 operations that so many threads do together in a second. Of those in float64 they do half as many:
//
//	Gram matrix  n²·d operations
//	PCG          √n iterations, each reading the matrix once and 2·n²·machines
//	             operations; twice that with probabilities
//	landmarks    see [onLandmarks]
//	Newton       6 factorizations of 2n³/3 operations in float64
//	others       4·n³ operations in float64
//
// Rows that have no part are decided afterwards, see [newPoint].
func estimate(t lapsvm.Trainer, plan lapsvm.Plan, x *points.Points, flops float64, threads int) time.Duration {
	n, d := float64(plan.N), float64(x.Stored()/max(x.Len(), 1))
	products := n * n * d / flops
	seconds := products
	switch plan.Recipe.Solver {
	case lapsvm.PCG:
		iterations := math.Sqrt(n)
		if limit := float64(t.Recipe.MaxIterations); limit > 0 && (t.Recipe.Stop == solve.None || limit < iterations) {
			iterations = limit
		}
		if leavesOut(t.Recipe) {
			iterations *= 2
		}
		if plan.Gram.Form == gram.FormPoints && t.Recipe.Supervised { // no neighbours
			seconds = 0
		}
		seconds += iterations * timePCG(plan.Gram.Form, n, d, float64(plan.Machines), float64(plan.Recipe.Precision/8), flops)
	case train.Landmarks:
		if seconds = 2 * onLandmarks(t, plan, d, float64(threads)) / flops; threads > 1 {
			seconds /= busy
		}
	case lapsvm.Newton:
		seconds += 6 * 2 / 3.0 * n * n * n / (flops / 2)
	default:
		seconds += 4 * n * n * n / (flops / 2)
	}
	if rest := x.Len() - plan.N; rest > 0 && t.Recipe.MostPoints > 0 {
		seconds += 2 * newPoint * float64(rest) / flops
	}
	if len(plan.Recipe.Pending.Unseen) > 0 && !t.Recipe.Supervised { // else there is nothing to compare with
		l := float64(min(plan.Labelled, train.LandmarkLimit))
		seconds += l*l*d/flops + math.Sqrt(l)*timePCG(gram.FormHalf, l, d, float64(plan.Machines), 4, flops)
	}
	return time.Duration(min(seconds, 1e9) * float64(time.Second))
}

// leavesOut reports whether there are machines without some labels beside.
func leavesOut(r lapsvm.Recipe) bool { return r.Calibrate && !answer.KindOf(r.Kind).Outside() }

// newPoint is how many multiply-adds could be done while a row that had no part in a training is decided, most without their neighbours.
const newPoint = 2e5

// timePCG is roughly the seconds of an iteration for a Gram matrix of numbers of so many bytes, stored in a form.
func timePCG(form gram.Form, n, d, machines, bytes, flops float64) float64 {
	read, done := form.Work(n, d, machines, bytes)
	return read/roughReading + done/flops
}

// onLandmarks is roughly how many multiply-adds a training on m landmarks takes, or could do in the time, each as fast as the speed that is measured:
//
//	neighbours   n²·(d + 16)/2, beyond 5e11 n·(1.3e6 + 10,000·d)·(n/1e6)^0.38
//	features     4.25·n·m² with the products that the solution needs, 2·n·m² for a challenger
//	level 2      32·m rows of Φ by as many neighbours of neighbours as Lᵖ has, 25·m for each
//	graph        15,000·n·k by one thread
//	iteration    see [panelWork]
//	labels       13·l³·machines for those of columns and what they are without each, 7·l³·machines beside a sample
//	new points   n·(4e5 + 50,000·machines)
//
// k is the number of entries of L in a row. How many iterations a panel of labels takes, and how many products with L each, is what they took where the
// parameters were chosen, or [usualPace]. Columns of all points are finer, and take 1.3 times as many iterations. A challenger takes as many again. Where a sample stands for all points, these have a column for each machine, with
// 6 iterations, and one that corrects it, with 2. Beyond 1,000 labels Newton's method
// trains panels of machines, and panels of machines that lack a part of the labels. A panel takes about 430 products with L in all iterations, and 310 of all points where there is a sample
// too. An iteration has 0.6 times as many as one for columns, at least 4, as the labels have a part in the preconditioner.
func onLandmarks(t lapsvm.Trainer, plan lapsvm.Plan, d, threads float64) float64 {
	n, m := float64(plan.N), float64(plan.Recipe.Landmarks)
	k, p := entries*float64(plan.Recipe.Leading().Neighbours), plan.Recipe.Leading().LaplacianDegree
	l, machines := float64(plan.Labelled), float64(plan.Machines)
	pace := usualPace
	if c := plan.Recipe.Choice; c != nil && c.Pace.Panels > 0 {
		pace = c.Pace
	}
	each := float64(pace.Iterations) / float64(pace.Panels)
	prepared := func(n, times float64) float64 {
		search := n * n * (d + 16) / 2
		if search > exactSearch/2 {
			search = n * (1.3e6 + 10000*d) * math.Pow(n/1e6, 0.38)
		}
		rows := math.Pow(k, float64(p/2)) * float64(1+p%2)
		return search + n*(threads*15000*k+(2.25+2*times)*m*m) + times*32*m*min(rows, n)*25*m
	}
	byPanels := func(n float64, columns int, iterations, products, step float64) float64 {
		work := func(width int) float64 { return panelWork(n, m, k, width, products+float64(2*p), step) }
		all := float64(columns/vec.MaxPanel) * work(vec.MaxPanel)
		if rest := columns % vec.MaxPanel; rest > 0 {
			all += work(vec.StepWidth(rest))
		}
		return iterations * n * all
	}
	times := 1.0
	if t.Recipe.Open() || plan.Recipe.Pending.Challenger != nil {
		times = 2
	}
	ending := n * (4e5 + 50000*machines)
	without := leavesOut(t.Recipe)
	leftOut := 0.0 // machines without each label
	if without {
		leftOut = times * 13 * l * l * l * machines
	}
	const machine, correction, finer = 6, 2, 1.3
	sampled, products := float64(plan.Sampled()), float64(pace.Products)
	if plan.ByNewton() {
		const whole, part, fewest, most, step = 310, 430, 4, 60, 800
		products = max(0.6*products, fewest)
		newton := func(n float64, columns int, effort float64) float64 {
			return byPanels(n, columns, min(effort/products, most), products, step)
		}
		all := ending + prepared(n, 1)
		if sampled > 0 {
			all += newton(n, plan.Machines, whole) + prepared(sampled, 1)
			n = sampled
		}
		if all += newton(n, plan.Machines, part); without {
			all += newton(n, plan.HeldOut(), part)
		}
		return all
	}
	solved := func(n float64, columns int, iterations float64) float64 {
		const step = 1400
		return byPanels(n, columns, iterations, products, step)
	}
	if sampled > 0 {
		return ending + leftOut + 7*l*l*l*machines + prepared(n, 1) + solved(n, plan.Machines+1, machine) + solved(n, plan.Machines, correction) +
			prepared(sampled, times) + times*solved(sampled, plan.Labelled+1, each)
	}
	return ending + leftOut + prepared(n, times) + times*solved(n, plan.Labelled+1, finer*each)
}

// busy is the share of the time that several threads work while work is shared by them.
const busy = 0.85

// entries is how many entries of L a row has for every neighbour of a point, about: neighbours are often not mutual.
const entries = 1.6

// usualPace is what columns take, about, where none were solved for before.
var usualPace = nystrom.Pace{Panels: 1, Iterations: 4, Products: 21}

// panelWork is the multiply-adds of one point in an iteration for a panel of so many columns, with so many products with L in float32. One in
// float64 counts as two:
//
//	Φ      four products, at half of the speed
//	L      a row of the panel for every entry, which takes as long as 160 multiply-adds, and twice that beyond the caches
//	step   multiply-adds of conjugate gradient itself, for each column
func panelWork(n, m, k float64, width int, products, step float64) float64 {
	row := 160.0
	if width < vec.MaxPanel {
		row *= 0.8
	}
	return 8*m*float64(width) + products*k*row*(1+min(1, n/1e5)) + step*float64(width)
}

// exactSearch is the most n²·(d + 16) of an exact search for neighbours, as package graph has it for dense points.
const exactSearch = 5e11

// beyondPlan is what the program takes beyond the plan of a training: its code, its stacks and buffers. Of trainings of
// 100,000 points with 2 to 50 classes it was 126 to 176 MB.
const beyondPlan = 128 << 20

// memory is roughly the most memory of the program until the model is written. It is that of the training by its plan, or of reading and choosing if they
// have taken more. Points that are described are there as they were read, too.
func memory(plan lapsvm.Plan, read, described *dataset.Dataset) int64 {
	bytes := plan.Bytes() + cli.Garbage(plan) + beyondPlan
	if read.Points != described.Points {
		bytes += read.Points.Bytes()
	}
	return max(bytes, machine.Peak())
}

// announce writes an estimate of a longer training to standard error, before it begins: how long it will take from there on. What
// the training will refuse, it says itself.
func announce(ctx context.Context, p *cli.Program, t lapsvm.Trainer, read, d *dataset.Dataset, output *cli.OutputFlags) {
	if output.Quiet {
		return
	}
	plan, err := t.Plan(ctx, d)
	if err != nil {
		return
	}
	if estimate(t, plan, d.Points, slow, 1) < worthSaying { // measuring takes part of a short training
		return
	}
	expected := estimated(ctx, t, plan, d.Points)
	if expected < worthSaying {
		return
	}
	p.Progress.Done()
	fmt.Fprintf(p.Errors(), "%d points, %s: %s to go by %s on %s; %s of memory, of which %s for the Gram matrix\n", plan.N, cli.Count(plan.D, "feature", "features"),
		cli.Roughly(expected), plan.Recipe.Solver, cli.Count(parallel.Threads(ctx), "thread", "threads"), size.Text(memory(plan, read, d)), size.Text(plan.Gram.Bytes))
}
