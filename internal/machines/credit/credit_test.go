package credit

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// game returns values that are drawn sums over pairs and triples of players, with two outputs.
func game(players int, seed uint64) (Values, *int) {
	random := rand.New(rand.NewPCG(seed, 1))
	type term struct {
		of []int
		by float64
	}
	var terms []term
	for range 3 * players {
		terms = append(terms, term{random.Perm(players)[:1+random.IntN(min(3, players))], random.NormFloat64()})
	}
	asked := new(int)
	return func(sets [][]bool) (all [][]float64, _ error) {
		*asked += len(sets)
		for _, present := range sets {
			sum := 0.5
			for _, t := range terms {
				if !slices.ContainsFunc(t.of, func(k int) bool { return !present[k] }) {
					sum += t.by
				}
			}
			all = append(all, []float64{sum, math.Tanh(sum)})
		}
		return all, nil
	}, asked
}

// Shares and the rest add up to the whole difference, whatever the number of players and of sets.
func TestAddsUp(t *testing.T) {
	for _, players := range []int{0, 1, 2, 7, 8, 10, 30, 99, 100, 101, 250, 3000} {
		for _, sets := range []int{4, 50, 200} {
			values, asked := game(players, uint64(players))
			d, err := Divide(players, sets, 1, values)
			if err != nil {
				t.Fatal(err)
			}
			if *asked > sets {
				t.Errorf("%d players: %d sets were asked for, more than %d", players, *asked, sets)
			}
			for c := range d.Rest {
				sum := d.Nobody[c] + d.Rest[c]
				for k, share := range d.Shares {
					if sum += share[c]; share[c] != 0 && !d.Told[k] {
						t.Errorf("%d players: player %d is not told apart and has the share %g", players, k, share[c])
					}
				}
				if !(math.Abs(sum-d.Everybody[c]) <= 1e-12*float64(1+players)) {
					t.Errorf("%d players, %d sets: shares add up to %v, the value is %v", players, sets, sum, d.Everybody[c])
				}
			}
		}
	}
}

// Of pairs the Shapley value has half of what the two do together, and a third of triples: the drawn orders come near it.
func TestShapley(t *testing.T) {
	for _, players := range []int{3, 7, 8, 10, 20} {
		random := rand.New(rand.NewPCG(5, uint64(players)))
		want := make([]float64, players)
		type pair struct {
			a, b int
			by   float64
		}
		var pairs []pair
		for range 2 * players {
			p := pair{random.IntN(players), random.IntN(players), random.NormFloat64()}
			pairs = append(pairs, p)
			want[p.a] += p.by / 2
			want[p.b] += p.by / 2
		}
		d, err := Divide(players, 200, 1, func(sets [][]bool) (all [][]float64, _ error) {
			for _, present := range sets {
				sum := 0.0
				for _, p := range pairs {
					if present[p.a] && present[p.b] {
						sum += p.by
					}
				}
				all = append(all, []float64{sum})
			}
			return all, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for k, v := range want { // an order and its reverse give pairs exactly
			if !(math.Abs(d.Shares[k][0]-v) <= 1e-12) {
				t.Errorf("%d players: the share of %d is %v, want %v", players, k, d.Shares[k][0], v)
			}
		}
	}
}

// Of many players those that do much are told apart.
func TestStrongAreFound(t *testing.T) {
	const players = 2000
	strong := map[int]float64{3: 2, 77: -1.5, 1200: 1, 1999: 0.7}
	d, err := Divide(players, 200, 1, func(sets [][]bool) (all [][]float64, _ error) {
		for _, present := range sets {
			sum := 0.0
			for k, is := range present {
				if is {
					sum += strong[k] + 1e-5
				}
			}
			all = append(all, []float64{sum})
		}
		return all, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for k, v := range strong {
		if !d.Told[k] || !(math.Abs(d.Shares[k][0]-v) < 1e-4) {
			t.Errorf("player %d has the share %v, want %v", k, d.Shares[k][0], v)
		}
	}
}
