package labelpage

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"lapsvm/app/labelpage/store"
	"lapsvm/label"
)

// foretold is the number that the machine has for a row, with the interval that holds the right one nine times in ten.
type foretold struct {
	Value      string `json:"value"`
	Low        string `json:"low,omitempty"`
	High       string `json:"high,omitempty"`
	NoInterval string `json:"no_interval,omitempty"` // why there is none
}

// foretold returns the machine's number for a row, nil for none.
func (s *Server) foretold(at *snapshot, row int) *foretold {
	v, ok := at.Answer.value(row)
	if !ok {
		return nil
	}
	f := &foretold{Value: rounded(v)}
	low, high, err := at.Answer.Interval(row)
	if err != nil {
		f.NoInterval = fmt.Sprintf("An interval that holds the number nine times in ten takes %d labels, and there are %d.", leastNumbers, at.Labels)
		return f
	}
	f.Low, f.High = rounded(low), rounded(high)
	return f
}

// leastNumbers is how many labels an interval of setLevel takes: l of them promise l/(l + 1).
const leastNumbers = 9

// rounded writes a predicted number with the digits that are worth reading.
func rounded(v float64) string {
	text := strconv.FormatFloat(v, 'g', 4, 64)
	short, _ := strconv.ParseFloat(text, 64)
	if size := math.Abs(short); size >= 1e-4 && size < 1e15 {
		return strconv.FormatFloat(short, 'f', -1, 64)
	}
	return text
}

// spread describes the aggregated numbers.
type spread struct {
	Low    float64 `json:"low"`
	Median float64 `json:"median"`
	High   float64 `json:"high"`
}

// spreadOf returns the spread of the aggregated numbers, nil without one.
func spreadOf(st *store.State, aggregated map[int]int) *spread {
	if len(aggregated) == 0 {
		return nil
	}
	all := make([]float64, 0, len(aggregated))
	for _, class := range aggregated {
		all = append(all, st.NumberOf(class))
	}
	slices.Sort(all)
	n := len(all)
	return &spread{all[0], (all[(n-1)/2] + all[n/2]) / 2, all[n-1]}
}

// numbered is labels that are numbers.
type numbered struct{ classed }

func (numbered) tellSet(set *setState) { set.Numbers = true }

func (numbered) tell(st *store.State, label int) any { return st.ClassName(label) }

func (numbered) classes(*store.State) []store.Class { return nil }

func (numbered) classesOf(*store.State, int) []int { return nil }

func (numbered) ofData() bool { return true }

func (numbered) alike() bool { return false }

func (numbered) advise(p *pageState, st *store.State, _ *snapshot, audits []store.Audit, aggregated map[int]int) {
	p.Numbers, p.Off = spreadOf(st, aggregated), curve(audits, offBy)
	p.Advice = adviseOnNumbers(p.Off, len(audits), len(aggregated), p.Set.N)
}

func (n numbered) suspect(s *Server, st *store.State, one Suspicion) (suspiciousLabel, bool) {
	l, ok := n.classed.suspect(s, st, one)
	l.Suggested = rounded(one.Number)
	return l, ok
}

func (numbered) wanting() string {
	return "label two rows with numbers that differ first: a model learns what makes the difference"
}

func (numbered) untold() string { return "The labels are too few to tell an error." }

func (numbered) answer(a *label.Answer) *Answer {
	if a.Values == nil {
		return &Answer{}
	}
	return &Answer{Values: a.Values, Interval: func(point int) (low, high float64, err error) { return a.Interval(point, setLevel) }}
}

func (numbered) audit(ctx context.Context, l *label.Labelling) ([]Suspicion, error) {
	found, err := l.AuditNumbers(ctx)
	if err != nil {
		return nil, err
	}
	labels := l.Labels()
	var all []Suspicion
	for _, s := range found {
		if s.Suspicion >= worthLooking {
			all = append(all, Suspicion{Point: s.Point, Given: labels[s.Point], Suggested: -1, Number: s.Predicted, Suspicion: s.Suspicion, Neighbours: s.Neighbours, Why: s.Why})
		}
	}
	return all, nil
}

// colour gives each row a byte by its number, from 1, the smallest label, to 255, the largest; by uncertainty, from 1 for an
// interval without width to 255 for the widest.
func (numbered) colour(_ *Server, b []byte, by string, _ int, st *store.State, at *snapshot, awaited map[int]bool) {
	aggregated := st.Aggregated()
	of := spreadOf(st, aggregated)
	values := make(map[int]float64)
	switch by {
	case "label":
		for row, class := range aggregated {
			if row < len(b) { // rows may come right now
				values[row] = st.NumberOf(class)
			}
		}
	case "prediction":
		for row := range b {
			if v, ok := at.Answer.value(row); ok && !awaited[row] {
				values[row] = v
			}
		}
	default:
		of = &spread{}
		for row := range b {
			if v := at.Answer.doubt(row); v > 0 && !awaited[row] {
				values[row], of.High = v, max(of.High, v)
			}
		}
	}
	for row, v := range values {
		share := (v - of.Low) / max(of.High-of.Low, math.SmallestNonzeroFloat64)
		b[row] = byte(1 + 254*min(max(share, 0), 1) + 0.5)
	}
}

// offPoint is how far predictions were off, of rows drawn at random and labelled blindly.
type offPoint struct {
	Labels  int     `json:"labels"` // learnt, the mean of these audits
	Off     float64 `json:"off"`    // mean of |number − predicted|, or of ranks
	Low     float64 `json:"low"`    // of the 95 % interval
	High    float64 `json:"high"`
	Audited int     `json:"audited"`
}

// offBy returns the point of n audits. Its interval is the mean ± t·s/√n, with the deviation s and Student's t of n − 1
// degrees of freedom, and begins at 0 at least.
func offBy(audits []store.Audit) offPoint {
	n, learnt, sum, square := float64(len(audits)), 0, 0.0, 0.0
	for _, a := range audits {
		learnt += a.Learnt
		sum, square = sum+a.Off, square+a.Off*a.Off
	}
	mean := sum / n
	half := student95[len(audits)-1] * math.Sqrt(max(square/n-mean*mean, 0)/(n-1))
	return offPoint{Labels: (learnt + len(audits)/2) / len(audits), Off: mean, Low: max(mean-half, 0), High: mean + half, Audited: len(audits)}
}

// told is the point as a reason, in a unit.
func (p offPoint) told(unit string) string {
	return fmt.Sprintf("predictions were off by %s%s in the mean (95 %% interval %s to %s; the last %s)", rounded(p.Off), unit, rounded(p.Low), rounded(p.High), counted(p.Audited, "blind audit"))
}

// student95 has the 97.5 % points of Student's distribution by their degrees of freedom.
var student95 = [auditsEach]float64{0, 12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262}

// adviseOnNumbers says how far the labelling is. It advises to stop only where all rows have a number: how good numbers have to be is
// for people to say.
func adviseOnNumbers(off []offPoint, audits, labelled, points int) advice {
	if points > 0 && labelled == points {
		return advice{true, []string{"every row has a label"}}
	}
	if labelled < leastNumbers {
		return advice{false, []string{fmt.Sprintf("intervals take %d labels, and there are %d", leastNumbers, labelled)}}
	}
	if len(off) == 0 {
		return advice{false, []string{fmt.Sprintf("how far predictions are off is not known: %s of %d are there", counted(audits, "blind audit"), auditsEach)}}
	}
	last := off[len(off)-1]
	reasons := []string{last.told("")}
	best := slices.MinFunc(off, func(a, b offPoint) int { return cmp.Compare(a.Off, b.Off) })
	if best.Labels < last.Labels && best.High < last.Low {
		reasons = append(reasons, fmt.Sprintf("with %d labels they were off by less, %s", best.Labels, rounded(best.Off)))
	}
	return advice{false, append(reasons, "stop when that is good enough for you")}
}
