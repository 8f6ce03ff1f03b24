package train

import (
	"context"
	"fmt"
	"maps"
	"testing"

	"lapsvm/internal/points/gram"
	"lapsvm/internal/ranks/comm"
)

// Ranks take the least number of landmarks that any has room for, and double precision where one
// needs it.
func TestRanksAgreeOnSettings(t *testing.T) {
	for _, c := range []struct {
		landmarks []int
		precision []gram.Precision
		want      gram.Precision
	}{
		{[]int{50, 40, 60}, []gram.Precision{gram.Single, gram.Double, gram.Single}, gram.Double},
		{[]int{40, 60, 50}, []gram.Precision{gram.Single, gram.Single, gram.Single}, gram.Single},
	} {
		if err := comm.Goroutines(t.Context(), 3, func(ctx context.Context, ranks *comm.Comm) error {
			p := Plan{Recipe: Recipe{Landmarks: c.landmarks[ranks.Rank()], Precision: c.precision[ranks.Rank()]}}
			if err := p.agree(ctx, ranks); err != nil || p.Recipe.Landmarks != 40 || p.Recipe.Precision != c.want {
				return fmt.Errorf("%d landmarks in %v, %v", p.Recipe.Landmarks, p.Recipe.Precision, err)
			}
			return nil
		}); err != nil {
			t.Errorf("%v: %v", c, err)
		}
	}
}

// The summary tells, of each number on its own, the most of any rank.
func TestRanksTellTheMost(t *testing.T) {
	if err := comm.Goroutines(t.Context(), 3, func(ctx context.Context, ranks *comm.Comm) error {
		of := func(all ...int) int { return all[ranks.Rank()] }
		own := newTally(ranks)
		own.Points, own.Halo, own.SentPerIteration = of(9, 8, 7), of(1, 3, 2), int64(of(40, 60, 50))
		own.Sent = map[string]int64{"deal": int64(of(100, 300, 200)), "graph": int64(of(6, 5, 4)), "solve": int64(of(0, 0, 1000))}
		err := own.agree(ctx)
		want := map[string]int64{"deal": 300, "graph": 6, "solve": 1000}
		if err != nil || own.Points != 9 || own.Halo != 3 || own.SentPerIteration != 60 || !maps.Equal(own.Sent, want) {
			return fmt.Errorf("%+v, %v", own.RanksSummary, err)
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
}
