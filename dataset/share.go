package dataset

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"lapsvm/internal/ranks/comm"
	"lapsvm/internal/system/fault"
	"lapsvm/points"
)

// Share makes d, some rows of a data set, the share of this rank. [Dataset.Column] holds the index
// of each row among all rows, ascending. A nil c is a process alone, to which Share returns d. Where
// the ranks together leave indices out, because some rows were not selected, all rows are
// renumbered. Classes and columns of the shares are the same. Share fails, on all ranks, where
// tables differ in form, and when ctx is done. Cost: where rows are renumbered, every rank receives
// all indices.
func (d *Dataset) Share(ctx context.Context, c *comm.Comm) (*Dataset, error) {
	if c.Alone() {
		return d, nil
	}
	if d.Edges.Given() {
		return nil, fault.Errorf("given edges are for a single process: train on them without other ranks")
	}
	s := *d
	s.ranks, s.Column = c, d.Rows()
	form := shareForm{d.Points.Dim(), d.Points.Storage(), d.Points.Sparse(), d.Classes, d.Weights != nil, !d.Kept.None()}
	encoded, err := json.Marshal(form)
	if err != nil {
		return nil, err
	}
	all, err := c.Gather(ctx, encoded)
	if err != nil {
		return nil, err
	}
	for r, other := range all {
		if string(other) != string(all[0]) {
			var a, b shareForm
			if err := errors.Join(json.Unmarshal(all[0], &a), json.Unmarshal(other, &b)); err != nil {
				return nil, err
			}
			return nil, fault.Errorf("the rows of rank 0 have %s, those of rank %d %s: give files of the same columns and classes", a, r, b)
		}
	}
	shares, err := c.Partition(ctx, d.Points.Len())
	if err != nil {
		return nil, err
	}
	s.Total = shares.Len()
	last := []float64{-1}
	if rows := s.Column; len(rows) > 0 {
		last[0] = float64(rows[len(rows)-1])
	}
	if err := c.Max(ctx, last); err != nil || int(last[0]) < s.Total {
		return &s, err
	}
	if all, err = c.Gather(ctx, comm.Bytes(s.Column)); err != nil {
		return nil, err
	}
	var others []int
	for _, bytes := range all {
		others = append(others, comm.Numbers[int](bytes)...)
	}
	slices.Sort(others)
	renumbered := make([]int, len(s.Column))
	for k, row := range s.Column {
		renumbered[k], _ = slices.BinarySearch(others, row)
	}
	s.Column = renumbered
	return &s, nil
}

// shareForm is what has to be the same of all shares.
type shareForm struct {
	Columns       int
	Storage       points.Storage
	Sparse        bool
	Classes       []string
	Weights, Kept bool
}

func (f shareForm) String() string {
	kind := f.Storage.String()
	if f.Sparse {
		kind = "sparse"
	}
	return fmt.Sprintf("%d columns (%s) and the classes %q", f.Columns, kind, f.Classes)
}

// Ranks returns the ranks that share the data set; nil for a process alone.
func (d *Dataset) Ranks() *comm.Comm { return d.ranks }

// Len returns the number of rows, of a shared data set those of all ranks.
func (d *Dataset) Len() int {
	if d.ranks == nil {
		return len(d.Y)
	}
	return d.Total
}

// AllRows returns 0, 1, …: the rows of the data set, of a shared one those of all ranks.
func (d *Dataset) AllRows() []int { return Own{}.Rows(d.Len()) }

// Own returns which rows of a shared data set this rank has, ascending. It is nil for a process
// alone, which has all.
func (d *Dataset) Own() []int {
	if d.ranks == nil {
		return nil
	}
	if d.Column == nil { // it has none
		return []int{}
	}
	return d.Column
}

// number returns which row of all a row of d is.
func (d *Dataset) number(i int) int {
	if d.ranks == nil {
		return i
	}
	return d.Column[i]
}

// here returns the rows of d that are some rows of all, ascending.
func (d *Dataset) here(rows []int) []int {
	if d.ranks == nil {
		return rows
	}
	var own []int
	for _, row := range rows {
		if i, has := slices.BinarySearch(d.Column, row); has {
			own = append(own, i)
		}
	}
	return own
}

// Among returns copies of the given rows, ascending. Of a shared data set it is the share of these
// rows, which are numbered anew. All ranks must call it with the same rows.
func (d *Dataset) Among(ctx context.Context, rows []int) (*Dataset, error) {
	return d.Subset(d.here(rows)).Share(ctx, d.ranks)
}

// rowText is what goes with the features of rows that are sent.
type rowText struct {
	Rows, Y []int
	Weights Weights
	Kept    [][]string
}

// add adds what goes with rows of d.
func (t *rowText) add(d *Dataset, rows []int) {
	for _, i := range rows {
		t.Rows, t.Y = append(t.Rows, d.number(i)), append(t.Y, d.Y[i])
		if !d.Kept.None() {
			t.Kept = append(t.Kept, d.Kept.Rows[i])
		}
	}
	t.Weights = append(t.Weights, d.Weights.Of(rows)...)
}

// joined returns what ranks have sent, one after another.
func joined(texts [][]byte) (all rowText, err error) {
	for _, text := range texts {
		if len(text) == 0 {
			continue
		}
		var t rowText
		if err := json.Unmarshal(text, &t); err != nil {
			return all, err
		}
		all.Rows, all.Y, all.Weights, all.Kept = append(all.Rows, t.Rows...), append(all.Y, t.Y...), append(all.Weights, t.Weights...), append(all.Kept, t.Kept...)
	}
	return all, nil
}

// Send sends own rows of a shared data set to other ranks and returns the share of the rows
// received, in the order of all rows. to[r] lists the rows for rank r by their index in d. A row
// may go to several ranks. Cost: the bytes sent.
func (d *Dataset) Send(ctx context.Context, to [][]int) (*Dataset, error) {
	features, texts := make([][]byte, len(to)), make([][]byte, len(to))
	for r, rows := range to {
		if len(rows) == 0 {
			continue
		}
		var t rowText
		t.add(d, rows)
		var err error
		if texts[r], err = json.Marshal(t); err != nil {
			return nil, err
		}
		features[r] = d.Points.AppendRows(nil, rows)
	}
	features, err := d.ranks.AllToAll(ctx, features)
	if err != nil {
		return nil, err
	}
	if texts, err = d.ranks.AllToAll(ctx, texts); err != nil {
		return nil, err
	}
	t, err := joined(texts)
	if err != nil {
		return nil, err
	}
	got := *d
	got.undescribed = nil
	got.Points, got.Column, got.Y, got.Weights = points.FromRows(d.Points, features...), t.Rows, t.Y, t.Weights
	got.Kept = Kept{Names: d.Kept.Names, Rows: t.Kept}
	if slices.IsSorted(got.Column) {
		return &got, nil
	}
	sorted := got.Subset(ascending(got.Column))
	sorted.ranks, sorted.Total = d.ranks, d.Total
	return sorted, nil
}

// ascending returns the order in which rows ascend.
func ascending(rows []int) []int {
	order := make([]int, len(rows))
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(rows[a], rows[b]) })
	return order
}

// Gather returns the given rows of all, ascending, as a data set of a process alone: on the ranks
// where wanted is set, and without rows on other ranks. All ranks must call it with the same rows.
func (d *Dataset) Gather(ctx context.Context, rows []int, wanted bool) (*Dataset, error) {
	if d.ranks == nil {
		return d.Subset(rows), nil
	}
	want := []byte{0}
	if wanted {
		want[0] = 1
	}
	all, err := d.ranks.Gather(ctx, want)
	if err != nil {
		return nil, err
	}
	mine := d.here(rows)
	to := make([][]int, d.ranks.Size())
	for r := range to {
		if all[r][0] == 1 {
			to[r] = mine
		}
	}
	return d.sendAway(ctx, to)
}

// All returns the whole data set on rank 0, as that of a process alone, and one without rows on the
// other ranks.
func (d *Dataset) All(ctx context.Context) (*Dataset, error) {
	if d.ranks == nil {
		return d, nil
	}
	to := make([][]int, d.ranks.Size())
	to[0] = Own{}.Rows(len(d.Y))
	return d.sendAway(ctx, to)
}

// sendAway is Send to ranks that each go on alone.
func (d *Dataset) sendAway(ctx context.Context, to [][]int) (*Dataset, error) {
	got, err := d.Send(ctx, to)
	if err != nil {
		return nil, err
	}
	if len(got.Y) == d.Total {
		got.Column = nil
	}
	got.ranks, got.Total = nil, 0
	return got, nil
}

// Labels returns the rows that have a label, ascending, and the class and weight of each. Of a shared data set they are those of all ranks, on all of them.
func (d *Dataset) Labels(ctx context.Context) (rows, class []int, weights Weights, err error) {
	var t rowText
	t.add(d, d.Labelled())
	t.Kept = nil // which nobody asks for
	if d.ranks == nil {
		return t.Rows, t.Y, t.Weights, nil
	}
	encoded, err := json.Marshal(t)
	if err != nil {
		return nil, nil, nil, err
	}
	all, err := d.ranks.Gather(ctx, encoded)
	if err != nil {
		return nil, nil, nil, err
	}
	if t, err = joined(all); err != nil {
		return nil, nil, nil, err
	}
	order := ascending(t.Rows)
	for _, k := range order {
		rows, class = append(rows, t.Rows[k]), append(class, t.Y[k])
	}
	return rows, class, t.Weights.Of(order), nil
}

// AllLabels returns d.Y of all rows of a shared data set, on all ranks.
func (d *Dataset) AllLabels(ctx context.Context) ([]int, error) {
	if d.ranks == nil {
		return d.Y, nil
	}
	rows, class, _, err := d.Labels(ctx)
	y := slices.Repeat([]int{Unlabelled}, d.Total)
	for k, row := range rows {
		y[row] = class[k]
	}
	return y, err
}
