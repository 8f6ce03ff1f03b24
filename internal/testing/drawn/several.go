package drawn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"lapsvm/dataset"
	"lapsvm/points"
)

// Topics returns n counts of 80 words in texts of 60 words, and as labels the topics of each text, separated by ";". A text has
// one to three of six topics, of which some are rare. A topic prefers 12 words; a third of the words of a text are of no
// topic.
func Topics(n int, seed uint64) *dataset.Dataset {
	const topics, words, length, own = 6, 80, 60, 12
	random := rand.New(rand.NewPCG(seed, 19))
	var prefers [topics][]int
	for k := range prefers {
		prefers[k] = random.Perm(words)[:own]
	}
	labels := dataset.NewLabels(nil, false, dataset.LabelRules{Several: ";"})
	values := make([]float64, n*words)
	for i := range n {
		of := random.Perm(topics * (topics + 1) / 2)[:1+random.IntN(3)]
		var has []int // topic k in proportion to k + 1
		for _, v := range of {
			has = append(has, int((math.Sqrt(float64(8*v+1))-1)/2))
		}
		slices.Sort(has)
		has = slices.Compact(has)
		for range length {
			word := random.IntN(words)
			if random.IntN(3) > 0 {
				word = prefers[has[random.IntN(len(has))]][random.IntN(own)]
			}
			values[i*words+word]++
		}
		add(labels, has, "topic")
	}
	return finish(labels, &dataset.Dataset{Points: points.Dense(n, words, values)})
}

// segments are the lines of seven that show a digit: above, upper left and right, middle, lower left and right, below.
var segments = [10]string{"1110111", "0010010", "1011101", "1011011", "0111010", "1101011", "1101111", "1010010", "1111111", "1111011"}

// Pairs returns n pictures of two digits of seven lines side by side, and as labels their digits, separated by ";". Each digit
// has a place, a size and a slant of its own, and the dots have noise.
func Pairs(n int, seed uint64) *dataset.Dataset {
	const width, height = 24, 16
	random := rand.New(rand.NewPCG(seed, 20))
	labels := dataset.NewLabels(nil, false, dataset.LabelRules{Several: ";"})
	values := make([]uint8, n*width*height)
	for i := range n {
		picture := values[i*width*height : (i+1)*width*height]
		for k := range picture {
			picture[k] = uint8(random.IntN(80))
		}
		var digits []int
		for half := range 2 {
			digit := random.IntN(10)
			digits = append(digits, digit)
			w, h := 4+random.IntN(3), 8+random.IntN(4)
			left, top := half*width/2+1+random.IntN(3), 1+random.IntN(height-h-2)
			slant := 0.3 * (random.Float64() - 0.5)
			dot := func(x, y int) {
				x += int(math.Round(slant * float64(h/2-y)))
				at := (top+y)*width + min(max(left+x, 0), width-1)
				picture[at] = max(picture[at], uint8(150+random.IntN(100)))
			}
			for k, on := range segments[digit] {
				if on == '0' {
					continue
				}
				switch k {
				case 0, 3, 6:
					for x := range w + 1 {
						dot(x, k/3*h/2)
					}
				case 1, 2, 4, 5:
					for y := range h/2 + 1 {
						dot((k+1)%3%2*w, k/4*h/2+y)
					}
				}
			}
		}
		slices.Sort(digits)
		add(labels, slices.Compact(digits), "")
	}
	return finish(labels, &dataset.Dataset{Points: points.DenseBytes(n, width*height, values), Image: dataset.Image{Width: width, Height: height, White: 255}})
}

// add labels the next row by numbers behind a word.
func add(labels *dataset.Labels, has []int, word string) {
	var names []string
	for _, k := range has {
		names = append(names, fmt.Sprint(word, k))
	}
	if err := labels.Add([]byte(dataset.JoinSeveral(names, nil, ";"))); err != nil {
		panic(err)
	}
}

func finish(labels *dataset.Labels, d *dataset.Dataset) *dataset.Dataset {
	if err := labels.Finish(d); err != nil {
		panic(err)
	}
	return d
}
