package selection

import (
	"math"
	"math/rand/v2"
	"slices"

	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
)

// sample is what part of a training a comparison has.
type sample struct {
	points  int    // that take part in the training
	outputs int    // machines of the training
	unseen  int    // labels that the comparison does not have
	seen    []bool // of every label of the data; nil where none is unseen
	counts  []int  // labels of every class, the unseen among them; nil where none is unseen
}

// remember records which labels of d a comparison with the task part sees, and how many labels each class has in all. The points of t are the given
// rows of d, nil for all.
func (s *sample) remember(d *dataset.Dataset, t, part *task.Task, rows []int, seen map[int]bool) {
	labelled := d.Labelled()
	s.seen, s.counts = make([]bool, len(labelled)), make([]int, part.Groups())
	for k, i := range t.Labelled {
		if rows != nil {
			i = rows[i]
		}
		at, _ := slices.BinarySearch(labelled, i)
		s.seen[at] = seen[k]
		class := 0
		if part.Groups() > 1 {
			class = dataset.FindClass(part.Classes, t.Classes[t.Class[k]])
		}
		if class >= 0 {
			s.counts[class]++
		}
	}
}

// unusedLabels returns the labels that the comparison does not have, ascending.
func (s *sample) unusedLabels() (unseen []int) {
	for k, seen := range s.seen {
		if !seen {
			unseen = append(unseen, k)
		}
	}
	return unseen
}

// draw returns the points of a comparison, ascending, and the labels that it may see, by their number
// among the labelled points. It draws labels class by class, of classes with several labels first. Of many labels it leaves some of
// every class, by which [Fit] tells of the training.
func (s *sample) draw(t *task.Task, most int, seed uint64) (taken []int, seen map[int]bool) {
	rng := rand.New(rand.NewPCG(seed, 17))
	byClass := make([][]int, t.Groups())
	for k, class := range t.Class {
		byClass[class] = append(byClass[class], k)
	}
	for _, class := range byClass {
		rng.Shuffle(len(class), func(a, b int) { class[a], class[b] = class[b], class[a] })
	}
	if len(byClass) > comparisonClasses {
		rng.Shuffle(len(byClass), func(a, b int) { byClass[a], byClass[b] = byClass[b], byClass[a] })
		slices.SortStableFunc(byClass, func(a, b []int) int { return min(len(b), 2) - min(len(a), 2) })
		byClass = byClass[:comparisonClasses]
	}
	labels := 0
	for _, class := range byClass {
		labels += len(class)
	}
	if float64(labels) >= (1+sampleSizePerLabel)*comparisonLabels {
		for c, class := range byClass {
			byClass[c] = class[:int(math.Ceil(float64(len(class))/(1+sampleSizePerLabel)))]
		}
	}
	labels = min(labels, comparisonLabels, most)
	seen = make(map[int]bool)
	isTaken := make([]bool, t.Points)
	for round := 0; len(seen) < labels; round++ {
		for _, class := range byClass {
			if round < len(class) && len(seen) < labels {
				k := class[round]
				seen[k], isTaken[t.Labelled[k]] = true, true
				taken = append(taken, t.Labelled[k])
			}
		}
	}
	for _, i := range rng.Perm(t.Points) {
		if len(taken) < most && !isTaken[i] {
			taken = append(taken, i)
		}
	}
	s.unseen = len(t.Labelled) - len(seen)
	slices.Sort(taken)
	return taken, seen
}
