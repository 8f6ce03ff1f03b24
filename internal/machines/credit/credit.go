// Package credit divides the difference between two values among what differs: the columns of a row, the words of a text, the parts of a picture.
//
// What differs are players. A value is known of every set of players that are present, where the others are as is usual. Players join one after another, and
// each changes the value. The share of a player is its change, in the mean over orders: its Shapley value. All shares add up to the value
// with everybody less the value with nobody.
package credit

import (
	"cmp"
	"encoding/binary"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// Values returns the values of sets of players: for each set, of which present says who is there, one for each output.
type Values func(present [][]bool) ([][]float64, error)

// Divided is how a difference is divided.
type Divided struct {
	Nobody, Everybody []float64   // values by output
	Shares            [][]float64 // [player][output]
	Rest              []float64   // by output: what players add together that are not told apart
	Told              []bool      // by player: it has a share of its own
}

// mostExact is the most players of whom all sets are looked at.
const mostExact = 7

// Divide divides the difference among players, by the values of at most so many sets. Of up to 7 players all orders count. Of more it draws orders by the seed,
// each with its reverse. Where not even one order can be afforded, it cuts one into blocks, and again the blocks that do most, until
// the sets are used up. Players of a block that is left have no share of their own. A number of sets below 4 is 4.
func Divide(players, sets int, seed uint64, values Values) (Divided, error) {
	w := &work{players: players, sets: max(sets, 4), values: values, seen: make(map[string][]float64)}
	if err := w.ask([][]bool{make([]bool, players), w.all()}); err != nil {
		return Divided{}, err
	}
	d := Divided{Nobody: w.value(make([]bool, players)), Everybody: w.value(w.all()), Told: make([]bool, players)}
	d.Rest = make([]float64, len(d.Nobody))
	for range players {
		d.Shares = append(d.Shares, make([]float64, len(d.Nobody)))
	}
	random := rand.New(rand.NewPCG(seed, uint64(players)))
	var err error
	switch {
	case players == 0:
	case players <= mostExact && 1<<players <= w.sets:
		err = w.exactly(&d)
	case 2+2*(players-1) <= w.sets:
		err = w.byOrders(&d, random)
	default:
		err = w.byBlocks(&d, random)
	}
	return d, err
}

// work remembers the values of sets.
type work struct {
	players, sets int
	values        Values
	seen          map[string][]float64
}

func (w *work) all() []bool { return slices.Repeat([]bool{true}, w.players) }

// key names a set.
func key(present []bool) string {
	var word uint64
	var text []byte
	for k, is := range present {
		if is {
			word |= 1 << (k % 64)
		}
		if k%64 == 63 || k == len(present)-1 {
			text = binary.LittleEndian.AppendUint64(text, word)
			word = 0
		}
	}
	return string(text)
}

func (w *work) value(present []bool) []float64 { return w.seen[key(present)] }

// news returns those of some sets whose values are not known, each once.
func (w *work) news(sets [][]bool) (open [][]bool) {
	asked := make(map[string]bool)
	for _, present := range sets {
		k := key(present)
		if w.seen[k] == nil && !asked[k] {
			asked[k] = true
			open = append(open, present)
		}
	}
	return open
}

// ask learns the values of sets.
func (w *work) ask(sets [][]bool) error {
	open := w.news(sets)
	if len(open) == 0 {
		return nil
	}
	values, err := w.values(open)
	if err != nil {
		return err
	}
	for k, present := range open {
		w.seen[key(present)] = values[k]
	}
	return nil
}

// exactly looks at all sets.
func (w *work) exactly(d *Divided) error {
	sets := make([][]bool, 1<<w.players)
	for s := range sets {
		sets[s] = make([]bool, w.players)
		for k := range sets[s] {
			sets[s][k] = s>>k&1 == 1
		}
	}
	if err := w.ask(sets); err != nil {
		return err
	}
	for s := range sets {
		size := bits.OnesCount(uint(s))
		for k := range w.players {
			if s>>k&1 == 1 {
				continue
			}
			// The share of the orders in which exactly these join before k.
			weight := 1 / (float64(w.players) * binomial(w.players-1, size))
			with, without := w.value(sets[s|1<<k]), w.value(sets[s])
			for c := range d.Rest {
				d.Shares[k][c] += weight * (with[c] - without[c])
			}
		}
	}
	for k := range d.Told {
		d.Told[k] = true
	}
	return nil
}

func binomial(n, k int) float64 {
	b := 1.0
	for i := range k {
		b = b * float64(n-i) / float64(i+1)
	}
	return b
}

// along returns the sets that there are while blocks join in their order.
func (w *work) along(blocks [][]int) (sets [][]bool) {
	present := make([]bool, w.players)
	sets = append(sets, slices.Clone(present))
	for _, block := range blocks {
		for _, k := range block {
			present[k] = true
		}
		sets = append(sets, slices.Clone(present))
	}
	return sets
}

// byOrders takes the mean over drawn orders. Of an order all turns are taken, in which everybody is at every place once, as far as the sets go.
func (w *work) byOrders(d *Divided, random *rand.Rand) error {
	var orders [][][]int
	var sets [][]bool
	for draw := 0; draw < 50; draw++ {
		base := random.Perm(w.players)
		for turn := range w.players {
			order := slices.Concat(base[turn:], base[:turn])
			blocks := slices.Collect(slices.Chunk(order, 1))
			more := w.along(blocks)
			slices.Reverse(blocks)
			more = append(more, w.along(blocks)...)
			open := len(w.news(append(slices.Clone(sets), more...)))
			if open+2 > w.sets {
				draw = 50
				break
			}
			sets = append(sets, more...)
			orders = append(orders, blocks)
		}
	}
	if err := w.ask(sets); err != nil {
		return err
	}
	for _, blocks := range orders {
		w.add(d, blocks, 1/float64(len(orders)))
	}
	for k := range d.Told {
		d.Told[k] = true
	}
	return nil
}

// add adds to shares what blocks of one player do in an order and its reverse, with a weight.
func (w *work) add(d *Divided, blocks [][]int, weight float64) {
	for k, gain := range w.gains(blocks) {
		for c, v := range gain {
			if len(blocks[k]) == 1 {
				d.Shares[blocks[k][0]][c] += weight * v
			} else {
				d.Rest[c] += weight * v
			}
		}
	}
}

// gains returns what each block adds, [block][output]: the mean of an order and its reverse.
func (w *work) gains(blocks [][]int) [][]float64 {
	gains := make([][]float64, len(blocks))
	forth := w.along(blocks)
	reverse := slices.Clone(blocks)
	slices.Reverse(reverse)
	back := w.along(reverse)
	for k := range blocks {
		with, without := w.value(forth[k+1]), w.value(forth[k])
		last := len(blocks) - 1 - k
		too, not := w.value(back[last+1]), w.value(back[last])
		for c := range with {
			gains[k] = append(gains[k], (with[c]-without[c])/2+(too[c]-not[c])/2)
		}
	}
	return gains
}

// firstBlocks is into how many blocks an order is cut at first, and mostCut how many are cut again at a time.
const (
	firstBlocks = 32
	mostCut     = 8
)

// byBlocks cuts an order into ever smaller blocks.
func (w *work) byBlocks(d *Divided, random *rand.Rand) error {
	order := random.Perm(w.players)
	first := min(firstBlocks, (w.sets-2)/2+1)
	var blocks [][]int
	for k := range first {
		blocks = append(blocks, order[k*w.players/first:(k+1)*w.players/first])
	}
	sets := func(blocks [][]int) [][]bool {
		reverse := slices.Clone(blocks)
		slices.Reverse(reverse)
		return append(w.along(blocks), w.along(reverse)...)
	}
	for {
		if err := w.ask(sets(blocks)); err != nil {
			return err
		}
		gains := w.gains(blocks)
		var large []int // blocks that can be cut
		for k, block := range blocks {
			if len(block) > 1 {
				large = append(large, k)
			}
		}
		most := func(k int) float64 {
			m := 0.0
			for _, v := range gains[k] {
				m = max(m, math.Abs(v))
			}
			return m
		}
		slices.SortStableFunc(large, func(a, b int) int { return cmp.Compare(most(b), most(a)) })
		cut := large[:min(len(large), mostCut, (w.sets-len(w.seen))/2)]
		if len(cut) == 0 {
			w.add(d, blocks, 1)
			for _, block := range blocks {
				if len(block) == 1 {
					d.Told[block[0]] = true
				}
			}
			return nil
		}
		var finer [][]int
		for k, block := range blocks {
			if slices.Contains(cut, k) {
				finer = append(finer, block[:len(block)/2], block[len(block)/2:])
			} else {
				finer = append(finer, block)
			}
		}
		blocks = finer
	}
}
