package selection

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"lapsvm/calibrate"
	"lapsvm/internal/machines/train"
)

// FewestReported is how many labels tell something, and the fewest that an error is announced by, and a verdict. Of more the graph tells the less, and of as many of
// each class a supervised machine tells as much as one with a graph. Labels are left out in as many parts, so that the fewest are left out one by one.
const FewestReported = 10

const (
	// sampleSizePerLabel is what a held-out label is worth of an independent one: all are predicted by machines
	// that share most of their labels. The error had 1.9 times the variance of that of independent ones.
	sampleSizePerLabel = 0.5
	// chance is how probable a difference at least as large is, either way, for a verdict, if there is none. An interval misses as often.
	chance = 0.05
)

// normal returns how many standard errors a normal variable exceeds, either way, with the probability chance.
func normal() float64 { return math.Sqrt2 * math.Erfinv(1-chance) }

// baseline returns the best supervised machine.
func (a *comparison) baseline(baselines []measured) train.Baseline {
	if a.held == nil {
		return train.Baseline{SupervisedSigma: a.kernels.middle().Parameters().Sigma, SupervisedGamma: train.DefaultGammaA}
	}
	svm := a.take(baselines, nil, -1)[0]
	k := a.kernels[svm.kernel]
	return train.Baseline{SupervisedSigma: k.Parameters().Sigma, SupervisedGamma: svm.GammaA, SupervisedLinear: k.Kind().Linear && !a.recipe.Kernel.Kind().Linear}
}

// report writes into the choice of a recipe what held-out labels say of it, and of the supervised machine beside it.
func (a *comparison) report(choice *train.Choice, r train.Recipe, machines, baselines []measured, numbers *nestedNumbers) {
	n := a.geometry.Len()
	choice.Baseline = r.Baseline
	if a.held == nil {
		choice.HeldOut = "none"
		choice.Reason = fmt.Sprintf("the graph alone, as fewer than two classes have two labels: %d machines weighed by how well the classes they predict fit it, %d points", a.compared, n)
		return
	}
	choice.HeldOut, choice.Labels = a.held.name, len(a.held.count)
	choice.Reason = fmt.Sprintf("%d machines on %d held-out labels (%s), %d points", a.compared, len(a.held.count), a.held.name, n)
	if numbers != nil {
		a.reportNumbers(choice, numbers)
	} else if a.recipe.Supervised {
		wrong, _ := a.nested(baselines, baselines).wrong()
		choice.Expected = a.expectAlone(wrong)
	} else {
		wrong, baselineWrong := a.nested(machines, baselines).wrong()
		expected, verdict := a.expect(wrong, baselineWrong)
		choice.Expected, choice.Verdict = expected, verdict
		choice.Reason += ", and how the predicted classes fit the graph"
		if verdict == train.Harms && r.Supervised { // taken: see [comparison.harmed]
			withoutThem(choice, a.expectAlone(baselineWrong))
		}
	}
	if a.late() {
		choice.Reason += "; the time was up before all were compared"
	}
}

// withoutThem tells in a choice that the machine goes without the unlabelled points, and what to expect of it. By how much these do harm stays.
func withoutThem(choice *train.Choice, of *train.Expected) {
	choice.Expected.Error, choice.Expected.ErrorLow, choice.Expected.ErrorHigh = of.Error, of.ErrorLow, of.ErrorHigh
	if ranks := choice.Expected.Ranks; ranks != nil {
		ranks.Distance, ranks.DistanceLow, ranks.DistanceHigh = of.Ranks.Distance, of.Ranks.DistanceLow, of.Ranks.DistanceHigh
	}
	choice.Reason += "; the machine is supervised, since the unlabelled points do harm"
}

// expect is [Expect] of the labels that [nested] asks.
func (a *comparison) expect(wrong, baselines []float64) (*train.Expected, train.Verdict) {
	return Expect(a.held.Worst(), wrong, baselines, a.balanced(), a.share()*a.held.share(), a.learnt())
}

// expectAlone is expect of the supervised machine, where it is what is taken.
func (a *comparison) expectAlone(wrong []float64) *train.Expected {
	all := make([]float64, len(wrong))
	for k, v := range wrong {
		all[k] = a.learnt() * v
	}
	e, _ := Expect(a.held.Worst(), all, all, a.balanced(), a.share()*a.held.share(), 1)
	return e
}

// keepsAll reports whether the unlabelled points have their part whatever labels say: a weight of theirs is given, or class shares.
func (a *comparison) keepsAll() bool { return a.asked.GammaI > 0 || a.asked.Prior != nil }

// harmed reports whether machines for classes go without the unlabelled points: labels without a part in the choice say that these do harm.
// What is given of these stands. On a part of the points the labels say nothing of the graph of all.
func (a *comparison) harmed(machines, baselines []measured) bool {
	if a.kind().functions || a.kind().each || a.keepsAll() || a.isPart() || a.held == nil {
		return false
	}
	_, verdict := a.expect(a.nested(machines, baselines).wrong())
	return verdict == train.Harms
}

// Expect returns what labels tell of new points. They had no part in the machines that predict them.
// wrong is how wrong the choice is at every label, at most worst: 1 or 0, or the distance of ranks. alone is the same of the supervised machine. The
// interval is Wilson's, and the verdict is by [normal] standard errors of the gain. Both are for as many independent labels
// as these are worth. Fewer than FewestTold labels tell nothing, and nil is returned.
//
// Labels may have weights, such as those that give classes the shares that they have among all labels; nil are equal ones. They count as
// (Σw)²/Σw² labels.
//
// The machines had a share of the labels that the training has: (F − 1)/F where labels were left out in F parts. An error falls
// no faster than 1/labels. So the lower end is that share of Wilson's.
//
// The errors of the supervised machine are learnt times as many with all labels as these are: see [comparison.learnt]. So it harms alone if it does without that
// factor too.
func Expect(worst float64, wrong, baselines, weights []float64, share, learnt float64) (*train.Expected, train.Verdict) {
	if len(wrong) < FewestReported {
		return nil, train.CannotBeTold
	}
	if weights == nil {
		weights = equalWeights(len(wrong))
	}
	labels := sum(weights) * sum(weights) / sum(squares(weights))
	whole := make([]float64, len(baselines)) // as with all labels
	for k, v := range baselines {
		whole[k] = learnt * v
	}
	of := func(wrong, baselines []float64, scale float64) (e train.ExpectedRanks) {
		gain, standardError := gained(wrong, baselines, weights)
		wrong, baselines = weighed(wrong, weights), weighed(baselines, weights)
		low, high := calibrate.Wilson(min(mean(wrong), 1), effectiveSampleSize(labels))
		return train.ExpectedRanks{Distance: scale * mean(wrong), SupervisedDistance: scale * mean(baselines), DistanceLow: scale * share * low, DistanceHigh: scale * high,
			Gain: scale * gain, GainError: scale * standardError}
	}
	counted := of(shareOf(wrong, 1), shareOf(whole, 1), 100)
	e := &train.Expected{Error: counted.Distance, SupervisedError: counted.SupervisedDistance, ErrorLow: counted.DistanceLow, ErrorHigh: counted.DistanceHigh,
		Gain: counted.Gain, GainError: counted.GainError}
	if worst > 1 {
		ranks := of(shareOf(wrong, worst), shareOf(whole, worst), worst)
		e.Ranks = &ranks
	}
	if helped(wrong, baselines, weights) == train.Harms {
		return e, train.Harms
	}
	if helped(wrong, whole, weights) == train.Helps {
		return e, train.Helps
	}
	return e, train.CannotBeTold
}

// gained returns by how much less wrong a choice is than the supervised machine at labels with weights, and the standard error of that.
func gained(wrong, baselines, weights []float64) (gain, standardError float64) {
	gain, standardError = paired(weighed(baselines, weights), weighed(wrong, weights))
	return gain, standardError / math.Sqrt(sampleSizePerLabel)
}

// helped returns the verdict by how wrong a choice and the supervised machine are at labels with weights.
func helped(wrong, baselines, weights []float64) train.Verdict {
	gain, standardError := gained(wrong, baselines, weights)
	return verdict(gain, math.Abs(gain) > normal()*standardError)
}

// weighed returns values times weights whose mean is 1.
func weighed(values, weights []float64) []float64 {
	all, scale := make([]float64, len(values)), 1/mean(weights)
	for k, v := range values {
		all[k] = scale * weights[k] * v
	}
	return all
}

// equalWeights returns so many weights of 1.
func equalWeights(labels int) []float64 { return slices.Repeat([]float64{1}, labels) }

// shareOf returns errors as shares of the worst, at most 1.
func shareOf(wrong []float64, worst float64) []float64 {
	shares := make([]float64, len(wrong))
	for k, w := range wrong {
		shares[k] = min(w/worst, 1)
	}
	return shares
}

// Gained is what repeats of an evaluation tell of the unlabelled points, in percent points or in ranks: see [Result.Gain].
type Gained struct {
	Mean      float64       // of the gains of repeats; NaN without a baseline
	Error     float64       // standard error of Mean; NaN of a single repeat
	Low, High float64       // the gain is between these with a confidence of 95 %; NaN of a single repeat
	Verdict   train.Verdict // "" without a baseline, and where all machines are supervised
}

// Gain returns by how many percent points fewer hidden labels are wrong than with the baseline, and of ordered classes by how many ranks
// they are nearer in the mean; NaN without a baseline.
func (r Result) Gain() float64 {
	if kindOf(r.Recipe.Kind).ranks {
		return r.Ranks.BaselineUnlabelled - r.Ranks.Unlabelled
	}
	return r.BaselineUnlabelled - r.Unlabelled
}

// Gain returns what repeats tell. A repeat r of R has h hidden labels, and d_ri is its gain at row i: 1 where the model alone gets it
// right, −1 where the baseline alone does, else 0, and of ordered classes the ranks that the model is nearer. With the means d_r. over rows, d_.i over repeats and d_.. over
// both the standard error is the root of
//
//	V_R + max(0, V_h − V),  V_R = Σ_r (d_r. − d_..)²/(R(R − 1)),  V_h = Σ_i (d_.i − d_..)²/h²,
//	V = (Σ_ri (d_ri − d_r.)²/(Rh) − Σ_i (d_.i − d_..)²/h)/((R − 1)h)
//
// V_R is the variance by the labels that are drawn. V_h is that by the rows: repeats share them, and other rows would
// have another gain. Both have the variance V of a row in a repeat. The interval is by the quantile of
// Student's distribution of R − 1 degrees of freedom. Fewer hidden labels than FewestTold give no verdict.
func Gain(results []Result) Gained {
	repeats := float64(len(results))
	hidden, _ := MeanSD(results, func(r Result) float64 { return float64(r.Hidden) })
	gain, sd := MeanSD(results, Result.Gain)
	unit := 100.0 // of a gain, d being 1
	if kindOf(results[0].Recipe.Kind).ranks {
		unit = 1
	}
	g := Gained{Mean: gain, Error: math.NaN(), Low: math.NaN(), High: math.NaN()}
	if len(results) > 1 {
		within, of := 0.0, make(map[int]float64) // Σ_ri (d_ri − d_r.)²/(Rh), d_.i
		for _, r := range results {
			squares, d := 0.0, r.Gain()/unit
			for i, v := range r.Gains {
				squares, of[i] = squares+v*v, of[i]+v/repeats
			}
			within += (squares/hidden - d*d) / repeats
		}
		between := -gain * gain / (unit * unit) // Σ_i (d_.i − d_..)²/h
		for _, i := range slices.Sorted(maps.Keys(of)) {
			between += of[i] * of[i] / hidden
		}
		drawn, rows := sd*sd/(unit*unit)/repeats, between/hidden
		both := (within - between) / ((repeats - 1) * hidden)
		g.Error = unit * math.Sqrt(drawn+max(0, rows-both))
		half := student(len(results)-1) * g.Error
		g.Low, g.High = gain-half, gain+half
	}
	if !math.IsNaN(gain) && slices.ContainsFunc(results, func(r Result) bool { return !r.Recipe.Supervised }) {
		g.Verdict = verdict(gain, hidden >= FewestReported && (g.Low > 0 || g.High < 0))
	}
	return g
}

// verdict is that of a gain, which may be beyond chance.
func verdict(gain float64, beyond bool) train.Verdict {
	switch {
	case beyond && gain > 0:
		return train.Helps
	case beyond && gain < 0:
		return train.Harms
	}
	return train.CannotBeTold
}

// effectiveSampleSize returns how many independent labels so many are worth.
func effectiveSampleSize(labels float64) int { return int(math.Round(sampleSizePerLabel * labels)) }

// student returns the t that a variable of Student's distribution exceeds, either way, with the
// probability chance. With tan θ = t/√ν for ν degrees of freedom, it is within ±t with the probability
//
//	sin θ (1 + ½cos²θ + (1·3)/(2·4) cos⁴θ + … cos^(ν−2) θ)               for even ν
//	(2/π)(θ + sin θ (cos θ + ⅔cos³θ + … cos^(ν−2) θ))                    for odd ν
//
// (Abramowitz and Stegun, "Handbook of Mathematical Functions", 26.7.3 and 26.7.4.)
func student(freedom int) float64 {
	odd := freedom % 2
	low, high := 0.0, math.Pi/2
	for range 60 {
		theta := (low + high) / 2
		sin, cos := math.Sincos(theta)
		sum, term := 0.0, math.Pow(cos, float64(odd))
		for k := odd; k <= freedom-2; k += 2 {
			sum += term
			term *= cos * cos * float64(k+1) / float64(k+2)
		}
		within := sin * sum
		if odd == 1 {
			within = 2 / math.Pi * (theta + within)
		}
		if within < 1-chance {
			low = theta
		} else {
			high = theta
		}
	}
	return math.Sqrt(float64(freedom)) * math.Tan((low+high)/2)
}
