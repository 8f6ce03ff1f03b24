package drift

// movedShare is how far shares must be apart.
const movedShare = 0.1

// ShareReport holds a share against that of other points.
type ShareReport struct {
	Training, TrainingTotal int     // so many of so many
	Count, Total            int     // the same of the points
	Chance                  float64 // probability of this by chance, for one of all
	Drifted                 bool
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
// where one of the two has no points.
func CompareShares(training, now []int) *SharesReport {
	return compareShares(training, training, now)
}

// compareShares is CompareShares with two readings of the training. A share between the readings
// has not moved; a share outside of both is compared with the nearer one.
func compareShares(training, other, now []int) *SharesReport {
	r := &SharesReport{Classes: make([]ShareReport, len(training))}
	trainingTotal, otherTotal, nowTotal := total(training), total(other), total(now)
	if trainingTotal == 0 || otherTotal == 0 || nowTotal == 0 {
		return nil
	}
	for c := range training {
		s := compareShare(training[c], trainingTotal, now[c], nowTotal, len(training))
		with := compareShare(other[c], otherTotal, now[c], nowTotal, len(training))
		r.Classes[c] = s
		r.Classes[c].Chance = max(s.Chance, with.Chance)
		if r.Classes[c].Drifted = s.Drifted && with.Drifted && (s.change() > 0) == (with.change() > 0); s.change()*with.change() > 0 {
			r.Moved += min(s.Apart(), with.Apart()) / 2
		}
	}
	for c := range r.Classes {
		s := &r.Classes[c]
		s.Drifted = s.Drifted && r.Moved >= movedShare
		r.Drifted = r.Drifted || s.Drifted
	}
	return r
}

func total(counts []int) int {
	sum := 0
	for _, n := range counts {
		sum += n
	}
	return sum
}

// CompareMissing holds the missing or new values of columns of n points against those of the
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

// compareShare compares a of n with b of m; chance is corrected for the number of comparisons, and
// alone decides.
func compareShare(a, n, b, m, comparisons int) ShareReport {
	s := ShareReport{Training: a, TrainingTotal: n, Count: b, Total: m}
	s.Chance = min(1, float64(comparisons)*fisherExact(a, n, b, m))
	s.Drifted = s.Chance < level
	return s
}

// Apart returns the distance of the two shares.
func (s ShareReport) Apart() float64 { return max(s.change(), -s.change()) }

// change is by how much the share is larger than that of the training.
func (s ShareReport) change() float64 {
	return float64(s.Count)/float64(s.Total) - float64(s.Training)/float64(s.TrainingTotal)
}
