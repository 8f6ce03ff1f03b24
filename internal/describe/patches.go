package describe

import (
	"context"
	"iter"
	"math"
	"math/rand/v2"
	"slices"

	"lapsvm/internal/numbers/linalg"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
)

// Patches is the description by learned filters.
const Patches = "patches"

// The settings of learned filters.
const (
	PatchSide    = 6
	FilterCount  = 192   // whole vectors and tiles of products
	patchSample  = 20000 // most patches that filters are learned from, and
	eachSample   = 25    // most of a picture
	filterRounds = 5
	Flat         = 0.1 // a patch's deviation, in deviations of values, that counts as flat
	whitening    = 0.3 // what is added to the variances of patches
	Threshold    = 2.0
)

// patchLength returns the number of values of a patch.
func patchLength(s Shape) int { return PatchSide * PatchSide * s.Colours }

// patches describes pictures by filters learned from patches of 6×6 pixels (Coates and Ng,
// "Learning feature representations with k-means", 2012).
//
// A patch p of all colours becomes z = (p − mean p)/√(var p + 0.1²). The filters D, K = 192 rows, give
// it the 2K numbers max(0, Dz − 2) and max(0, −Dz − 2). A picture has their sums over the patches
// in each quadrant of the picture, and of these the square roots. Patches that are so flat that no filter
// finds anything beyond the threshold are left out: of handwritten digits a third.
type patches struct {
	normal  normaliser
	right   vec.Packed[float32] // the filters
	left    vec.Packed[float32]
	values  []float32 // the patches of a quadrant
	outputs []float32 // what the filters say of them
}

func newPatches(s Shape, filters []float32) *patches {
	p := &patches{normal: newNormaliser(s)}
	length := patchLength(s)
	p.normal.least = leastVariance(filters, length)
	p.right.PackRight(FilterCount, length, filters, length)
	most := (p.normal.across + 1) / 2 * ((p.normal.down + 1) / 2)
	p.values, p.outputs = make([]float32, most*length), make([]float32, most*FilterCount)
	return p
}

// Quadrant yields the places of a quadrant, 0 to 3, of a field of places, row by row.
func Quadrant(quadrant, across, down int) iter.Seq2[int, int] {
	half := func(second bool, side int) (from, to int) {
		if second {
			return side / 2, side
		}
		return 0, side / 2
	}
	left, right := half(quadrant%2 == 1, across)
	top, bottom := half(quadrant >= 2, down)
	return func(yield func(x, y int) bool) {
		for y := top; y < bottom; y++ {
			for x := left; x < right; x++ {
				if !yield(x, y) {
					return
				}
			}
		}
	}
}

func (p *patches) numbers() int { return 4 * 2 * FilterCount }

func (p *patches) describe(dst, picture []float32) {
	p.normal.look(picture)
	across, down, length := p.normal.across, p.normal.down, patchLength(p.normal.s)
	for quadrant := range 4 {
		count, values := 0, p.values
		for x, y := range Quadrant(quadrant, across, down) {
			if p.normal.factor[y*across+x] > 0 {
				p.normal.patch(values[:length], x, y)
				count, values = count+1, values[length:]
			}
		}
		p.left.PackLeft(count, length, p.values, length)
		vec.Tile(p.outputs, FilterCount, &p.left, &p.right, nil)
		sums := dst[quadrant*2*FilterCount:][:2*FilterCount]
		vec.Rectify(sums[:FilterCount], sums[FilterCount:], count, p.outputs, FilterCount, Threshold)
		for k, v := range sums {
			sums[k] = float32(math.Sqrt(float64(v)))
		}
	}
}

// normaliser reads the patches of a picture, each less its mean and over its deviation.
type normaliser struct {
	s            Shape
	across, down int // places of patches
	picture      []float32
	least        float32   // patches of a lower variance have the factor 0
	mean, factor []float32 // of the patch at each place
	sum, squares []float32 // of the values of a line next to each place
}

// leastVariance returns a variance v below which |dᵀz| is not beyond the threshold for any filter d, because it is at most
// ‖d‖‖z‖ and ‖z‖² = length·v/(v + 0.1²).
func leastVariance(filters []float32, length int) float32 {
	largest := 0.0
	for d := range slices.Chunk(filters, length) {
		square := 0.0
		for _, v := range d {
			square += float64(v) * float64(v)
		}
		largest = max(largest, square)
	}
	const beyond = 0.99 * Threshold * Threshold // with room for rounding
	if most := largest * float64(length); most > beyond {
		return float32(beyond * Flat * Flat / (most - beyond))
	}
	return math.MaxFloat32
}

func newNormaliser(s Shape) normaliser {
	across, down := s.Width-PatchSide+1, s.Height-PatchSide+1
	memory := func(n int) []float32 { return make([]float32, n) }
	return normaliser{s: s, across: across, down: down, mean: memory(across * down), factor: memory(across * down), sum: memory(across), squares: memory(across)}
}

// look makes a picture the one that patches are read from.
func (n *normaliser) look(picture []float32) {
	n.picture = picture
	clear(n.mean)
	clear(n.factor)
	for c := range n.s.Colours {
		for y := range n.s.Height {
			line := picture[(c*n.s.Height+y)*n.s.Width:][:n.s.Width]
			for x := range n.sum {
				v := line[x : x+PatchSide : x+PatchSide]
				n.sum[x] = v[0] + v[1] + v[2] + v[3] + v[4] + v[5]
				n.squares[x] = float32(v[0]*v[0]) + float32(v[1]*v[1]) + float32(v[2]*v[2]) + float32(v[3]*v[3]) + float32(v[4]*v[4]) + float32(v[5]*v[5])
			}
			for top := max(y-PatchSide+1, 0); top <= min(y, n.down-1); top++ {
				sums, squares := n.mean[top*n.across:][:n.across], n.factor[top*n.across:][:n.across]
				for x, v := range n.sum {
					sums[x] += v
					squares[x] += n.squares[x]
				}
			}
		}
	}
	const rounding = 5e-6 // relative error of sums of squares, at most
	part := 1 / float32(patchLength(n.s))
	for k, sum := range n.mean {
		mean := sum * part
		square := float32(n.factor[k] * part)
		variance := max(square-float32(mean*mean), 0)
		n.mean[k] = mean
		n.factor[k] = 0
		if variance+float32(rounding*square) >= n.least {
			n.factor[k] = 1 / float32(math.Sqrt(float64(variance+Flat*Flat)))
		}
	}
}

// patch writes the patch at column x and row y.
func (n *normaliser) patch(dst []float32, x, y int) {
	mean, factor := n.mean[y*n.across+x], n.factor[y*n.across+x]
	for c := range n.s.Colours {
		from := n.picture[(c*n.s.Height+y)*n.s.Width+x:]
		for r := range PatchSide {
			line, to := from[r*n.s.Width:][:PatchSide], dst[:PatchSide]
			to[0], to[1], to[2] = (line[0]-mean)*factor, (line[1]-mean)*factor, (line[2]-mean)*factor
			to[3], to[4], to[5] = (line[3]-mean)*factor, (line[4]-mean)*factor, (line[5]-mean)*factor
			dst = dst[PatchSide:]
		}
	}
}

// learnFilters learns filters from patches z at random places of pictures: with
// W = (E[zzᵀ] + 0.3·I)^−½ the rows dᵀW for the directions d that [directions] finds for the
// whitened patches Wz.
func learnFilters(ctx context.Context, s Shape, pictures []float32, random *rand.Rand) ([]float32, error) {
	size, length := s.Inputs(), patchLength(s)
	n, seen := len(pictures)/size, -1
	count := min(eachSample*n, patchSample)
	z, normal := make([]float32, count*length), newNormaliser(s)
	for i := range count {
		if k := i * n / count; k != seen {
			normal.look(pictures[k*size : (k+1)*size])
			seen = k
		}
		normal.patch(z[i*length:(i+1)*length], random.IntN(normal.across), random.IntN(normal.down))
	}
	whiten, err := whitener(ctx, z, length)
	if err != nil {
		return nil, err
	}
	white := make([]float32, len(z))
	if err = vec.Gemm(ctx, false, false, count, length, length, 1, z, length, whiten, length, 0, white, length); err != nil {
		return nil, err
	}
	found, err := directions(ctx, white, length, FilterCount, random)
	if err != nil {
		return nil, err
	}
	filters := make([]float32, len(found))
	err = vec.Gemm(ctx, false, false, FilterCount, length, length, 1, found, length, whiten, length, 0, filters, length)
	return filters, err
}

// directions finds directions d of length 1, one after the other, for rows x of a table by
// spherical k-means. A row belongs to the direction of the largest |dᵀx|. The direction becomes
// d + Σ (dᵀx)·x over its rows, divided by its length. Five rounds begin at random directions.
func directions(ctx context.Context, x []float32, length, count int, random *rand.Rand) ([]float32, error) {
	n := len(x) / length
	all := make([]float64, count*length)
	for i := range all {
		all[i] = random.NormFloat64()
	}
	single, by, nearest := make([]float32, len(all)), make([]float64, n), make([]int, n)
	const piece = 256 // rows whose products stay in the second-level cache
	products, one := make([][]float32, parallel.Threads(ctx)), parallel.WithLimit(ctx, 1)
	for round := 0; ; round++ {
		for k := range count {
			d := all[k*length : (k+1)*length]
			vec.Divide(d, linalg.Norm(d))
		}
		vec.Narrow(single, all)
		if round == filterRounds {
			return single, nil
		}
		err := parallel.Step(ctx, (n+piece-1)/piece, func(w, t int) {
			if products[w] == nil {
				products[w] = make([]float32, piece*count)
			}
			from, rows := t*piece, min(piece, n-t*piece)
			_ = vec.Gemm(one, false, true, rows, count, length, 1, x[from*length:], length, single, length, 0, products[w], count) // which Step tells of
			for i := range rows {
				of := products[w][i*count : (i+1)*count]
				k := largest(of)
				nearest[from+i], by[from+i] = k, float64(of[k])
			}
		})
		if err != nil {
			return nil, err
		}
		for i, k := range nearest {
			d := all[k*length : (k+1)*length]
			for j, v := range x[i*length : (i+1)*length] {
				d[j] += by[i] * float64(v)
			}
		}
	}
}

// largest returns the place of the number of the largest magnitude, the first of equals.
func largest(x []float32) int {
	place, most := 0, float32(-1)
	for k, v := range x {
		if v = max(v, -v); v > most {
			place, most = k, v
		}
	}
	return place
}

// whitenedRows are widened at a time, so that they stay in a cache.
const whitenedRows = 1024

// whitener returns (E[zzᵀ] + 0.3·I)^−½ of the rows z of a table.
func whitener(ctx context.Context, z []float32, length int) ([]float32, error) {
	n := len(z) / length
	moments := linalg.New(length, length)
	wide := make([]float64, whitenedRows*length)
	for some := range slices.Chunk(z, len(wide)) {
		rows := linalg.FromSlice(len(some)/length, length, wide[:len(some)])
		vec.Widen(rows.Data, some)
		if err := linalg.Gemm(ctx, 1/float64(n), rows.T(), rows, 1, moments); err != nil {
			return nil, err
		}
	}
	values, vectors, err := linalg.Eigen(ctx, moments)
	if err != nil {
		return nil, err
	}
	scaled := linalg.New(length, length)
	for i := range length {
		for c, v := range values {
			scaled.Row(i)[c] = vectors.Row(i)[c] / math.Sqrt(max(v, 0)+whitening)
		}
	}
	if err := linalg.Gemm(ctx, 1, scaled, vectors.T(), 0, moments); err != nil {
		return nil, err
	}
	whiten := make([]float32, length*length)
	vec.Narrow(whiten, moments.Data)
	return whiten, nil
}
