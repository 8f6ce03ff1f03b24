package selection

import (
	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/system/fault"
)

// severalAlone reports whether machines for several classes at once go without the unlabelled points. They do unless the
// machines with graphs, chosen again without each block of labels, answer better for the block whether it has each class,
// in the mean by more than a standard error. A weight of the intrinsic norm that is given stands.
func (a *comparison) severalAlone(machines, baselines []measured) bool {
	if !a.kind().each || a.asked.GammaI > 0 || a.held == nil || len(machines) == 0 || len(baselines) == 0 {
		return false
	}
	with, without := a.nested(machines, baselines).wrong()
	gain, standardError := paired(without, with)
	return !(gain > standardError)
}

// modularityOfSeveral returns the mean over classes of the modularity of the points that have the class and those that have not.
func (a *comparison) modularityOfSeveral(outputs [][]float64) float64 {
	has, sum := make([]int, a.geometry.Len()), 0.0
	for _, values := range outputs {
		for i, f := range values {
			if has[i] = 0; f > 0 {
				has[i] = 1
			}
		}
		sum += a.modularity(has, 2)
	}
	return sum / float64(len(outputs))
}

// completeAlone returns data with those labels alone that are known of every class, since a label is left out of all machines alike. It
// fails where these leave a class that all of them have, or none.
func completeAlone(d *dataset.Dataset, separator string) (*dataset.Dataset, error) {
	all, err := task.Several(separator).Read(d)
	if err != nil {
		return nil, err
	}
	known := all.Complete()
	if len(known.Labelled) == len(all.Labelled) {
		return d, nil
	}
	if !known.Varied() {
		return nil, fault.FewLabels.Errorf("of %d labels all classes are known, and they do not have both answers for each class: label more rows with all their classes", len(known.Labelled))
	}
	complete := *d
	complete.Y = make([]int, len(d.Y))
	for i := range complete.Y {
		complete.Y[i] = dataset.Unlabelled
	}
	for _, i := range known.Labelled {
		complete.Y[i] = d.Y[i]
	}
	return &complete, nil
}
