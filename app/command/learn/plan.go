package learn

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"lapsvm"
	"lapsvm/app/command/cli"
	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/system/size"
)

// planResult is the JSON of a plan.
type planResult struct {
	N       int                 `json:"n"` // points of a rank, or all
	D       int                 `json:"d"`
	Solver  lapsvm.Solver       `json:"solver"`
	Memory  int64               `json:"memory_bytes"` // of a rank, or of the program, with what choosing took
	Gram    int64               `json:"gram_bytes"`
	Seconds float64             `json:"seconds"` // roughly
	Ranks   *train.RanksSummary `json:"ranks,omitempty"`
}

// plan prints the estimate of a training of d, which describes what was read. Describing and choosing have taken this long already.
func plan(ctx context.Context, p *cli.Program, t lapsvm.Trainer, read, d *dataset.Dataset, chosen time.Duration, output *cli.OutputFlags) error {
	if !d.Ranks().Alone() {
		t.Recipe.Solver = lapsvm.Landmarks
	}
	plan, err := t.Plan(ctx, d)
	p.Progress.Done()
	if err != nil || p.Comm().Rank() > 0 {
		return err
	}
	ranks := plan.Ranks
	threads := parallel.Threads(ctx)
	expected := chosen + estimated(ctx, t, plan, d.Points)
	if output.JSON {
		return cli.PrintJSON(p.Stdout, planResult{plan.N, plan.D, plan.Recipe.Solver, memory(plan, read, d), plan.Gram.Bytes, expected.Seconds(), ranks})
	}
	all := d.Len()
	if ranks != nil {
		all = plan.N
	}
	fmt.Fprintf(p.Text, "%s, %s: %s by %s on %s\n", pointsText(plan.N, all), cli.Count(plan.D, "feature", "features"), cli.Roughly(expected), plan.Recipe.Solver, cli.Count(threads, "thread", "threads"))
	fmt.Fprintf(p.Text, "memory %s: of the training %s for the points, %s for the Gram matrix, %s beside\n", size.Text(memory(plan, read, d)), size.Text(plan.Points), size.Text(plan.Gram.Bytes), size.Text(plan.Beside))
	if ranks == nil {
		return nil
	}
	fmt.Fprintf(p.Text, "this is for each of %d ranks, which has at most %d points and the values of %d points of other ranks; %.1f %% of the edges join two ranks\n", ranks.Size, ranks.Points, ranks.Halo, 100*ranks.Cut)
	var sent []string
	for _, stage := range slices.Sorted(maps.Keys(ranks.Sent)) {
		sent = append(sent, fmt.Sprintf("%s %s", stage, size.Text(ranks.Sent[stage])))
	}
	panels := (plan.Labelled+1)/16 + 1
	fmt.Fprintf(p.Text, "a rank sends at most: %s; and %s in each iteration of solve (about %d)\n", strings.Join(sent, ", "), size.Text(ranks.SentPerIteration), 12*panels)
	return nil
}
