package dataset

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"testing"

	"lapsvm/internal/ranks/comm"
)

// onRanks runs f on two and three ranks.
func onRanks(t *testing.T, f func(r *Ranks) error) {
	t.Helper()
	for _, size := range []int{2, 3} {
		err := comm.Goroutines(t.Context(), size, func(ctx context.Context, c *comm.Comm) error { return f(NewRanks(ctx, c)) })
		if err != nil {
			t.Errorf("%d ranks: %v", size, err)
		}
	}
}

// All ranks have the error of the lowest rank that failed: its place, cause, and options.
func TestRanksSettleOnTheFirstError(t *testing.T) {
	known := errors.New("known")
	for _, wrong := range []error{
		&Error{File: "a.csv", Line: 3, Col: 2, Msg: Messagef("%q and %d, %.1f%s; give %s, %s or %s", "x", 7, 0.5, Messagef(" (%s)", Option{Name: "Memory"}), Option{Name: "Label", Value: "a b"}, Option{Name: "Features", Value: 3}, Option{Name: "Ignore", Value: []string{"u", "v"}})},
		&Error{File: "a.csv", Msg: Messagef("too much"), Err: ErrMemory},
		&Error{File: "b.csv", Msg: Messagef("no file"), Err: fs.ErrNotExist},
		&Error{File: "b.csv", Msg: Messagef("the disk"), Err: errors.New("I/O")},
		Messagef("give %s", Option{Name: "Format"}),
		errors.New("something else"),
		known,
	} {
		flag := func(o Option) string { return fmt.Sprintf("--%s %v", o.Name, o.Value) }
		words := func(err error) string {
			var data *Error
			var message Message
			switch {
			case errors.As(err, &data):
				return data.Words(flag)
			case errors.As(err, &message):
				return message.Words(flag)
			}
			return err.Error()
		}
		onRanks(t, func(r *Ranks) error {
			own := error(nil)
			if r.Rank() > 0 {
				own = errors.New("a later one")
			}
			if r.Rank() == 1 {
				own = wrong
			}
			_, err := r.Settle(1, own, known)
			var data, also *Error
			switch {
			case err == nil || err.Error() != wrong.Error() || words(err) != words(wrong), (err == known) != (wrong == known):
				return fmt.Errorf("%v, want %v", err, wrong)
			case errors.As(err, &data) != errors.As(wrong, &also):
				return fmt.Errorf("%T, want %T", err, wrong)
			case data != nil && (data.Line != also.Line || (data.Err == nil) != (also.Err == nil)):
				return fmt.Errorf("%+v, want %+v", data, also)
			}
			for _, cause := range []error{ErrMemory, fs.ErrNotExist} {
				if errors.Is(err, cause) != errors.Is(wrong, cause) {
					return fmt.Errorf("%v: another cause", err)
				}
			}
			return nil
		})
	}
	onRanks(t, func(r *Ranks) error {
		if total, err := r.Settle(2, nil); err != nil || total != 2*r.Size() {
			return fmt.Errorf("%d rows, %v", total, err)
		}
		return nil
	})
}

// What differs is counted once, on whichever ranks it is.
func TestRanksCountWhatDiffers(t *testing.T) {
	onRanks(t, func(r *Ranks) error {
		numbers := []float64{math.Copysign(0, float64(r.Rank())-0.5), float64(r.Rank()), 1.5, 1.5} // −0 on rank 0
		words := []string{"shared", fmt.Sprint("of ", r.Rank())}
		if got, err := r.distinct(numbers, words); err != nil || got != r.Size()+1+1+r.Size() {
			return fmt.Errorf("%d different values, %v", got, err)
		}
		return nil
	})
}
