package selection

// severalAlone reports whether machines for several classes at once go without the unlabelled points. They do unless the
// machines with graphs, chosen again without each block of labels, answer better for the block whether it has each class,
// in the mean by more than a standard error. A weight of the intrinsic norm that is given stands.
func (a *arena) severalAlone(machines, alone []measured) bool {
	if a.task.Answers == nil || a.asked.GammaI > 0 || a.held == nil || len(machines) == 0 || len(alone) == 0 {
		return false
	}
	with, without := a.ask(machines, alone)
	gain, standardError := paired(without, with)
	return !(gain > standardError)
}

// modularityOfSeveral returns the mean over classes of the modularity of the points that have the class and those that have not.
func (a *arena) modularityOfSeveral(outputs [][]float64) float64 {
	has, sum := make([]int, a.geometry.Len()), 0.0
	for _, values := range outputs {
		for i, f := range values {
			if has[i] = 0; f > 0 {
				has[i] = 1
			}
		}
		sum += a.reference.Modularity(has, 2)
	}
	return sum / float64(len(outputs))
}
