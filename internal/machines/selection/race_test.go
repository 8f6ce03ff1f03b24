package selection

import (
	"context"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"lapsvm/internal/machines/train"
	"lapsvm/internal/numbers/parallel"
)

func compared(t *testing.T, ctx context.Context, atOnce int, r train.Recipe) *comparison {
	t.Helper()
	c, why, err := newComparison(ctx, labelledMoons(90, 12, false), r, train.Run{}, choicePoints, 0)
	if err != nil || why != "" {
		t.Fatal(why, err)
	}
	c.atOnce = atOnce
	last := 0
	counts := &counter{of: c.machines(), report: func(done, of int) {
		if done != last+1 || done > of {
			t.Errorf("%d of %d after %d", done, of, last)
		}
		last = done
	}}
	if err := c.compare(ctx, counts); err != nil {
		t.Fatal(err)
	}
	if last != counts.of || last != c.tried {
		t.Errorf("%d machines counted, %d tried, %d announced at the end", last, c.tried, counts.of)
	}
	return c
}

// What is measured does not depend on how many views are made side by side, nor on the
// threads; graphs without evidence are left out of later widths, and those alone.
func TestRace(t *testing.T) {
	c := compared(t, t.Context(), 1, train.Recipe{Seed: 1})
	for _, atOnce := range []int{1, 2, 5} {
		for _, threads := range []int{1, 2, 7} {
			again := compared(t, parallel.WithLimit(t.Context(), threads), atOnce, train.Recipe{Seed: 1})
			if !reflect.DeepEqual(again.measured, c.measured) || !reflect.DeepEqual(again.alone, c.alone) || again.tried != c.tried {
				t.Errorf("%d views at once on %d threads: other machines", atOnce, threads)
			}
		}
	}
	if all := c.machines(); c.tried >= all || c.tried < all/4 {
		t.Errorf("%d machines of %d measured", c.tried, all)
	}
}

// A graph stays in the race as long as its best machine, by labels and graph or by
// labels alone, is within the margin of the best of all: with a weight of at least a
// four-hundredth of the largest.
func TestPromising(t *testing.T) {
	c := compared(t, t.Context(), 1, train.Recipe{Seed: 1})
	h := mean(best(c.measured).loss)
	l := float64(len(c.held.count))
	of := func(graph int, margin, modularity float64) candidate {
		one := candidate{Member: c.graphs[graph], modularity: modularity, measurement: measurement{loss: make([]float64, len(c.held.count))}}
		for k := range one.loss {
			one.loss[k] = h * (1 + 2*margin/l)
		}
		one.total = sum(one.loss)
		return one
	}
	c.measured = []candidate{
		of(0, 0, 0), of(1, math.Log(395), 0), of(2, math.Log(410), 0),
		of(3, 40, (40-0.9*raceMargin)/c.partition()), of(4, 50, 0), of(4, 0.5, 0),
	}
	if got, want := c.promising(), []train.Member{c.graphs[0], c.graphs[1], c.graphs[3], c.graphs[4]}; !reflect.DeepEqual(got, want) {
		t.Errorf("graphs %v go on, want %v", got, want)
	}
	c.measured = append(c.measured, of(5, 40, 80/c.partition())) // by which the others have little, but by labels alone
	if got, want := c.promising(), []train.Member{c.graphs[0], c.graphs[1], c.graphs[4], c.graphs[5]}; !reflect.DeepEqual(got, want) {
		t.Errorf("graphs %v go on, want %v", got, want)
	}
	c.measured = nil
	if !reflect.DeepEqual(c.promising(), c.graphs) {
		t.Error("a graph is left out before any was measured")
	}
}

// A comparison whose context is done ends with its error.
func TestRaceStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	c, _, err := newComparison(ctx, labelledMoons(90, 12, false), train.Recipe{Seed: 1}, train.Run{}, choicePoints, 0)
	if err != nil {
		t.Fatal(err)
	}
	err = c.compare(ctx, &counter{of: c.machines(), report: func(done, _ int) {
		if done == 100 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) || c.tried > 101 {
		t.Errorf("error %v after %d machines", err, c.tried)
	}
}

// What fails in one view ends the race with that error.
func TestRaceFails(t *testing.T) {
	c, _, err := newComparison(t.Context(), labelledMoons(90, 12, false), train.Recipe{Seed: 1, GammaA: 1e-30, GammaI: 1e30}, train.Run{}, choicePoints, 0)
	if err != nil {
		t.Fatal(err)
	}
	err = c.compare(t.Context(), &counter{of: c.machines()})
	if !errors.Is(err, train.ErrParameter) || !strings.Contains(err.Error(), "too large for double precision") {
		t.Errorf("error %v", err)
	}
}
