// Package drawn draws rows and pictures, and writes texts, for tests.
package drawn

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"lapsvm/dataset"
	"lapsvm/points"
)

// Bars returns n pictures of side×side dots with noise: bars of any place that lie or stand. Their classes are "lies" and
// "stands", in turn, and all are labelled. Two bars that lie have no dots in common, but their
// gradients.
func Bars(n, side int, seed uint64) *dataset.Dataset {
	random := rand.New(rand.NewPCG(seed, 17))
	values, y := make([]uint8, n*side*side), make([]int, n)
	for i := range n {
		y[i] = i % 2
		picture := values[i*side*side : (i+1)*side*side]
		place, from := 1+random.IntN(side-3), random.IntN(side/4)
		for k := range picture {
			across, along := k/side, k%side
			if y[i] == 1 {
				across, along = along, across
			}
			picture[k] = uint8(random.IntN(60))
			if (across == place || across == place+1) && along >= from && along < side-from {
				picture[k] += 150
			}
		}
	}
	return &dataset.Dataset{Points: points.DenseBytes(n, side*side, values), Y: y, Classes: []string{"lies", "stands"},
		Image: dataset.Image{Width: side, Height: side, White: 255}}
}

// Notes returns n texts of six words as a table in CSV with the columns "note" and "topic", of which the first labelled have
// their topic: garden and harbour, in turn. Each topic has 40 words, so that two texts of a topic rarely share
// one. The words of a topic share characters.
func Notes(n, labelled int, seed uint64) string {
	random := rand.New(rand.NewPCG(seed, 18))
	var table strings.Builder
	table.WriteString("note,topic\n")
	for i := range n {
		topic := []string{"garden", "harbour"}[i%2]
		for k := range 6 {
			stem := topic
			if k%2 == 1 {
				stem = "common"
			}
			fmt.Fprintf(&table, "%s%d ", stem, 100+random.IntN(40))
		}
		if i >= labelled {
			topic = ""
		}
		fmt.Fprintf(&table, ",%s\n", topic)
	}
	return table.String()
}

// Few returns d with the labels of the first rows alone, and the classes of all rows.
func Few(d *dataset.Dataset, labelled int) (few *dataset.Dataset, truth []int) {
	some := *d
	some.Y = slices.Clone(d.Y)
	for i := labelled; i < len(some.Y); i++ {
		some.Y[i] = dataset.Unlabelled
	}
	return &some, d.Y
}
