package labelpage

import (
	"fmt"
	"math"
	"sort"

	"lapsvm/app/labelpage/store"
)

// curvePoint is the machine's accuracy on points drawn at random and labelled blindly, once it had
// learnt the given number of labels.
type curvePoint struct {
	Labels  int     `json:"labels"` // learnt, the mean of these audits
	Right   float64 `json:"right"`  // share, 0 to 1
	Low     float64 `json:"low"`    // of the 95 % interval
	High    float64 `json:"high"`
	Audited int     `json:"audited"`
}

// auditsEach is how many audits make a point of the curve.
const auditsEach = 10

// curve makes a point of every ten audits with a prediction, in the order in which they came. The
// last point is of the last ten audits where some are left over. Fewer than ten audits make no
// point, because their interval would tell nothing.
func curve[P any](all []store.Audit, point func([]store.Audit) P) []P {
	points := []P{}
	for from := 0; from+auditsEach <= len(all); from += auditsEach {
		points = append(points, point(all[from:from+auditsEach]))
	}
	if len(all) > auditsEach && len(all)%auditsEach > 0 {
		points = append(points, point(all[len(all)-auditsEach:]))
	}
	return points
}

// accuracy is [measured] for all rows.
func accuracy(audits []store.Audit) curvePoint { return measured(audits, many) }

// predicted returns the audits with a prediction: those before two classes had labels have none.
func predicted(all []store.Audit) []store.Audit {
	var with []store.Audit
	for _, a := range all {
		if a.Predicted != store.NoClass {
			with = append(with, a)
		}
	}
	return with
}

// measured returns the point of some audits. Its interval is for the given number of remaining
// rows.
func measured(audits []store.Audit, rest int) curvePoint {
	learnt, right := 0, 0
	for _, a := range audits {
		learnt += a.Learnt
		if a.Right {
			right++
		}
	}
	n := len(audits)
	p := curvePoint{Labels: (learnt + n/2) / n, Right: float64(right) / float64(n), Audited: n}
	p.Low, p.High = interval(right, n, rest)
	return p
}

// many is the number of rows beside the audits where an interval is for all rows.
const many = 1_000_000

// interval returns the 95 % confidence interval of the share of correct predictions among the rest
// of the rows. n rows were drawn at random besides these, and right of them were predicted
// correctly. A share is outside the interval where a count as low or as high as right has a
// probability below 2.5 %; the probability of exactly right counts half. (Mid-p: Berry and
// Armitage, "Mid-P confidence intervals: a brief review", The Statistician 44, 1995; of a finite
// population by the hypergeometric distribution.) With the half the coverage is 95 % on average;
// without the half the interval is too wide. The interval is of the rest alone, so rows that the
// audits found wrong are not counted. n and rest must be positive. Cost: n·log(rest).
func interval(right, n, rest int) (low, high float64) {
	return lowest(right, n, rest), 1 - lowest(n-right, n, rest)
}

// lowest returns the lower end of the interval: the least share of the rest with which right or
// more correct among n drawn rows have a mid-p probability above 2.5 %.
func lowest(right, n, rest int) float64 {
	choose := func(n, k int) float64 {
		all, _ := math.Lgamma(float64(n + 1))
		in, _ := math.Lgamma(float64(k + 1))
		out, _ := math.Lgamma(float64(n - k + 1))
		return all - in - out
	}
	enough := sort.Search(rest, func(among int) bool {
		good, bad := right+among, n-right+rest-among
		sum, one := 0.5, 1.0 // of probabilities, in that of just so many
		for k := right; k < n; k++ {
			one *= float64(good-k) * float64(n-k) / (float64(k+1) * float64(bad-n+k+1))
			sum += one
		}
		return math.Log(sum)+choose(good, right)+choose(bad, n-right)-choose(n+rest, n) > math.Log(0.025)
	})
	return float64(enough) / float64(rest)
}

// advice says whether more labels are worth their time, and why.
type advice struct {
	Stop    bool     `json:"stop"`
	Reasons []string `json:"reasons"`
}

// When the advice is to stop.
const (
	labelsEach   = 3    // labels of every class
	mostChanged  = 0.01 // of the predictions change at most with the last labels
	auditsNeeded = 30   // audits that say how good the machine is
)

// recent returns the audits with a prediction since two thirds of the labels were there. Earlier
// audits would underestimate the accuracy on the remaining rows: the machine knew less, and the
// hard rows were still among them.
func recent(all []store.Audit, labels int) []store.Audit {
	all = predicted(all)
	from := len(all)
	for from > 0 && 3*all[from-1].Learnt >= 2*labels {
		from--
	}
	return all[from:]
}

// advise says whether to stop: every class has labels, and predictions hardly changed with the last
// thirty. The reasons begin with what is missing, and end with the accuracy that the audits show.
func advise(classes []classState, at *snapshot, audits []store.Audit, labelled, points int) advice {
	var missing, met []string
	judge := func(ok bool, yes, no string) {
		if ok {
			met = append(met, yes)
		} else {
			missing = append(missing, no)
		}
	}
	if points > 0 && labelled == points {
		return advice{true, []string{"every row has a label"}}
	}
	if len(classes) < 2 {
		return advice{false, []string{"two classes are needed: add them and label some rows of each"}}
	}
	rare, few := "", 0
	for _, c := range classes {
		if c.Count < labelsEach {
			if few++; rare == "" {
				rare = fmt.Sprintf("%q has %s", c.Name, counted(c.Count, "label"))
			}
		}
	}
	if few > 1 {
		rare += fmt.Sprintf(", and %d more classes have fewer than %d", few-1, labelsEach)
	}
	judge(few == 0, fmt.Sprintf("every class has %d labels or more", labelsEach), "not every class is known: "+rare)
	if g := at.Stability; g.Since == 0 {
		missing = append(missing, fmt.Sprintf("predictions are not known for %d labels yet, to see how far these change them", lately))
	} else {
		text := fmt.Sprintf("%.2g %% of the predictions changed with the last %d labels", 100*g.Changed, at.Labels-g.Since)
		judge(g.Changed <= mostChanged, "only "+text, "predictions still change: "+text)
	}
	return advice{len(missing) == 0, append(append(missing, met...), goodness(recent(audits, labelled), points-labelled))}
}

// goodness says what audits show of the accuracy on the rows that are left.
func goodness(audits []store.Audit, left int) string {
	switch n := len(audits); {
	case n == 0:
		return fmt.Sprintf("how many of the remaining rows are predicted right is not known: %d blind audits would tell", auditsNeeded)
	case n < auditsEach:
		return fmt.Sprintf("%s with the last labels are too few to tell how many of the remaining rows are predicted right: %d more tell it roughly, %d more well", counted(n, "blind audit"), auditsEach-n, auditsNeeded-n)
	}
	p := measured(audits, left)
	text := fmt.Sprintf("of the remaining rows %.0f to %.0f %% are predicted right (95 %% interval; of the last %s %.0f %%)", 100*p.Low, 100*p.High, counted(len(audits), "blind audit"), 100*p.Right)
	if more := auditsNeeded - len(audits); more > 0 {
		text += fmt.Sprintf("; %d more would tell it better", more)
	}
	return text
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
