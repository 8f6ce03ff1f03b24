package labelpage

import (
	"fmt"
	"math"

	"lapsvm/label/store"
)

// curvePoint is how often the machine was right on points drawn by chance and labelled
// blindly, once it had learnt about so many labels.
type curvePoint struct {
	Labels  int     `json:"labels"` // learnt, the mean of these audits
	Right   float64 `json:"right"`  // share, 0 to 1
	Low     float64 `json:"low"`    // of the 95 % interval
	High    float64 `json:"high"`
	Audited int     `json:"audited"`
}

// auditsEach is how many audits make a point of the curve.
const auditsEach = 10

// curve makes a point of each so many audits in the order in which they came, the last of
// those that are left over and the ones before, so that each has enough. Audits without
// a prediction, before two classes had labels, are left out.
func curve(all []store.Audit) []curvePoint {
	points := []curvePoint{}
	all = predicted(all)
	for from := 0; from+auditsEach <= len(all); from += auditsEach {
		points = append(points, measured(all[from:from+auditsEach]))
	}
	if left := len(all) % auditsEach; left > 0 {
		points = append(points, measured(all[max(0, len(all)-auditsEach):]))
	}
	return points
}

func predicted(all []store.Audit) []store.Audit {
	var with []store.Audit
	for _, a := range all {
		if a.Predicted != store.NoClass {
			with = append(with, a)
		}
	}
	return with
}

func measured(audits []store.Audit) curvePoint {
	learnt, right := 0, 0
	for _, a := range audits {
		learnt += a.Learnt
		if a.Class == a.Predicted {
			right++
		}
	}
	n := len(audits)
	p := curvePoint{Labels: (learnt + n/2) / n, Right: float64(right) / float64(n), Audited: n}
	p.Low, p.High = wilson(right, n)
	return p
}

// wilson returns the 95 % interval of a share of which so many of n were seen: the shares
// that differ from it by no more than z of their own standard deviations. (Wilson, "Probable
// inference, the law of succession, and statistical inference", JASA 22, 1927.) n must be positive.
func wilson(right, n int) (low, high float64) {
	const z = 1.959963984540054
	count, p := float64(n), float64(right)/float64(n)
	middle := p + z*z/(2*count)
	half := z * math.Sqrt(p*(1-p)/count+z*z/(4*count*count))
	scale := 1 + z*z/count
	return max(0, (middle-half)/scale), min(1, (middle+half)/scale)
}

// advice says whether more labels are worth their time, and why.
type advice struct {
	Stop    bool     `json:"stop"`
	Reasons []string `json:"reasons"`
}

// When the advice is to stop.
const (
	labelsEach   = 3    // labels of every class
	mostChanged  = 0.02 // of the predictions change at most while labels grow by half
	auditsNeeded = 30   // audits that say how good the machine is
	halfWidth    = 0.1  // of their interval, at most
)

// advise says whether to stop: every class has labels, predictions hardly changed while labels grew by
// half, and audits tell how often they are right. One more label changes little at any time. What is
// missing is said first.
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
	if g := at.Growth; g.Since == 0 {
		missing = append(missing, "labels have yet to grow by half, to see what that changes")
	} else {
		text := fmt.Sprintf("%.2g %% of the predictions changed since there were %d labels", 100*g.Changed, g.Since)
		judge(g.Changed <= mostChanged, "only "+text, "predictions still change: "+text)
	}
	latest := predicted(audits)
	latest = latest[max(0, len(latest)-2*auditsNeeded):]
	if len(latest) == 0 {
		missing = append(missing, "nothing tells how often predictions are right: label some blind audits")
	} else {
		p := measured(latest)
		text := fmt.Sprintf("of the last %s, %.0f %% were predicted right (95 %% interval %.0f to %.0f %%)", counted(len(latest), "audit"), 100*p.Right, 100*p.Low, 100*p.High)
		judge(len(latest) >= auditsNeeded && (p.High-p.Low)/2 <= halfWidth, text, text+": too few to be sure")
	}
	return advice{len(missing) == 0, append(missing, met...)}
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
