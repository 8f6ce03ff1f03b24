package labelling

import (
	"context"
	"strings"

	"lapsvm/app/command/cli"
	"lapsvm/dataset"
	"lapsvm/label"
)

// several is labels that list classes.
type several struct {
	separator string
}

func (k several) check(_ *labelRequest, column string) error {
	switch {
	case strings.ContainsAny(k.separator, "0123456789"):
		return cli.Usagef("the page takes classes by their numbers, so that no digit can separate them: give another sign with --multi-label than %s", k.separator)
	case strings.Contains(column, ","):
		return cli.Usagef("the page takes classes of one column, and writes them into it: give a table whose column lists them, separated by %s", k.separator)
	}
	return nil
}

func (several) equal() string {
	return "all labels are %s: an audit takes rows with a class and rows without it"
}

func (k several) audit(ctx context.Context, in *labelled, l *label.Labelling) (*auditResult, error) {
	all, err := l.AuditSeveral(ctx)
	if err != nil {
		return nil, err
	}
	result := &auditResult{Labels: []auditedLabel{}, Conflicts: in.groupsOf(l.Conflicts()), Alike: []alikeClasses{}}
	for _, s := range all {
		given := in.data.Classes[in.data.Y[s.Point]]
		result.add(auditedLabel{Row: s.Point + 1, Name: in.name(s.Point), Given: given, Suggested: dataset.WithAnswer(given, k.separator, s.Class, !s.Has),
			Suspicion: s.Suspicion, Neighbours: in.rowsOf(s.Neighbours), Why: s.Why})
	}
	return result, nil
}

func (k several) choices(in *labelled) ([]string, bool, error) {
	listed, err := dataset.SeveralOf(in.data.Classes, k.separator)
	if err != nil {
		return nil, true, cli.BadData(err)
	}
	return listed.Classes, true, nil
}

func (several) decided(a *label.Answer, point int) (classes []string, probability float64) {
	if a.Several == nil || a.Several.Probabilities == nil {
		return nil, 0
	}
	return a.Several.Sure(point)
}
