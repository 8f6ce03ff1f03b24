// Package selection measures classifiers: it hides labels, trains, and
// compares predictions with what was hidden.
//
// [Splits] divides the rows of a data set as a [Plan] says, [Evaluation.Run]
// trains and measures on every [Split], beside an SVM on the labelled points
// alone if asked to, and [MeanSD] and [Gain] sum the results up.
package selection

import (
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"

	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/system/fault"
)

// Plan says how labelled rows are divided. The zero value of every field but
// Labelled or PerClass is its default.
type Plan struct {
	Labelled     int     // number of labels kept, at least one per class; or
	PerClass     int     // number of labels kept of every class
	Validation   int     // number of validation points, at least one per class where there are enough
	TestFraction float64 // share of every class that is set aside for testing
	Repeats      int     // number of splits; default 1
	Numbers      bool    // labels are numbers, drawn as those of a single class
	Several      string  // separates the classes of a label, "" for none: a label is then drawn as one of its rarest class, and those without a class alike
	Seed         uint64
}

// Split is one division of the rows of a data set. Hidden are the rows trained on without their
// label, Unlabelled those without one.
type Split struct {
	Labelled, Hidden, Unlabelled, Validation, Test []int
}

// Training returns the rows to train on, ascending: labelled, hidden and
// unlabelled.
func (s Split) Training() []int {
	rows := slices.Concat(s.Labelled, s.Hidden, s.Unlabelled)
	slices.Sort(rows)
	return rows
}

// Splits divides d as often as the plan asks, from its seed alone. Each split is made on demand.
// Ranging over the sequence again gives the same splits.
//
// Where the test fraction is 1/m, repeats are the folds of m-fold cross-validation, shuffled anew
// every m repeats: every fold holds ⌊n_c/m⌋ rows of each class c, and the few rows left over are
// always trained on. Any other fraction is drawn anew for every repeat, ⌊n_c·fraction⌋ rows of each
// class. From the rest the labelled rows are drawn, one of every class first, and then the
// validation rows in the same way; all other rows hide their labels. A rare class has a row in
// every part, as far as it has enough of them. (Section 7.2 of the paper, with m = 4 and 12
// repeats.)
func Splits(d *dataset.Dataset, plan Plan) (iter.Seq[Split], error) {
	if err := d.CheckLabels(); err != nil {
		return nil, train.OfKind(train.ErrData, err)
	}
	var classes []string // as an error calls them
	var group []int
	switch {
	case plan.Numbers:
		classes = []string{"the data set"}
	case plan.Several != "":
		var err error
		if classes, group, err = rarest(d, plan.Several); err != nil {
			return nil, err
		}
	default:
		for _, name := range d.Classes {
			classes = append(classes, fmt.Sprintf("the class %q", name))
		}
	}
	rows := make([][]int, len(classes))
	for i, y := range d.Y {
		switch {
		case y == dataset.Unlabelled:
		case plan.Numbers:
			rows[0] = append(rows[0], i)
		case group != nil:
			rows[group[y]] = append(rows[group[y]], i)
		default:
			rows[y] = append(rows[y], i)
		}
	}
	if err := plan.validate(classes, rows); err != nil {
		return nil, err
	}
	unlabelled := d.Unlabelled()
	return func(yield func(Split) bool) {
		class := make([][]int, len(rows)) // shuffled
		for c := range rows {
			class[c] = slices.Clone(rows[c])
		}
		plan.each(class, unlabelled, yield)
	}, nil
}

// rarest groups the labels of d by the class that the fewest rows have. Labels without a class are a group of their
// own. It returns what the groups are, and that of every label.
func rarest(d *dataset.Dataset, separator string) (groups []string, group []int, err error) {
	s, err := dataset.SeveralOf(d.Classes, separator)
	if err != nil {
		return nil, nil, err
	}
	rows, uses := make([]int, len(s.Classes)), make([]int, len(d.Classes))
	for _, y := range d.Y {
		if y == dataset.Unlabelled {
			continue
		}
		uses[y]++
		for class, answers := range s.Answers {
			if answers[y] > 0 {
				rows[class]++
			}
		}
	}
	for label := range d.Classes {
		best := -1
		for class, answers := range s.Answers {
			if answers[label] > 0 && (best < 0 || rows[class] < rows[best]) {
				best = class
			}
		}
		name := "the group without a class"
		if best >= 0 {
			name = fmt.Sprintf("the group whose rarest class is %q", s.Classes[best])
		}
		at := slices.Index(groups, name)
		if at < 0 && uses[label] > 0 {
			at = len(groups)
			groups = append(groups, name)
		}
		group = append(group, at)
	}
	return groups, group, nil
}

// each makes the splits of labelled rows by class, which it shuffles, and unlabelled
// ones.
func (plan Plan) each(rows [][]int, unlabelled []int, yield func(Split) bool) {
	folds := 0
	if plan.TestFraction > 0 {
		if m := math.Round(1 / plan.TestFraction); math.Abs(m*plan.TestFraction-1) < 1e-9 {
			folds = int(m)
		}
	}
	rng := rand.New(rand.NewPCG(plan.Seed, 0))
	for r := range max(plan.Repeats, 1) {
		if folds == 0 || r%folds == 0 {
			for _, class := range rows {
				rng.Shuffle(len(class), func(a, b int) { class[a], class[b] = class[b], class[a] })
			}
		}
		s := Split{Unlabelled: slices.Clone(unlabelled)}
		rest := make([][]int, len(rows))
		for c, class := range rows {
			size := plan.tested(len(class))
			from := 0
			if folds > 0 && size > 0 {
				from = r % folds * size % (len(class) - size + 1) // a rare class has fewer rows than there are folds
			}
			s.Test = append(s.Test, class[from:from+size]...)
			rest[c] = slices.Concat(class[:from], class[from+size:])
		}
		if plan.PerClass > 0 {
			s.Labelled = takePerClass(rng, rest, plan.PerClass)
		} else {
			keep := 1 // row of every class to be hidden
			if plan.Validation > 0 {
				keep = 2
			}
			s.Labelled = take(rng, rest, plan.Labelled, keep)
		}
		s.Validation = take(rng, rest, plan.Validation, 1)
		for _, class := range rest {
			s.Hidden = append(s.Hidden, class...)
		}
		for _, part := range [][]int{s.Labelled, s.Hidden, s.Validation, s.Test} {
			slices.Sort(part)
		}
		if !yield(s) {
			return
		}
	}
}

// tested returns how many of the rows of a class are set aside for testing.
func (plan Plan) tested(rows int) int {
	size := int(float64(rows)*plan.TestFraction + 1e-9)
	if size == 0 && plan.TestFraction > 0 && rows > max(plan.PerClass, 1) {
		return 1
	}
	return size
}

func (plan Plan) validate(classes []string, rows [][]int) error {
	switch {
	case (plan.Labelled > 0) == (plan.PerClass > 0):
		return fmt.Errorf("give the number of labels to keep, in all or per class, and not both")
	case plan.Labelled < 0 || plan.PerClass < 0 || plan.Validation < 0 || plan.Repeats < 0:
		return fmt.Errorf("the numbers of labels, validation points and repeats must not be negative")
	case !(plan.TestFraction >= 0) || plan.TestFraction >= 1:
		return fmt.Errorf("the test fraction must be at least 0 and below 1, not %v", plan.TestFraction)
	case plan.Numbers && plan.PerClass > 0:
		return fault.Errorf("numbers have no classes to keep labels of: give the number of labels to keep in all")
	case plan.PerClass == 0 && plan.Labelled < len(classes):
		return fault.FewLabels.Errorf("%d labels cannot cover %d classes: keep at least one of each", plan.Labelled, len(classes))
	}
	left := 0
	for c, class := range rows {
		rest := len(class) - plan.tested(len(class))
		if rest < max(plan.PerClass, 1) {
			return fault.FewLabels.Errorf("%s has only %d labelled rows outside the test part: ask for fewer", classes[c], rest)
		}
		left += rest
	}
	labelled := plan.Labelled
	if plan.PerClass > 0 { // every class has as many
		labelled = plan.PerClass * len(classes)
	}
	if labelled > left || plan.Validation > left-labelled {
		return fault.FewLabels.Errorf("%d labelled and %d validation points are asked of %d labelled rows: ask for fewer", labelled, plan.Validation, left)
	}
	return nil
}

// takePerClass removes count random rows of every class from rest.
func takePerClass(rng *rand.Rand, rest [][]int, count int) (taken []int) {
	for c := range rest {
		for range count {
			taken = append(taken, remove(rng, rest, c))
		}
	}
	return taken
}

// take removes count random rows from rest: one of every class first, if
// count allows, then any, as long as others are there than the last keep rows of
// the classes.
func take(rng *rand.Rand, rest [][]int, count, keep int) (taken []int) {
	if count >= len(rest) {
		for c, class := range rest {
			if len(class) > 0 {
				taken = append(taken, remove(rng, rest, c))
			}
		}
	}
	for len(taken) < count {
		total, kept := 0, 0
		for _, class := range rest {
			total += len(class)
			kept += min(len(class), keep)
		}
		at := rng.IntN(total)
		for c, class := range rest {
			if at < len(class) {
				if len(class) > keep || total == kept { // else another draw
					taken = append(taken, remove(rng, rest, c))
				}
				break
			}
			at -= len(class)
		}
	}
	return taken
}

// remove takes a random row of class c out of rest.
func remove(rng *rand.Rand, rest [][]int, c int) int {
	class := rest[c]
	k := rng.IntN(len(class))
	row := class[k]
	class[k] = class[len(class)-1]
	rest[c] = class[:len(class)-1]
	return row
}
