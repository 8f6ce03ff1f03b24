package graph

// Modularity returns how much more of the weight of the graph lies within the
// classes of a partition than would by chance,
//
//	Q = (1/t) Σ_{c_i = c_j} W_ij − Σ_c a_c²,   a_c = Σ_{c_i = c} d_i / t,  d_i = Σ_j W_ij,  t = Σ_i d_i
//
// and the most that it can be for classes of such shares, 1 − Σ_c a_c². Both are 0 for a single class and for a graph without edges. class has the
// class of every point, from 0 to classes − 1. Cost: the edges once. It panics for
// another number of points. (Newman and Girvan, "Finding and evaluating community
// structure in networks", Physical Review E 69, 2004.)
func (a *Adjacency) Modularity(class []int, classes int) (q, most float64) {
	if len(class) != a.Len() {
		panic("graph: Modularity of classes of another number of points")
	}
	degrees := make([]float64, classes)
	within, total := 0.0, 0.0
	for i, c := range class {
		index, weight := a.Row(i)
		for k, j := range index {
			degrees[c] += weight[k]
			if class[j] == c {
				within += weight[k]
			}
		}
	}
	for _, d := range degrees {
		total += d
	}
	if total == 0 {
		return 0, 0
	}
	most = 1
	for _, d := range degrees {
		most -= d / total * (d / total)
	}
	return within/total - 1 + most, most
}
