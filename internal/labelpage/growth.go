package labelpage

// growth is what became of predictions while labels grew by half. It is never changed.
type growth struct {
	Since   int     // labels that the earlier ones were made by; 0 while labels have not grown by half
	Changed float64 // share of the points that are predicted otherwise since
	past    []learnt
}

// learnt is the class of every point by so many labels.
type learnt struct {
	labels  int
	decided []int
}

// by returns the growth once decided is predicted by so many labels. What is kept of the past grows by a
// tenth from one to the next, and begins with the last that had two thirds of the labels.
func (g growth) by(labels int, decided []int) growth {
	if decided == nil {
		return growth{}
	}
	var next growth
	for k, p := range g.past {
		passed := k+1 < len(g.past) && 3*g.past[k+1].labels <= 2*labels
		if !passed && p.labels < labels {
			next.past = append(next.past, p)
		}
	}
	if len(next.past) > 0 && 3*next.past[0].labels <= 2*labels {
		next.Since, next.Changed = next.past[0].labels, differing(next.past[0].decided, decided)
	}
	if n := len(next.past); n == 0 || 10*labels >= 11*next.past[n-1].labels {
		next.past = append(next.past, learnt{labels, decided})
	}
	return next
}

// differing returns the share of points that have another class, of those that both have.
func differing(old, new []int) float64 {
	count := 0
	for i, class := range old {
		if new[i] != class {
			count++
		}
	}
	return float64(count) / float64(len(old))
}
