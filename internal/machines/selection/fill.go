package selection

import (
	"context"
	"encoding/json"
	"slices"

	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/ranks/comm"
	"lapsvm/internal/system/fault"
)

// Fill returns the recipe with what it leaves open chosen, and d as the recipe describes it. Where the
// recipe asks for rules of thumb, Fill chooses description and scaling alone; [train.Fit] does the rest.
//
// Of ranks that share d rank 0 chooses, and sends the recipe to the other ranks. It chooses on all
// rows up to 20,000, else on 20,000 drawn by the seed together with all labelled rows.
func Fill(ctx context.Context, d *dataset.Dataset, r train.Recipe, run train.Run) (*dataset.Dataset, train.Recipe, error) {
	run = run.Comparing()
	if err := run.Check(d); err != nil {
		return nil, r, err
	}
	if !d.Ranks().Alone() {
		return onFirst(ctx, d, r, run)
	}
	described, chosen, n, err := fillOne(ctx, d, r, run)
	if err == nil && averaged(d, r, run) {
		chosen, _, err = withViews(ctx, d, r, chosen, n, run)
	}
	return described, chosen, err
}

// fillOne is [Fill] of one machine. It also returns what labels without a part in the choice say, nil where there are none.
func fillOne(ctx context.Context, rows *dataset.Dataset, asked train.Recipe, run train.Run) (*dataset.Dataset, train.Recipe, *nested, error) {
	d, r, err := Describe(ctx, rows, asked, run)
	if err != nil {
		return nil, r, nil, err
	}
	scaled, err := Scale(ctx, d, r, run)
	if err != nil || scaled.RulesOfThumb || !scaled.Open() && !scaled.OpenEdgeWeight(d) || len(scaled.Members) > 0 { // the width of members is found in the points
		return d, scaled, nil, err
	}
	return chooseGraphs(ctx, rows, d, asked, scaled, run)
}

// onFirst has rank 0 choose for all, since what is compared are small exact machines.
func onFirst(ctx context.Context, d *dataset.Dataset, r train.Recipe, run train.Run) (*dataset.Dataset, train.Recipe, error) {
	r, err := reportedByFirst(ctx, d, r, run)
	if err == nil {
		d, err = train.Describe(ctx, d, r, run)
	}
	return d, r, err
}

// reportedByFirst returns the recipe that rank 0 chooses.
func reportedByFirst(ctx context.Context, d *dataset.Dataset, r train.Recipe, run train.Run) (train.Recipe, error) {
	if !r.Open() {
		return r, nil
	}
	rows, _, _, err := d.Labels(ctx)
	if err != nil {
		return r, err
	}
	rows = append(rows, gram.DrawRows(d.Len(), chosenPoints, r.Seed)...)
	slices.Sort(rows)
	first := d.Ranks().Rank() == 0
	sample, err := d.Gather(ctx, slices.Compact(rows), first)
	if err != nil {
		return r, err
	}
	var told []byte
	if first {
		goOn := run.WhileOthersWait(d.Ranks())
		_, r, err = Fill(ctx, sample, r, run)
		goOn()
		if err != nil {
			return r, err
		}
		r.Pending.Unseen, r.Pending.Labels, r.Pending.KeepsAll = nil, 0, false // they count labels of the sample
		if told, err = json.Marshal(r); err != nil {
			return r, err
		}
	}
	if told, err = d.Ranks().Broadcast(comm.Expect(ctx), 0, told); err != nil {
		return r, err
	}
	if err := json.Unmarshal(told, &r); err != nil {
		return r, fault.Errorf("ranks cannot tell one another of a kernel of the program's own: give all parameters")
	}
	return r, nil
}
