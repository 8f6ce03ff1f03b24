package dataset

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"lapsvm/internal/ranks/comm"
	"lapsvm/points"
)

// Share is the rows of a data set that one of several ranks has. Classes and columns are the same
// on all ranks.
type Share struct {
	*Dataset
	Rows  []int // of all, that its rows are, ascending
	Total int   // rows of all
	ranks *comm.Comm
}

// NewShare makes this rank's share of a data set, from d with some rows of it, so that classes and
// columns are the same on all ranks. rows holds the index of each row of d among all rows,
// ascending. Where the ranks together leave indices out, because some rows were not selected,
// all rows are renumbered. NewShare fails, on all ranks, where tables differ in form, and when
// ctx is done. It panics where rows and d differ in length. Cost: where rows are renumbered,
// every rank receives all indices.
func NewShare(ctx context.Context, c *comm.Comm, d *Dataset, rows []int) (*Share, error) {
	if len(rows) != d.Points.Len() {
		panic(fmt.Sprintf("dataset: %d numbers of %d rows", len(rows), d.Points.Len()))
	}
	own := *d
	own.Column, own.Total = nil, 0
	s := &Share{Dataset: &own, Rows: rows, ranks: c}
	form := shareForm{d.Points.Dim(), d.Points.Storage(), d.Points.Sparse(), d.Classes, d.Weights != nil, d.Kept != nil}
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
			return nil, fmt.Errorf("the rows of rank 0 have %s, those of rank %d %s: give files of the same columns and classes", a, r, b)
		}
	}
	shares, err := c.Shares(ctx, d.Points.Len())
	if err != nil {
		return nil, err
	}
	s.Total = shares.Len()
	last := []float64{-1}
	if len(rows) > 0 {
		last[0] = float64(rows[len(rows)-1])
	}
	if err := c.Max(ctx, last); err != nil || int(last[0]) < s.Total {
		return s, err
	}
	numbered := make([]int64, len(rows))
	for k, row := range rows {
		numbered[k] = int64(row)
	}
	if all, err = c.Gather(ctx, comm.Bytes(numbered)); err != nil {
		return nil, err
	}
	var others []int64
	for _, bytes := range all {
		others = append(others, comm.Of[int64](bytes)...)
	}
	slices.Sort(others)
	s.Rows = make([]int, len(rows))
	for k, row := range numbered {
		s.Rows[k], _ = slices.BinarySearch(others, row)
	}
	return s, nil
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

// Ranks returns the ranks that share the data set.
func (s *Share) Ranks() *comm.Comm { return s.ranks }

// rowText is what goes with the features of rows that are sent.
type rowText struct {
	Rows, Y []int
	Weights []float64
	Kept    [][]string
}

// Send sends own rows to other ranks and returns the rows received, in the order of all rows.
// to[r] lists the rows for rank r by their index in s. A row may go to several ranks. Cost: the
// bytes sent.
func (s *Share) Send(ctx context.Context, to [][]int) (*Share, error) {
	features, texts := make([][]byte, len(to)), make([][]byte, len(to))
	for r, rows := range to {
		if len(rows) == 0 {
			continue
		}
		t := rowText{}
		for _, i := range rows {
			t.Rows, t.Y = append(t.Rows, s.Rows[i]), append(t.Y, s.Y[i])
			if s.Weights != nil {
				t.Weights = append(t.Weights, s.Weights[i])
			}
			if s.Kept != nil {
				t.Kept = append(t.Kept, s.Kept.Rows[i])
			}
		}
		var err error
		if texts[r], err = json.Marshal(t); err != nil {
			return nil, err
		}
		features[r] = s.Points.AppendRows(nil, rows)
	}
	features, err := s.ranks.AllToAll(ctx, features)
	if err != nil {
		return nil, err
	}
	if texts, err = s.ranks.AllToAll(ctx, texts); err != nil {
		return nil, err
	}
	d := *s.Dataset
	d.Points, d.Y, d.Weights, d.Kept, d.Column = points.FromRows(s.Points, features...), nil, nil, nil, nil
	if s.Kept != nil {
		d.Kept = &Kept{Names: s.Kept.Names}
	}
	got := &Share{Dataset: &d, Total: s.Total, ranks: s.ranks}
	for _, text := range texts {
		if len(text) == 0 {
			continue
		}
		var t rowText
		if err := json.Unmarshal(text, &t); err != nil {
			return nil, err
		}
		got.Rows, d.Y, d.Weights = append(got.Rows, t.Rows...), append(d.Y, t.Y...), append(d.Weights, t.Weights...)
		if d.Kept != nil {
			d.Kept.Rows = append(d.Kept.Rows, t.Kept...)
		}
	}
	return got.sorted(), nil
}

// sorted returns the share with its rows in their order among all.
func (s *Share) sorted() *Share {
	if slices.IsSorted(s.Rows) {
		return s
	}
	order := make([]int, len(s.Rows))
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(s.Rows[a], s.Rows[b]) })
	t := &Share{Dataset: s.Dataset.Subset(order), Total: s.Total, ranks: s.ranks}
	t.Column = nil
	for _, k := range order {
		t.Rows = append(t.Rows, s.Rows[k])
	}
	return t
}

// Gather returns the given rows of all, ascending, on the ranks where wanted is set, and a share
// without rows on the other ranks. All ranks must call it with the same rows.
func (s *Share) Gather(ctx context.Context, rows []int, wanted bool) (*Share, error) {
	want := []byte{0}
	if wanted {
		want[0] = 1
	}
	all, err := s.ranks.Gather(ctx, want)
	if err != nil {
		return nil, err
	}
	var mine []int
	for _, row := range rows {
		if i, has := slices.BinarySearch(s.Rows, row); has {
			mine = append(mine, i)
		}
	}
	to := make([][]int, s.ranks.Size())
	for r := range to {
		if all[r][0] == 1 {
			to[r] = mine
		}
	}
	return s.Send(ctx, to)
}

// All returns the whole data set on rank 0, and a share without rows on the other ranks.
func (s *Share) All(ctx context.Context) (*Share, error) {
	to := make([][]int, s.ranks.Size())
	for i := range s.Rows {
		to[0] = append(to[0], i)
	}
	return s.Send(ctx, to)
}

// Labels returns, on all ranks, the rows of all that have a label, ascending, and the
// class and weight of each; weights are nil where all are 1.
func (s *Share) Labels(ctx context.Context) (rows, class []int, weights []float64, err error) {
	var t rowText
	for _, i := range s.Labelled() {
		t.Rows, t.Y = append(t.Rows, s.Rows[i]), append(t.Y, s.Y[i])
		if s.Weights != nil {
			t.Weights = append(t.Weights, s.Weights[i])
		}
	}
	encoded, err := json.Marshal(t)
	if err != nil {
		return nil, nil, nil, err
	}
	all, err := s.ranks.Gather(ctx, encoded)
	if err != nil {
		return nil, nil, nil, err
	}
	var joined rowText
	for _, text := range all {
		var t rowText
		if err := json.Unmarshal(text, &t); err != nil {
			return nil, nil, nil, err
		}
		joined.Rows, joined.Y, joined.Weights = append(joined.Rows, t.Rows...), append(joined.Y, t.Y...), append(joined.Weights, t.Weights...)
	}
	order := make([]int, len(joined.Rows))
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(joined.Rows[a], joined.Rows[b]) })
	for _, k := range order {
		rows, class = append(rows, joined.Rows[k]), append(class, joined.Y[k])
		if joined.Weights != nil {
			weights = append(weights, joined.Weights[k])
		}
	}
	return rows, class, weights, nil
}
