package task

import "slices"

// Repeated returns the labelled points that can be held out to compare machines, by their number
// among the labelled points. They belong to classes with at least two labels: holding out the only
// label leaves no trace of its class. It returns nil where only one of several classes has two
// labels. A machine that assigns that class to all points would decide every held-out label
// rightly.
func (t *Task) Repeated() []int {
	size := t.sizes()
	var repeated []int
	classes := 0
	for _, labels := range size {
		if labels > 1 {
			classes++
		}
	}
	if classes == 1 && len(size) > 1 {
		return nil
	}
	for k, class := range t.Class {
		if size[class] > 1 {
			repeated = append(repeated, k)
		}
	}
	return repeated
}

// Folds divides the labelled points of all classes with at least two labels into folds, at most as
// many as given. No fold holds all labels of a class. It returns nil where every class has a single
// label. Labelled points go by their number among the labelled points.
func (t *Task) Folds(most int) [][]int {
	number := 0
	for _, size := range t.sizes() {
		number = max(number, min(size, most))
	}
	if number < 2 {
		return nil
	}
	return t.Deal(number)
}

// Deal divides the labelled points of all classes with at least two among number parts, class after
// class, one point to each part in turn.
func (t *Task) Deal(number int) [][]int {
	members := make([][]int, t.Groups())
	for k, class := range t.Class {
		members[class] = append(members[class], k)
	}
	if compare := t.Kind.of().compare(t); compare != nil {
		for _, labels := range members {
			slices.SortStableFunc(labels, compare)
		}
	}
	parts := make([][]int, number)
	next := 0
	for _, class := range members {
		if len(class) < 2 {
			continue
		}
		for _, k := range class {
			parts[next%number] = append(parts[next%number], k)
			next++
		}
	}
	return parts
}

// sizes returns the number of labelled points of every group.
func (t *Task) sizes() []int {
	size := make([]int, t.Groups())
	for _, class := range t.Class {
		size[class]++
	}
	return size
}
