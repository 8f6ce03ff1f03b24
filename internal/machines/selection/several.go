package selection

import (
	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/system/fault"
)

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
