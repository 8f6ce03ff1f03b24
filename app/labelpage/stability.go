package labelpage

// lately is over how many labels predictions are watched.
const lately = 30

// stability is the change of predictions by the last labels. It is never changed.
type stability struct {
	Since   int     // labels that the earlier ones were made by; 0 while there are not so many more
	Changed float64 // share of the points that are predicted otherwise since
	past    []learnt
}

// learnt is the predicted class of every point by a number of labels.
type learnt struct {
	labels  int
	decided []int
}

// by returns the stability once decided is predicted by that many labels. Past predictions are kept
// at steps of five labels. The oldest one kept is the one before the last that had thirty labels
// less, in case labels are taken back.
func (s stability) by(labels int, decided []int) stability {
	if decided == nil {
		return stability{}
	}
	var next stability
	for k, p := range s.past {
		passed := k+2 < len(s.past) && s.past[k+2].labels+lately <= labels
		if !passed && p.labels < labels {
			next.past = append(next.past, p)
		}
	}
	for k := len(next.past) - 1; k >= 0; k-- {
		if p := next.past[k]; p.labels+lately <= labels {
			next.Since, next.Changed = p.labels, differing(p.decided, decided)
			break
		}
	}
	if n := len(next.past); n == 0 || labels >= next.past[n-1].labels+lately/6 {
		next.past = append(next.past, learnt{labels, decided})
	}
	return next
}

// differing returns the share of the points in old that new gives another class.
func differing(old, new []int) float64 {
	count := 0
	for i, class := range old {
		if new[i] != class {
			count++
		}
	}
	return float64(count) / float64(len(old))
}
