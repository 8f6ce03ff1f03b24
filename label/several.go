package label

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"lapsvm/calibrate"
	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/system/fault"
)

// Several is what follows from labels that list the classes of a point. It knows the classes that some labels have and others
// have not. It never changes.
type Several struct {
	Classes       []string
	Outputs       [][]float64 // decision values [class][point]
	Limits        []float64   // above which a point has the class; 0 without probabilities
	Probabilities [][]float32 // [class][point], each for itself; nil without labels that could be held out

	slopes []float64       // of the probabilities; 1 without
	each   *calibrate.Each // nil without
}

// Sets returns the classes that a point may have by a level, such as 0.9, and the sure ones of them. The most probable
// comes first: see [calibrate.Each.Sets]. It fails where lapsvm.Model.SetsSeveral does for the labels and the level, and without Probabilities.
func (s *Several) Sets(point int, level float64) (may, sure []int, err error) {
	if s.each == nil {
		return nil, nil, train.OfKind(train.ErrData, fault.FewLabels.Errorf("there are no probabilities yet: label more points"))
	}
	row := make([]float64, len(s.Outputs))
	for c, f := range s.Outputs {
		row[c] = s.each.Probability(c, f[point])
	}
	mays, sures, err := s.each.Sets([][]float64{row}, level)
	if err != nil {
		return nil, nil, train.OfKind(train.ErrParameter, err)
	}
	return mays[0], sures[0], nil
}

// Has returns the classes of a point, ascending.
func (s *Several) Has(point int) []int {
	var all []int
	for c, f := range s.Outputs {
		if f[point] > s.Limits[c] {
			all = append(all, c)
		}
	}
	return all
}

// Sure returns the names of the classes of a point, and the least probability of an answer whether it has a class. There must be
// Probabilities.
func (s *Several) Sure(point int) (has []string, probability float64) {
	probability = 1
	all := s.Has(point)
	for c, p := range s.Probabilities {
		right := float64(p[point])
		if slices.Contains(all, c) {
			has = append(has, s.Classes[c])
		} else {
			right = 1 - right
		}
		probability = min(probability, right)
	}
	return has, probability
}

// unsure returns the class of a point whose decision value is nearest to its limit, in the unit of the class's slope, and how
// near that is.
func (s *Several) unsure(point int) (class int, off float64) {
	off = math.Inf(1)
	for c, f := range s.Outputs {
		if v := s.slopes[c] * math.Abs(f[point]-s.Limits[c]); v < off {
			class, off = c, v
		}
	}
	return class, off
}

// several is labels that list classes.
type several struct{ classes }

func (several) few(l *Labelling, _ []int) bool {
	_, err := l.asked.Kind.Read(l.Dataset())
	return err != nil
}

func (several) supervised() bool { return false }

func (several) take(ctx context.Context, _ *Labelling, a *Answer, d *train.Decided, _ []train.ReducedProblem) error {
	t := d.Task
	s := &Several{Classes: t.Classes, Outputs: d.F, Limits: make([]float64, len(t.Classes)), slopes: slices.Repeat([]float64{1}, len(t.Classes))}
	if d.Each != nil {
		s.each, s.Limits, s.slopes, s.Probabilities = d.Each, d.Each.Limits(), d.Each.Slope, make([][]float32, len(t.Classes))
		parallel.Do(ctx, len(t.Classes), func(_, c int) {
			s.Probabilities[c] = make([]float32, len(d.F[c]))
			for i, f := range d.F[c] {
				s.Probabilities[c][i] = float32(d.Each.Probability(c, f))
			}
		})
	}
	a.Several, a.task = s, repeatedAnswers(t)
	known, row := a.task.Known(), make([][]float64, len(t.Classes))
	for k, i := range t.Labelled {
		for c, f := range d.LeaveOneOut {
			row[c] = []float64{f[k] - s.Limits[c]} // the answer is its sign
		}
		a.LeftOut = append(a.LeftOut, LeftOut{Point: i, Class: a.Labels[i], Decided: dataset.Unlabelled, Wrong: known.Error([]int{k}, row) / 100})
	}
	return nil
}

// repeatedAnswers returns the task with those answers alone that another label gives too. Machines without the only label with a class know no
// class of that name.
func repeatedAnswers(t *task.Task) *task.Task {
	of := *t
	of.Answers = make([][]float64, len(t.Answers))
	for c, answers := range t.Answers {
		count := make(map[float64]int)
		for _, answer := range answers {
			count[answer]++
		}
		of.Answers[c] = slices.Clone(answers)
		for k, answer := range answers {
			if count[answer] < 2 {
				of.Answers[c][k] = math.NaN()
			}
		}
	}
	return &of
}

func (several) resolve(s *suggesting, rule Rule) {
	if rule == Auto && s.l.trained() {
		rule = Uncertainty
	}
	numbers{}.resolve(s, rule)
	if rule == Uncertainty && s.l.answer.Several == nil {
		s.rule, s.why = VOpt, noDecisions
	}
}

func (several) unsure(_ context.Context, s *suggesting) {
	several := s.l.answer.Several
	s.smallest(func(i int) float64 { _, off := several.unsure(i); return off }, func(i int, v float64) Suggestion {
		class, _ := several.unsure(i)
		text := fmt.Sprintf("whether it is %s is least sure", several.Classes[class])
		if several.Probabilities != nil {
			text = fmt.Sprintf("it is %s with %.0f %%, and no other point's class is less sure", several.Classes[class], 100*several.Probabilities[class][i])
		}
		return Suggestion{i, text + s.why, v}
	})
}

func (several) audited() bool { return false }

// Doubt is a label that lists classes, with the probability that one of its answers is wrong.
type Doubt struct {
	Point       int
	Class       string  // whose answer is the most suspicious
	Has         bool    // the label has it
	Suspicion   float64 // probability that the answer is wrong, 0 to 1; see [calibrate.Wrong]
	Probability float64 // of the class, by machines that were trained without the label
	Neighbours  []int   // up to five labelled points, the nearest along the graph
	Why         string  // the reason in words
}

// AuditSeveral is [Labelling.Audit] of labels that list classes. Machines judge every class for itself, labels with it against labels without it.
// The share of wrong answers is one of all classes, so that a class that cannot be learnt raises no suspicions.
// A label has the suspicion of its most suspicious answer. An answer that no other label gives for the class cannot be judged. Cost: that of Audit for each class.
func (l *Labelling) AuditSeveral(ctx context.Context) ([]Doubt, error) {
	t, err := l.task(l.y)
	if err != nil || t == nil || t.Answers == nil {
		return nil, err
	}
	all := make([]Doubt, len(t.Labelled))
	for k, i := range t.Labelled {
		all[k] = Doubt{Point: i, Neighbours: l.labelledNear(i), Why: "no other label has the same answers, so that none can be judged"}
	}
	var p [][]float64
	var given []int                     // whether the label has the class, 0 or 1
	var of []struct{ label, class int } // of each row of p
	work := l.judging(len(t.Classes))
	for c := range t.Classes {
		one := &task.Task{Points: t.Points, Classes: []string{"without", "with"}}
		var number []int // of the labels of the class among all
		var size [2]int
		for k, answer := range t.Answers[c] {
			if math.IsNaN(answer) {
				continue
			}
			with := 0
			if answer > 0 {
				with = 1
			}
			size[with]++
			number, one.Labelled, one.Class = append(number, k), append(one.Labelled, t.Labelled[k]), append(one.Class, with)
		}
		judged, err := l.judgeOf(ctx, one, c, number, work)
		if err != nil {
			return nil, err
		}
		for j, k := range number {
			if size[one.Class[j]] > 1 {
				p, given, of = append(p, judged[j]), append(given, one.Class[j]), append(of, struct{ label, class int }{k, c})
			}
		}
	}
	wrong, _ := calibrate.Wrong(p, given)
	for j, suspicion := range wrong {
		k, c := of[j].label, of[j].class
		if d := &all[k]; suspicion > d.Suspicion || d.Class == "" {
			d.Class, d.Has, d.Suspicion, d.Probability = t.Classes[c], given[j] == 1, suspicion, p[j][1]
			d.Why = l.whyDoubted(d, t.Answers[c], t.Labelled)
		}
	}
	slices.SortStableFunc(all, func(a, b Doubt) int { return cmp.Compare(b.Suspicion, a.Suspicion) })
	return all, nil
}

// judgeOf is judge for the labels of one class, by their numbers among all.
func (l *Labelling) judgeOf(ctx context.Context, t *task.Task, class int, number []int, work *stage) ([][]float64, error) {
	if !l.trained() {
		return l.judge(ctx, t, work)
	}
	p := make([][]float64, len(number))
	for j, k := range number {
		with := l.answer.Several.each.Probability(class, l.answer.left[class][k])
		p[j] = []float64{1 - with, with}
	}
	return p, nil
}

// whyDoubted says in words what speaks against an answer. answers are those of the labelled points for the class.
func (l *Labelling) whyDoubted(d *Doubt, answers []float64, labelled []int) string {
	with := map[bool]string{true: "with", false: "without"}
	has, known := 0, 0
	for _, i := range d.Neighbours {
		if k, found := slices.BinarySearch(labelled, i); found && !math.IsNaN(answers[k]) {
			known++
			if answers[k] > 0 {
				has++
			}
		}
	}
	text := fmt.Sprintf("labelled %s %s; without this label it has %s with %.0f %%", with[d.Has], d.Class, d.Class, 100*d.Probability)
	if known > 0 {
		text += fmt.Sprintf("; of the nearest %d labels %d have %s", known, has, d.Class)
	}
	return text
}
