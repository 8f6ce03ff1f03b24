package neighbours

import (
	"context"
	"math"
	"slices"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/points/tiles"
	"lapsvm/points"
)

// newcomers are some new points whose neighbours are sought together. All that look into a cell are
// compared with it in one product. What is found for one does not depend on the others.
// The zero value is ready.
type newcomers struct {
	points *points.Points
	rows   []int32 // of points
	sketch []float32
	except []Place // what each may not find; nil for nothing

	lists  lists[int, Place]
	square []float32 // as estimates need them
	far    []float32 // of up to tiles.Size of them: squared distances to the centres of all cells
	some   []int32   // cells that may be among the nearest
	least  []float32 // how far these are
	own    []look    // each into the cell with the nearest centre
	looks  []look    // into others
	first  []int32   // where those into every cell begin in sorted
	sorted []int32   // who looks, cell after cell

	tileScratch
	gathered, never []float32
	places          []Place
	others          []int32
	distance        []float64
	list            []candidate[float64]
}

// look is that of a newcomer into a cell.
type look struct{ who, cell int32 }

// fromCentres finds the squared distances of up to tiles.Size sketches to all centres.
func (x *Index) fromCentres(w *newcomers, sketches []float32) {
	n, width, rank, count := len(sketches)/x.Basis.Width, x.Basis.Width, x.Basis.rank(), x.cells()
	w.far, w.dots = grown(w.far, n*count), grown(w.dots, tiles.Size*tiles.Size)
	w.left.PackLeft(n, rank, sketches, width)
	for b := range x.centres {
		vec.Tile(w.dots, tiles.Size, &w.left, &x.centres[b], nil)
		squares := x.centreSquares[b*tiles.Size:][:x.centres[b].Rows()]
		for r := range n {
			vec.DistanceRow(w.far[r*count+b*tiles.Size:][:len(squares)], w.dots[r*tiles.Size:][:len(squares)], squares, square(sketches[r*width:][:rank]))
		}
	}
}

// seek fills the lists with the k nearest, and some more, of the points in the cells that each newcomer looks into. It first looks into the
// cell with the nearest centre, as then few points of others are near enough. Where distances are direct, that look is by
// estimates, and the nearest by these are measured. It fails when ctx is done.
func (x *Index) seek(ctx context.Context, w *newcomers, k int) error {
	n, width := len(w.rows), x.Basis.Width
	w.never, w.square = grown(w.never, tiles.Size), grown(w.square, n)
	fill(w.never, float32(math.Inf(-1)))
	for r := range n {
		w.square[r] = x.squareOf(w.sketch[r*width:][:width])
	}
	w.lists.lengthen(n, min(k+spare, len(x.Rows)))
	x.choose(w)
	x.compare(ctx, w, w.own, false)
	if x.Direct {
		for r := range n {
			w.places = w.lists.append(w.places[:0], r)
			w.lists.empty(r)
			x.offer(w, r, w.places)
		}
		w.looks = append(w.looks, w.own...)
	}
	x.compare(ctx, w, w.looks, x.Direct)
	w.looks = w.looks[:0]
	for r := range n {
		if math.IsInf(w.lists.distance[r*w.lists.length+k-1], 1) { // its cells hold too few
			for cell := range x.cells() {
				w.looks = append(w.looks, look{int32(r), int32(cell)})
			}
		}
	}
	x.compare(ctx, w, w.looks, x.Direct)
	return ctx.Err()
}

// choose has newcomers look into the cells with the nearest centres, and into those as near as the last.
func (x *Index) choose(w *newcomers) {
	width, count := x.Basis.Width, x.cells()
	w.own, w.looks, w.some = w.own[:0], w.looks[:0], grown(w.some, count)
	guess := float32(math.Inf(1)) // of the limit, which is alike for rows that are near one another
	for from := 0; from < len(w.rows); from += tiles.Size {
		to := min(from+tiles.Size, len(w.rows))
		x.fromCentres(w, w.sketch[from*width:to*width])
		for r := from; r < to; r++ {
			far := w.far[(r-from)*count:][:count]
			some := nearerThan(w.some, far, guess)
			own, looks := x.looks(far, some)
			if len(some) < looks {
				some = nearerThan(w.some, far, float32(math.Inf(1)))
				if own, looks = x.looks(far, some); len(some) < looks {
					continue // beyond float32
				}
			}
			w.least = w.least[:0]
			for _, cell := range some {
				w.least = append(w.least, far[cell])
			}
			limit := limitOf(w.least, looks)
			guess = 1.25 * limit
			w.own = append(w.own, look{int32(r), own})
			for _, cell := range some {
				if far[cell] <= limit && cell != own {
					w.looks = append(w.looks, look{int32(r), cell})
				}
			}
		}
	}
}

// looks returns which of some cells has the nearest centre, and into how many cells the newcomer looks. One that is far
// from that centre, beside the points of the cell, looks into more: its nearest are far, in several cells.
func (x *Index) looks(far []float32, some []int32) (own int32, looks int) {
	if len(some) == 0 {
		return 0, len(far)
	}
	own = some[0]
	for _, cell := range some {
		if far[cell] < far[own] {
			own = cell
		}
	}
	return own, int(min(max(math.Ceil(float64(x.Looks)*x.remoteness(own, far[own])), 1), float64(len(far))))
}

// mostRemote bounds how many times as many cells a remote newcomer looks into.
const mostRemote = 4

// remoteness returns how far a squared distance from the centre of a cell is beside those of its points, from 0 to mostRemote.
func (x *Index) remoteness(cell int32, squared float32) float64 {
	if within := x.within[cell]; squared < mostRemote*within {
		return float64(squared / within)
	}
	return mostRemote
}

// nearerThan writes the cells that are no farther than a limit.
func nearerThan(to []int32, far []float32, limit float32) []int32 {
	found := 0
	for cell, v := range far {
		to[found] = int32(cell)
		if v <= limit {
			found++
		}
	}
	return to[:found]
}

// limitOf returns the largest of so many least values, which it reorders. None of them is NaN.
func limitOf(values []float32, count int) float32 {
	for from, to := 0, len(values)-1; from < to; {
		a, b, c := values[from], values[(from+to)/2], values[to]
		pivot, i, j := max(min(a, b), min(max(a, b), c)), from, to
		for i <= j {
			for values[i] < pivot {
				i++
			}
			for pivot < values[j] {
				j--
			}
			if i <= j {
				values[i], values[j] = values[j], values[i]
				i, j = i+1, j-1
			}
		}
		if count-1 <= j {
			to = j
		} else if count-1 >= i {
			from = i
		} else {
			break
		}
	}
	return values[count-1]
}

// compare compares newcomers with the cells that they look into.
func (x *Index) compare(ctx context.Context, w *newcomers, all []look, direct bool) {
	if len(all) == 0 {
		return
	}
	count, width, rank := x.cells(), x.Basis.Width, x.Basis.rank()
	w.first, w.sorted = grown(w.first, count+2), grown(w.sorted, len(all))
	clear(w.first)
	for _, l := range all {
		w.first[l.cell+2]++
	}
	for cell := range count {
		w.first[cell+2] += w.first[cell+1]
	}
	for _, l := range all {
		w.sorted[w.first[l.cell+1]] = l.who
		w.first[l.cell+1]++
	}
	for cell := range count {
		for who := w.sorted[w.first[cell]:w.first[cell+1]]; len(who) > 0 && ctx.Err() == nil; {
			some := who[:min(len(who), tiles.Size)]
			who = who[len(some):]
			w.gathered, w.squares, w.limit = grown(w.gathered, len(some)*rank), grown(w.squares, len(some)), grown(w.limit, len(some))
			for k, r := range some {
				copy(w.gathered[k*rank:(k+1)*rank], w.sketch[int(r)*width:])
				w.squares[k], w.limit[k] = w.square[r], x.sieve.limit(w.lists.limit(int(r)))
			}
			w.left.PackLeft(len(some), rank, w.gathered, rank)
			for b := x.first[cell]; b < x.first[cell+1]; b++ {
				x.compareBlock(w, some, int(b), direct)
			}
		}
	}
}

// compareBlock compares newcomers, who are on the left of tiles, with the points of a block.
func (x *Index) compareBlock(w *newcomers, some []int32, b int, direct bool) {
	from, to := x.blocks[b].from, x.blocks[b].to
	unit, squares := 1/(x.Basis.Scale*x.Basis.Scale), x.squares[from:to]
	w.near = w.tile(&x.packed[b], w.squares, squares, w.limit, w.never[:len(squares)])
	for codes := w.near; len(codes) > 0; {
		k := int(codes[0]) / vec.NearColumns
		r := int(some[k])
		w.places = w.places[:0]
		for ; len(codes) > 0 && int(codes[0])/vec.NearColumns == k; codes = codes[1:] {
			column := int(codes[0]) % vec.NearColumns
			place := from + Place(column)
			switch {
			case w.except != nil && w.except[r] == place:
			case direct:
				w.places = append(w.places, place)
			default:
				dot := w.dots[k*tiles.Size+column]
				w.lists.offer(r, place, float64(max(w.squares[k]+squares[column]-dot-dot, 0))*unit)
			}
		}
		x.offer(w, r, slices.DeleteFunc(w.places, func(place Place) bool { return w.lists.has(r, place) }))
		w.limit[k] = x.sieve.limit(w.lists.limit(r))
	}
}

// offer offers places to the list of a newcomer, by distances between the points.
func (x *Index) offer(w *newcomers, r int, places []Place) {
	if len(places) == 0 {
		return
	}
	w.others = w.others[:0]
	for _, place := range places {
		w.others = append(w.others, x.Rows[place])
	}
	w.distance = grown(w.distance, len(w.others))
	i := int(w.rows[r])
	w.points.RoughDistancesTo(w.distance, i, x.points, w.others)
	for c, place := range places {
		if x.cosine && (w.points.Squares()[i] == 0 || x.points.Squares()[x.Rows[place]] == 0) {
			w.distance[c] = 2
		}
		w.lists.offerNew(r, place, w.distance[c])
	}
}

// ranked returns the k nearest that were found for a newcomer, and maybe more, nearest first, by distances summed in the documented order.
// The result is good until the next call.
func (x *Index) ranked(w *newcomers, r, k int) []candidate[float64] {
	w.places, w.list = w.lists.append(w.places[:0], r), w.list[:0]
	i, unit := int(w.rows[r]), 1/(x.Basis.Scale*x.Basis.Scale)
	from, to := w.lists.span(r)
	if len(w.places) < k { // no estimate is a number
		w.places = w.places[:0]
		for place := range x.Rows {
			w.places = append(w.places, Place(place))
		}
	} else if far := w.lists.distance[from:to]; len(w.places) > k {
		for c, place := range w.places[k:] { // farther than k others, whatever is rounded
			if far[k+c]-far[k-1] > 2*slack*float64(w.square[r]+x.squares[place])*unit {
				w.places = w.places[:k+c]
				break
			}
		}
	}
	for _, place := range w.places {
		j := x.Rows[place]
		squared := w.points.SquaredDistance(i, x.points, int(j))
		switch {
		case x.cosine && (w.points.Squares()[i] == 0 || x.points.Squares()[j] == 0):
			squared = 1
		case x.cosine:
			squared /= 2
		default:
			squared = math.Sqrt(squared)
		}
		w.list = append(w.list, candidate[float64]{squared, j})
	}
	slices.SortFunc(w.list, nearer)
	return w.list
}

// needed returns into how many cells a newcomer has to look, for a share of the k nearest rows to be found. The newcomers
// are a sample. One that is more remote looks into more.
func (x *Index) needed(w *newcomers, k int, nearest []int32, place []Place, share float64) float32 {
	needed := make([]float64, len(nearest))
	remoteness := 1.0
	for c, row := range nearest {
		if c%k == 0 {
			x.fromCentres(w, w.sketch[c/k*x.Basis.Width:][:x.Basis.Width])
			own := slices.Index(w.far, slices.Min(w.far))
			remoteness = max(x.remoteness(int32(own), w.far[own]), 1e-3)
		}
		cell, _ := slices.BinarySearch(x.Start, int32(place[row])+1)
		rank := 1
		for _, v := range w.far {
			if v < w.far[cell-1] {
				rank++
			}
		}
		needed[c] = float64(rank) / remoteness
	}
	slices.Sort(needed)
	return float32(needed[min(int(share*float64(len(needed))), len(needed)-1)])
}

// together is how many new points one piece of work seeks the neighbours of, and so compares with cells at a time.
const together = 4096

// Nearest returns the k nearest points of the index to every row of q, as [Search.Ranked] does, k being at most K. It
// fails when ctx is done. Cost: a product of sketches with every centre, and with every point of the cells that a row
// looks into. Memory: some kilobytes for each of 4,096 rows for a thread, beside the result.
//
// What is found for a row does not depend on the others.
func (x *Index) Nearest(ctx context.Context, q *points.Points, k int) (index []int32, distance []float64, err error) {
	n, threads := q.Len(), parallel.Threads(ctx)
	index, distance = make([]int32, n*k), make([]float64, n*k)
	size := min(together, (n+threads-1)/threads)
	all := make([]struct {
		newcomers
		sketcher
	}, threads)
	err = parallel.Run(ctx, (n+size-1)/max(size, 1), func(worker, piece int) {
		w := &all[worker]
		from, to := piece*size, min((piece+1)*size, n)
		w.points, w.newcomers.rows, w.sketch = q, w.newcomers.rows[:0], grown(w.sketch, (to-from)*x.Basis.Width)
		for i := from; i < to; i++ {
			w.newcomers.rows = append(w.newcomers.rows, int32(i))
		}
		for at := from; at < to; at += tiles.Size {
			x.Basis.sketch(w.sketch[(at-from)*x.Basis.Width:], &w.sketcher, q, at, min(at+tiles.Size, to))
		}
		if x.seek(ctx, &w.newcomers, k) != nil {
			return
		}
		for i := from; i < to; i++ {
			for c, one := range x.ranked(&w.newcomers, i-from, k)[:k] {
				index[i*k+c], distance[i*k+c] = one.index, one.distance
			}
		}
	})
	return index, distance, err
}
