package drift

// movedShare is how far shares must be apart.
const movedShare = 0.1

// ShareReport holds a share against that of other points.
type ShareReport struct {
	Training, TrainingOf int     // so many of so many
	Count, Of            int     // the same of the points
	Chance               float64 // probability of this by chance, for one of all
	Drifted              bool
}

// SharesReport holds the shares of classes against those of other points.
type SharesReport struct {
	Classes []ShareReport // Drifted: it is one of those that moved
	Moved   float64       // share of the points that would have to be of other classes, Σ|p − q|/2
	Drifted bool
}

// CompareShares holds counts of classes against others of the same classes. They have
// moved where a tenth of the points or more would have to be of other classes, and
// the counts of a class differ more than by chance in Fisher's exact test. It is nil
// where one of the two has no points, or there is no class.
func CompareShares(training, now []int) *SharesReport {
	r := &SharesReport{Classes: make([]ShareReport, len(training))}
	trainingOf, of := 0, 0
	for c := range training {
		trainingOf, of = trainingOf+training[c], of+now[c]
	}
	if trainingOf == 0 || of == 0 {
		return nil
	}
	for c := range training {
		s := compareShare(training[c], trainingOf, now[c], of, len(training))
		r.Classes[c] = s
		r.Moved += s.Apart() / 2
	}
	for c := range r.Classes {
		s := &r.Classes[c]
		s.Drifted = s.Drifted && r.Moved >= movedShare
		r.Drifted = r.Drifted || s.Drifted
	}
	return r
}

// CompareMissing holds the missing values of columns of n points against those of the
// training. A column has drifted where the share moved by a tenth or more, and by
// more than chance in Fisher's exact test.
func CompareMissing(training []int, trainingOf int, now []int, n int) []ShareReport {
	reports := make([]ShareReport, len(training))
	for k := range training {
		s := compareShare(training[k], trainingOf, now[k], n, len(training))
		s.Drifted = s.Drifted && s.Apart() >= movedShare
		reports[k] = s
	}
	return reports
}

// compareShare compares a of n with b of m; chance counts for so many comparisons,
// and alone decides.
func compareShare(a, n, b, m, comparisons int) ShareReport {
	s := ShareReport{Training: a, TrainingOf: n, Count: b, Of: m}
	s.Chance = min(1, float64(comparisons)*differ(a, n, b, m))
	s.Drifted = s.Chance < level
	return s
}

// Apart returns the distance of the two shares.
func (s ShareReport) Apart() float64 {
	d := float64(s.Training)/float64(s.TrainingOf) - float64(s.Count)/float64(s.Of)
	return max(d, -d)
}
