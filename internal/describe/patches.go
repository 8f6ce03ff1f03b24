package describe

import (
	"context"
	"math"
	"math/rand/v2"

	"lapsvm/internal/numbers/linalg"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
)

// The settings of learned filters.
const (
	patchSide    = 6
	filterCount  = 200
	patchSample  = 40000 // patches that filters are learned from
	filterRounds = 10
	flat         = 0.05 // a patch's deviation, in deviations of values, that counts as flat
	whitening    = 0.1  // what is added to the variances of patches
	threshold    = 0.5
)

// patchLength returns the number of values of a patch.
func patchLength(s Shape) int { return patchSide * patchSide * s.Colours }

// patches describes pictures by filters learned from patches of 6×6 dots (Coates and Ng,
// "Learning feature representations with k-means", 2012).
//
// A patch p of all colours becomes z = (p − mean p)/√(var p + 0.05²). The filters D, K = 200 rows, give
// it the 2K numbers max(0, Dz − ½) and max(0, −Dz − ½). A picture has their sums over the patches
// in each quadrant of the picture, and of these the square roots.
type patches struct {
	s       Shape
	right   vec.Packed[float32] // the filters
	left    vec.Packed[float32]
	values  []float32 // the patches of a quadrant
	outputs []float32 // what the filters say of them
}

func newPatches(s Shape, filters []float32) *patches {
	p := &patches{s: s}
	length := patchLength(s)
	p.right.PackRight(filterCount, length, filters, length)
	most := (s.Width - patchSide + 2) / 2 * ((s.Height - patchSide + 2) / 2)
	p.values, p.outputs = make([]float32, most*length), make([]float32, most*filterCount)
	return p
}

func (p *patches) numbers() int { return 4 * 2 * filterCount }

func (p *patches) describe(dst, picture []float32) {
	across, down := p.s.Width-patchSide+1, p.s.Height-patchSide+1
	length := patchLength(p.s)
	for quadrant := range 4 {
		top, bottom := quadrant/2*(down/2), (down/2)+quadrant/2*(down-down/2)
		begin, end := quadrant%2*(across/2), (across/2)+quadrant%2*(across-across/2)
		count := (bottom - top) * (end - begin)
		values := p.values
		for y := top; y < bottom; y++ {
			for x := begin; x < end; x++ {
				normalised(values[:length], picture, p.s, x, y)
				values = values[length:]
			}
		}
		p.left.PackLeft(count, length, p.values, length)
		vec.Tile(p.outputs, filterCount, &p.left, &p.right, nil)
		rectified := dst[quadrant*2*filterCount:][:2*filterCount]
		vec.Rectify(rectified[:filterCount], rectified[filterCount:], count, p.outputs, filterCount, threshold)
		for k, v := range rectified {
			rectified[k] = float32(math.Sqrt(float64(v)))
		}
	}
}

// normalised writes the patch at column x and row y, less its mean and over its deviation.
func normalised(dst, picture []float32, s Shape, x, y int) {
	var sum, squares float32
	at := 0
	for c := range s.Colours {
		for r := range patchSide {
			line := picture[(c*s.Height+y+r)*s.Width+x:][:patchSide]
			copy(dst[at:], line)
			at += patchSide
			for _, v := range line {
				sum += v
			}
		}
	}
	mean := sum / float32(len(dst))
	for k, v := range dst {
		v -= mean
		dst[k] = v
		squares += float32(v * v)
	}
	factor := float32(1 / math.Sqrt(float64(squares)/float64(len(dst))+flat*flat))
	for k := range dst {
		dst[k] *= factor
	}
}

// learnFilters learns filters from patches z at random places of pictures. With
// W = (E[zzᵀ] + ¹⁄₁₀·I)^−½ the whitened patches are Wz. Spherical k-means finds directions d of
// length 1 for these: a patch belongs to the direction of the largest |dᵀWz|, and the direction
// becomes d + Σ (dᵀWz)·Wz over its patches, divided by the length. Ten rounds begin at random
// directions. The filters are the rows dᵀW.
func learnFilters(ctx context.Context, s Shape, pictures []float32, random *rand.Rand) ([]float32, error) {
	size, length := s.Inputs(), patchLength(s)
	n := len(pictures) / size
	z := make([]float32, patchSample*length)
	for i := range patchSample {
		picture := pictures[i%n*size:][:size]
		x, y := random.IntN(s.Width-patchSide+1), random.IntN(s.Height-patchSide+1)
		normalised(z[i*length:(i+1)*length], picture, s, x, y)
	}
	whiten, err := whitener(ctx, z, length)
	if err != nil {
		return nil, err
	}
	white := make([]float32, len(z))
	if err = vec.Gemm(ctx, false, false, patchSample, length, length, 1, z, length, whiten, length, 0, white, length); err != nil {
		return nil, err
	}
	directions := make([]float64, filterCount*length)
	for i := range directions {
		directions[i] = random.NormFloat64()
	}
	single, products := make([]float32, len(directions)), make([]float32, patchSample*filterCount)
	nearest := make([]int, patchSample)
	for round := 0; ; round++ {
		for k := range filterCount {
			d := directions[k*length : (k+1)*length]
			vec.Divide(d, linalg.Norm(d))
		}
		vec.Narrow(single, directions)
		if round == filterRounds {
			break
		}
		if err = vec.Gemm(ctx, false, true, patchSample, filterCount, length, 1, white, length, single, length, 0, products, filterCount); err != nil {
			return nil, err
		}
		const piece = 1000
		err = parallel.Step(ctx, patchSample/piece, func(_, t int) {
			for i := t * piece; i < (t+1)*piece; i++ {
				nearest[i] = largest(products[i*filterCount : (i+1)*filterCount])
			}
		})
		if err != nil {
			return nil, err
		}
		for i, k := range nearest {
			by := float64(products[i*filterCount+k])
			d := directions[k*length : (k+1)*length]
			for j, v := range white[i*length : (i+1)*length] {
				d[j] += by * float64(v)
			}
		}
	}
	filters := make([]float32, len(single))
	err = vec.Gemm(ctx, false, false, filterCount, length, length, 1, single, length, whiten, length, 0, filters, length)
	return filters, err
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

// whitener returns (E[zzᵀ] + ¹⁄₁₀·I)^−½ of the rows z of a table.
func whitener(ctx context.Context, z []float32, length int) ([]float32, error) {
	n := len(z) / length
	wide := linalg.New(n, length)
	vec.Widen(wide.Data, z)
	moments := linalg.New(length, length)
	if err := linalg.Gemm(ctx, 1/float64(n), wide.T(), wide, 0, moments); err != nil {
		return nil, err
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
