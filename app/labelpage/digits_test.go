package labelpage_test

import (
	"math/rand/v2"
	"strings"

	"lapsvm/dataset"
	"lapsvm/points"
)

// glyphs are the ten digits, five dots wide and seven high.
var glyphs = [10]string{
	".###.|#...#|#...#|#...#|#...#|#...#|.###.",
	"..#..|.##..|..#..|..#..|..#..|..#..|.###.",
	".###.|#...#|....#|...#.|..#..|.#...|#####",
	"####.|....#|....#|.###.|....#|....#|####.",
	"...#.|..##.|.#.#.|#..#.|#####|...#.|...#.",
	"#####|#....|####.|....#|....#|#...#|.###.",
	"..##.|.#...|#....|####.|#...#|#...#|.###.",
	"#####|....#|...#.|..#..|.#...|.#...|.#...",
	".###.|#...#|#...#|.###.|#...#|#...#|.###.",
	".###.|#...#|#...#|.####|....#|...#.|.##..",
}

// side is that of the images of digits, in dots.
const side = 20

// digits draws n images of digits: each at a place, of a slant, width and
// darkness of its own, with some noise. It returns them without labels, and
// the digit of every one.
func digits(n int, seed uint64) (*dataset.Dataset, []int) {
	random := rand.New(rand.NewPCG(seed, 1))
	dots := make([]uint8, 0, n*side*side)
	truth := make([]int, n)
	for i := range truth {
		truth[i] = random.IntN(10)
		dots = append(dots, draw(truth[i], random)...)
	}
	d := &dataset.Dataset{Points: points.DenseBytes(n, side*side, dots), Y: make([]int, n), Image: dataset.Image{Width: side, Height: side, White: 255}}
	for i := range d.Y {
		d.Y[i] = dataset.Unlabelled
	}
	return d, truth
}

func draw(digit int, random *rand.Rand) []uint8 {
	rows := strings.Split(glyphs[digit], "|")
	slant := random.NormFloat64() * 0.12
	wide, high := 2.1+0.6*random.Float64(), 1.9+0.3*random.Float64()
	left, top := side/2+random.NormFloat64()*0.7, side/2+random.NormFloat64()*0.7
	pen := 0.55 + 0.35*random.Float64()
	dots := make([]uint8, side*side)
	for y := range side {
		for x := range side {
			// The place of the dot among those of the glyph.
			v := (float64(y)-top)/high + 3
			u := (float64(x)-left)/wide + slant*(v-3) + 2
			ink := 0.0
			for b := range rows {
				for a := range rows[b] {
					if rows[b][a] == '#' {
						du, dv := u-float64(a), v-float64(b)
						ink = max(ink, 1.25-(du*du+dv*dv)/(pen*pen+0.15))
					}
				}
			}
			value := 255*min(1, max(0, ink)) + random.NormFloat64()*9
			dots[y*side+x] = uint8(min(255, max(0, value)))
		}
	}
	return dots
}
