package labelling

import (
	"context"

	"lapsvm/app/command/cli"
	"lapsvm/label"
)

// classes is labels that are each one class.
type classes struct{}

func (classes) check(*labelRequest, string) error { return nil }

func (classes) equal() string {
	return "all labels are of one class, %s: label points of another class too; lapsvm suggest says which"
}

func (classes) audit(ctx context.Context, in *labelled, l *label.Labelling) (*auditResult, error) {
	all, err := l.Audit(ctx)
	if err != nil {
		return nil, err
	}
	d := in.data
	result := &auditResult{Labels: []auditedLabel{}, Conflicts: in.groupsOf(l.Conflicts()), Alike: []alikeClasses{}}
	for _, s := range all {
		result.add(auditedLabel{s.Point + 1, in.name(s.Point), d.Classes[s.Given], d.Classes[s.Suggested], s.Suspicion,
			&s.GivenProbability, &s.SuggestedProbability, in.rowsOf(s.Neighbours), new(cli.JSONNumber(s.Agree)), s.Why})
	}
	for _, pair := range l.Alike() {
		result.Alike = append(result.Alike, alikeClasses{[2]string{d.Classes[pair.A], d.Classes[pair.B]}, pair.Confused, pair.Labels})
	}
	return result, nil
}

func (classes) choices(in *labelled) ([]string, bool, error) { return in.data.Classes, false, nil }

func (classes) decided(a *label.Answer, point int) (classes []string, probability float64) {
	if a.Decided == nil {
		return nil, 0
	}
	class := a.Decided[point]
	return []string{a.Classes[class]}, float64(a.Probabilities[class][point])
}

// oneClass is labels of the only class.
type oneClass struct{ classes }

func (oneClass) check(*labelRequest, string) error {
	return cli.Usagef("--one-class trains on labels of one class: label two, and train with it afterwards")
}
