package labelling

import (
	"context"
	"strconv"

	"lapsvm/app/command/cli"
	"lapsvm/label"
)

// numbers is labels that are numbers.
type numbers struct{ classes }

func (numbers) check(r *labelRequest, _ string) error {
	if len(r.classes) > 0 {
		return cli.Usagef("--classes names classes, which the labels of --regression are not: leave one of the two out")
	}
	return nil
}

func (numbers) equal() string { return "all labels are %s: an audit takes numbers that differ" }

func (numbers) audit(ctx context.Context, in *labelled, l *label.Labelling) (*auditResult, error) {
	all, err := l.AuditNumbers(ctx)
	if err != nil {
		return nil, err
	}
	result := &auditResult{Labels: []auditedLabel{}, Conflicts: [][]auditedRow{}, Alike: []alikeClasses{}}
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }
	for _, s := range all {
		result.add(auditedLabel{Row: s.Point + 1, Name: in.name(s.Point), Given: number(s.Given), Suggested: number(s.Predicted), Suspicion: s.Suspicion, Neighbours: in.rowsOf(s.Neighbours), Why: s.Why})
	}
	return result, nil
}

func (numbers) choices(*labelled) ([]string, bool, error) {
	return nil, false, cli.Usagef("--as writes tasks that ask for classes of a row, which the labels of --regression are not: leave it out")
}
