package dataset

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"lapsvm/internal/ranks/comm"
	"lapsvm/points"
)

func TestSharesExchangeRows(t *testing.T) {
	const n = 10
	whole := &Dataset{Classes: []string{"a", "b"}, Kept: Kept{Names: []string{"id"}}}
	var values []float64
	for i := range n {
		values = append(values, float64(i), float64(i*i))
		whole.Y, whole.Weights = append(whole.Y, i%3-1), append(whole.Weights, float64(i)+0.5)
		whole.Kept.Rows = append(whole.Kept.Rows, []string{fmt.Sprint("row ", i)})
	}
	whole.Points = points.Dense(n, 2, values)
	for _, size := range []int{1, 2, 3} {
		err := comm.Goroutines(t.Context(), size, func(ctx context.Context, c *comm.Comm) error {
			var mine []int
			for i := n * c.Rank() / size; i < n*(c.Rank()+1)/size; i++ {
				mine = append(mine, i)
			}
			s, err := whole.Subset(mine).Share(ctx, c)
			if err != nil {
				return err
			}
			if s.Len() != n || !slices.Equal(s.Rows(), mine) || (s.Own() == nil) != (size == 1) {
				return fmt.Errorf("rows %v of %d", s.Rows(), s.Len())
			}
			// Every row goes to another rank, and all of them back to the first.
			to := make([][]int, size)
			for k, row := range s.Rows() {
				to[row%size] = append(to[row%size], k)
			}
			dealt, err := s.Send(ctx, to)
			if err != nil {
				return err
			}
			for k, row := range dealt.Rows() {
				if row%size != c.Rank() || dealt.Points.At(k, 1) != float64(row*row) {
					return fmt.Errorf("row %d: %v", row, dealt.Points.DenseRow(k))
				}
			}
			if dealt.Len() != n {
				return fmt.Errorf("%d rows were dealt", dealt.Len())
			}
			back, err := dealt.All(ctx)
			if err != nil {
				return err
			}
			if c.Rank() == 0 {
				for i := range n {
					if back.Rows()[i] != i || back.Points.At(i, 0) != float64(i) || back.Y[i] != whole.Y[i] || back.Weights[i] != whole.Weights[i] || back.Kept.Name(i) != whole.Kept.Name(i) {
						return fmt.Errorf("row %d came back as %d: %v", i, back.Rows()[i], back.Points.DenseRow(i))
					}
				}
			} else if back.Points.Len() != 0 {
				return fmt.Errorf("%d rows where none were asked for", back.Points.Len())
			}
			some, err := dealt.Gather(ctx, []int{1, 4, 9}, true)
			if err != nil || !slices.Equal(some.Rows(), []int{1, 4, 9}) || some.Points.At(2, 0) != 9 {
				return fmt.Errorf("gathered rows %v, %v", some.Rows(), err)
			}
			for left := range n { // a row is left out: the others are numbered anew
				if size == 1 {
					break
				}
				kept := slices.Delete(whole.AllRows(), left, left+1)
				among, err := dealt.Among(ctx, kept)
				if err != nil || among.Len() != n-1 {
					return fmt.Errorf("without row %d: %d rows, %v", left, among.Len(), err)
				}
				for k, row := range among.Rows() {
					if row < 0 || row >= n-1 || among.Points.At(k, 0) != float64(kept[row]) {
						return fmt.Errorf("without row %d: row %d is %v", left, row, among.Points.DenseRow(k))
					}
				}
			}
			rows, class, weights, err := dealt.Labels(ctx)
			if err != nil || !slices.Equal(rows, whole.Labelled()) || class[1] != whole.Y[rows[1]] || weights[1] != whole.Weights[rows[1]] {
				return fmt.Errorf("labels of %v: %v, %v; %v", rows, class, weights, err)
			}
			return nil
		})
		if err != nil {
			t.Errorf("%d ranks: %v", size, err)
		}
	}
}

// Shares that differ in form would train on a mixture.
func TestSharesOfAnotherFormAreRefused(t *testing.T) {
	for name, other := range map[string]func(d *Dataset){
		"columns": func(d *Dataset) { d.Points = points.Dense(1, 2, []float64{0, 0}) },
		"storage": func(d *Dataset) { d.Points = points.Dense32(1, 1, []float32{0}) },
		"sparse":  func(d *Dataset) { d.Points = points.CSR(1, []int{0, 1}, []int32{0}, []float64{1}) },
		"classes": func(d *Dataset) { d.Classes = []string{"a", "c"} },
		"weights": func(d *Dataset) { d.Weights = []float64{1} },
		"kept":    func(d *Dataset) { d.Kept = Kept{Names: []string{"id"}, Rows: [][]string{{"x"}}} },
		"nothing": func(*Dataset) {},
	} {
		var errs [2]error
		if err := comm.Goroutines(t.Context(), 2, func(ctx context.Context, c *comm.Comm) error {
			d := &Dataset{Points: points.Dense(1, 1, []float64{0}), Y: []int{0}, Classes: []string{"a", "b"}, Column: []int{c.Rank()}}
			if c.Rank() == 1 {
				other(d)
			}
			_, errs[c.Rank()] = d.Share(ctx, c)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		for rank, err := range errs {
			if (err == nil) != (name == "nothing") {
				t.Errorf("%s: rank %d: %v", name, rank, err)
			}
		}
	}
}
