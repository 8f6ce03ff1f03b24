package calibrate

import (
	"container/heap"
	"fmt"
	"math"
	"slices"
)

// Offsets returns offsets b, one per class with Σ_c b_c = 0, that give class c counts[c] rows: in
// so many rows of scores f_c + b_c is the largest value. For two classes b lies halfway between
// two neighbouring values of f.
//
// Offsets finds the assignment of counts[c] rows to each class c that has the largest sum of
// decision values. The offsets are the prices of this transport problem: under them every row
// prefers its class. They lie in the middle of the range in which no row changes its class.
//
// The method begins with the class that each row prefers. It moves one row at a time from a
// class with too many rows towards a class with too few, along the cheapest path of classes. A
// move from class c to class d costs the least f_c − f_d of the rows of c. Each move keeps the sum
// largest for its counts, so there are as many moves as rows that lack. Nothing is random.
//
// Values are rounded to multiples of 2⁻⁴⁰ of the largest difference within a row, so that costs
// add without rounding. No offsets separate rows with equal differences. Where the counts would
// divide such rows, the shares are off by these rows.
//
// Offsets panics where counts do not have one entry per class or do not sum to the number of
// rows. It fails for values that are not finite. Cost: O(n·C·log n) for n rows and C classes,
// and up to O(C³) for a move. (Successive shortest paths: Ahuja, Magnanti and Orlin, "Network
// Flows", 1993, section 9.7.)
func Offsets(scores [][]float64, counts []int) ([]float64, error) {
	if err := check(scores); err != nil {
		return nil, err
	}
	total := 0
	for _, n := range counts {
		total += n
	}
	if len(counts) != len(scores[0]) || total != len(scores) {
		panic(fmt.Sprintf("calibrate: counts %v for %d rows of %d classes", counts, len(scores), len(scores[0])))
	}
	t := newTransport(scores, counts)
	for t.move() {
	}
	return t.prices(), nil
}

// transport is an assignment of rows to classes on its way to given counts.
type transport struct {
	unit     float64   // of scores and costs
	scores   [][]int64 // less the largest of the row
	class    []int     // of every row
	missing  []int     // rows that a class lacks; negative where it has too many
	leaving  [][]queue // [from][to] rows, cheapest first; some have left already
	infinite int64     // costs more than any path
}

func newTransport(scores [][]float64, counts []int) *transport {
	const units = 1 << 40 // of the widest row
	n, classes := len(scores), len(counts)
	t := &transport{unit: widest(scores) / units, scores: make([][]int64, n), class: make([]int, n),
		missing: slices.Clone(counts), leaving: make([][]queue, classes), infinite: 2 * int64(classes) * units}
	if t.unit == 0 {
		t.unit = 1
	}
	for c := range t.leaving {
		t.leaving[c] = make([]queue, classes)
	}
	for i, row := range scores {
		largest := slices.Max(row)
		t.scores[i] = make([]int64, classes)
		for c, f := range row {
			t.scores[i][c] = int64(math.Round((f - largest) / t.unit))
		}
		t.class[i] = slices.Index(t.scores[i], 0)
		t.missing[t.class[i]]--
		t.enter(i)
	}
	return t
}

// enter queues row i for leaving the class it has.
func (t *transport) enter(i int) {
	from := t.class[i]
	for to := range t.missing {
		if to != from {
			heap.Push(&t.leaving[from][to], candidate{i, t.scores[i][from] - t.scores[i][to]})
		}
	}
}

// cost returns the least cost of a move of a row between two classes, and far for a class without
// rows.
func (t *transport) cost(from, to int) int64 {
	q := &t.leaving[from][to]
	for len(*q) > 0 && t.class[(*q)[0].row] != from {
		heap.Pop(q)
	}
	if len(*q) == 0 {
		return t.infinite
	}
	return (*q)[0].cost
}

// costs returns the cost of all moves.
func (t *transport) costs() [][]int64 {
	w := make([][]int64, len(t.missing))
	for from := range w {
		w[from] = make([]int64, len(w))
		for to := range w {
			if to != from {
				w[from][to] = t.cost(from, to)
			}
		}
	}
	return w
}

// move moves a row along each step of the cheapest path from a class with too
// many rows to one that lacks some. It returns false where none does.
func (t *transport) move() bool {
	var sources []int
	for c, n := range t.missing {
		if n < 0 {
			sources = append(sources, c)
		}
	}
	if sources == nil {
		return false
	}
	_, previous := shortest(t.costs(), sources...)
	to := slices.IndexFunc(t.missing, func(n int) bool { return n > 0 })
	t.missing[to]--
	var rows, classes []int
	for ; previous[to] >= 0; to = previous[to] {
		rows = append(rows, t.leaving[previous[to]][to][0].row)
		classes = append(classes, to)
	}
	t.missing[to]++
	for k, i := range rows {
		t.class[i] = classes[k]
		t.enter(i)
	}
	return true
}

// prices returns the offsets of the present assignment. The distances from any single class are
// offsets under which every row prefers its class. Their mean over all classes keeps away from
// ties.
func (t *transport) prices() []float64 {
	w, classes := t.costs(), float64(len(t.missing))
	b := make([]float64, len(w))
	mean := 0.0
	for source := range w {
		distance, _ := shortest(w, source)
		for c, d := range distance {
			b[c] += t.unit * float64(d) / classes
			mean += t.unit * float64(d) / classes / classes
		}
	}
	for c := range b {
		b[c] -= mean
	}
	return b
}

// shortest returns the distance of every class from the nearest source, and
// the class before it on the way, −1 for a source. (Bellman and Ford.)
func shortest(w [][]int64, sources ...int) (distance []int64, previous []int) {
	const unreached = math.MaxInt64 / 2
	distance, previous = make([]int64, len(w)), make([]int, len(w))
	for c := range w {
		distance[c], previous[c] = unreached, -1
	}
	for _, c := range sources {
		distance[c] = 0
	}
	for changed := true; changed; {
		changed = false
		for from := range w {
			for to, cost := range w[from] {
				if d := distance[from] + cost; to != from && d < distance[to] {
					distance[to], previous[to], changed = d, from, true
				}
			}
		}
	}
	return distance, previous
}

// candidate is a row that may leave its class.
type candidate struct {
	row  int
	cost int64
}

// queue is a heap of candidates, the cheapest first.
type queue []candidate

func (q queue) Len() int { return len(q) }
func (q queue) Less(a, b int) bool {
	return q[a].cost < q[b].cost || q[a].cost == q[b].cost && q[a].row < q[b].row
}
func (q queue) Swap(a, b int) { q[a], q[b] = q[b], q[a] }
func (q *queue) Push(c any)   { *q = append(*q, c.(candidate)) }
func (q *queue) Pop() any {
	last := len(*q) - 1
	c := (*q)[last]
	*q = (*q)[:last]
	return c
}
