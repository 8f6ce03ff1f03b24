package labelpage

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"lapsvm/app/labelpage/store"
	"lapsvm/calibrate"
	"lapsvm/label"
)

// Several is what a machine says of rows that may have several classes. It is never changed.
type Several struct {
	Classes       []int                 // numbers of the classes that some labels have and others have not
	Has           func(point int) []int // indices into Classes, ascending
	Probabilities [][]float32           // [class][point], each for itself; nil without
	points        int
	of            *label.Several
}

// newSeveral returns what a labelling says, whose labels list the numbers of classes.
func newSeveral(s *label.Several) *Several {
	all := &Several{Has: s.Has, Probabilities: s.Probabilities, points: len(s.Outputs[0]), of: s}
	for _, name := range s.Classes {
		class, _ := strconv.Atoi(name)
		all.Classes = append(all.Classes, class)
	}
	return all
}

// doubt is the probability that the least sure answer is wrong; 0 without probabilities.
func (s *Several) doubt(point int) float64 {
	if s.Probabilities == nil || point >= s.points { // a row may come right now
		return 0
	}
	_, sure := s.of.Sure(point)
	return 1 - sure
}

// decisions returns a number for every point. Points with the same decision have the same number. It is nil without decisions.
func (a *Answer) decisions() []int {
	if a.Several == nil {
		return a.Decided
	}
	all := make([]int, a.Several.points)
	for i := range all {
		for _, c := range a.Several.Has(i) {
			all[i] = 1000003*all[i] + a.Several.Classes[c] + 1 // other sets hardly ever have the same
		}
	}
	return all
}

// expected returns the predicted classes of a row that may have several, after merges; nil where nothing is predicted.
func (a *Answer) expected(st *store.State, row int) *store.Answers {
	if a == nil || a.Several == nil || row >= a.Several.points { // a row may come right now
		return nil
	}
	has := a.Several.Has(row)
	e := new(store.Answers)
	for k, class := range a.Several.Classes {
		if class = st.Resolve(class); class != store.NoClass && slices.Contains(has, k) {
			e.Has = append(e.Has, class)
		}
	}
	for _, class := range a.Several.Classes {
		if class = st.Resolve(class); class != store.NoClass && !slices.Contains(e.Has, class) {
			e.Lacks = append(e.Lacks, class)
		}
	}
	return e
}

// predicts reports whether a class is that which is predicted of a row, or one of these.
func (a *Answer) predicts(st *store.State, row, class int) bool {
	if e := a.expected(st, row); e != nil {
		return slices.Contains(e.Has, class)
	}
	return st.Resolve(a.decided(row)) == class
}

// toldAnswers is the JSON of a label where rows may have several classes.
type toldAnswers struct {
	Has   []int `json:"has"`
	Lacks []int `json:"lacks"`
}

// expected is the JSON of a prediction where rows may have several classes.
type expected struct {
	Has           []int   `json:"has"`
	Probabilities []share `json:"probabilities"` // the largest first, each for itself; none while labels are too few
	Sure          []int   `json:"sure"`          // classes that it has with the probability setLevel
	Open          []int   `json:"open"`          // classes that it may have or lack with that
	NoSet         string  `json:"no_set,omitempty"`
}

// takeSets fills in the sure classes of a row and the open ones, or why there are none.
func (e *expected) takeSets(st *store.State, s *Several, row int) {
	e.Sure, e.Open = []int{}, []int{}
	may, sure, err := s.of.Sets(row, setLevel)
	if err != nil {
		e.NoSet = fmt.Sprintf("Which classes it has nine times in ten is told by %d labels with a class or without it.", calibrate.LeastLabels(setLevel))
		return
	}
	now := func(all []int, but ...int) []int { // after merges
		classes := []int{}
		for _, k := range all {
			if c := st.Resolve(s.Classes[k]); c != store.NoClass && !slices.Contains(classes, c) && !slices.Contains(but, c) {
				classes = append(classes, c)
			}
		}
		return classes
	}
	e.Sure = now(sure)
	e.Open = now(may, e.Sure...)
}

// told returns the prediction of a row, nil for none.
func (a *Answer) told(st *store.State, row int) *expected {
	said := a.expected(st, row)
	if said == nil {
		return nil
	}
	e := &expected{Has: append([]int{}, said.Has...), Probabilities: []share{}}
	for k, p := range a.Several.Probabilities {
		class := st.Resolve(a.Several.Classes[k])
		at := slices.IndexFunc(e.Probabilities, func(s share) bool { return s.Class == class })
		switch {
		case class == store.NoClass:
		case at < 0:
			e.Probabilities = append(e.Probabilities, share{class, float64(p[row])})
		default: // merged
			e.Probabilities[at].P = max(e.Probabilities[at].P, float64(p[row]))
		}
	}
	slices.SortStableFunc(e.Probabilities, func(x, y share) int { return cmp.Compare(y.P, x.P) })
	e.takeSets(st, a.Several, row)
	return e
}

// listed is labels that say which classes a row has and lacks.
type listed struct{ classed }

func (listed) tellSet(set *setState) { set.Several = true }

func (listed) tell(st *store.State, label int) any {
	a, _ := st.AnswersOf(label)
	return toldAnswers{append([]int{}, a.Has...), append([]int{}, a.Lacks...)}
}

func (listed) classesOf(st *store.State, label int) []int {
	a, _ := st.AnswersOf(label)
	return a.Has
}

func (listed) alike() bool { return false }

func (listed) answer(a *label.Answer) *Answer {
	if a.Several == nil {
		return &Answer{}
	}
	return &Answer{Several: newSeveral(a.Several)}
}

// suspect returns a label of which the answer for a class looks wrong.
func (listed) suspect(s *Server, st *store.State, one Suspicion) (l suspiciousLabel, ok bool) {
	aggregated, class := st.AggregatedOf(one.Point), st.Resolve(one.Suggested)
	a, _ := st.AnswersOf(aggregated)
	if class == store.NoClass || slices.Contains(a.Has, class) != one.Has || !one.Has && !slices.Contains(a.Lacks, class) || st.Confirmed(one.Point) {
		return l, false
	}
	other := store.Answers{Has: slices.Clone(a.Has), Lacks: slices.Clone(a.Lacks)}
	is := func(c int) bool { return c == class }
	if one.Has {
		other.Has, other.Lacks = slices.DeleteFunc(other.Has, is), append(other.Lacks, class)
	} else {
		other.Has, other.Lacks = append(other.Has, class), slices.DeleteFunc(other.Lacks, is)
	}
	slices.Sort(other.Has)
	slices.Sort(other.Lacks)
	with := map[bool]string{true: "with", false: "without"}
	name := st.ClassName(class)
	why := fmt.Sprintf("labelled %s %s; without this label it has %s with %.0f %%", with[one.Has], name, name, 100*one.Number)
	return suspiciousLabel{one.Point + 1, s.tell(st, aggregated), toldAnswers{append([]int{}, other.Has...), append([]int{}, other.Lacks...)}, one.Suspicion, fromOne(one.Neighbours), why}, true
}

// audit finds classes by their numbers, as the labelling calls them.
func (listed) audit(ctx context.Context, l *label.Labelling) ([]Suspicion, error) {
	found, err := l.AuditSeveral(ctx)
	if err != nil {
		return nil, err
	}
	var all []Suspicion
	for _, s := range found {
		if s.Suspicion < worthLooking {
			continue
		}
		class, _ := strconv.Atoi(s.Class)
		all = append(all, Suspicion{Point: s.Point, Given: -1, Suggested: class, Has: s.Has, Suspicion: s.Suspicion, Number: s.Probability, Neighbours: s.Neighbours})
	}
	return all, nil
}

// colour gives each row a byte by its classes: that of the rarest one, or that of the one given alone; by uncertainty from 1, sure, to 255.
func (listed) colour(_ *Server, b []byte, by string, alone int, st *store.State, at *snapshot, awaited map[int]bool) {
	var of func(row int) []int
	switch aggregated := st.Aggregated(); by {
	case "label":
		of = func(row int) []int {
			a, _ := st.AnswersOf(aggregated[row])
			return a.Has
		}
	case "prediction":
		of = func(row int) []int {
			if e := at.Answer.expected(st, row); e != nil && !awaited[row] {
				return e.Has
			}
			return nil
		}
	default:
		for row := range b {
			if at.Answer.expected(st, row) != nil && !awaited[row] {
				b[row] = byte(1 + 254*at.Answer.doubt(row) + 0.5)
			}
		}
		return
	}
	count, colour := make(map[int]int), make(map[int]byte)
	for k, c := range st.Classes() {
		colour[c.ID] = byte(1 + k%255)
	}
	classes := make([][]int, len(b))
	for row := range b {
		classes[row] = of(row)
		for _, class := range classes[row] {
			count[class]++
		}
	}
	for row, all := range classes {
		if alone != store.NoClass {
			all = slices.DeleteFunc(slices.Clone(all), func(class int) bool { return class != alone })
		}
		if len(all) > 0 {
			b[row] = colour[slices.MinFunc(all, func(x, y int) int { return cmp.Or(cmp.Compare(count[x], count[y]), cmp.Compare(x, y)) })]
		}
	}
}
