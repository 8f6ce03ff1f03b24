package labelling

import (
	"lapsvm/app/command/cli"
	"lapsvm/internal/machines/task"
)

// ordered is labels of classes in an order.
type ordered struct {
	classes
	of task.Kind
}

func (o ordered) check(r *labelRequest, _ string) error {
	if len(r.classes) > 0 && len(o.of.Order) > 0 {
		return cli.Usagef("--classes names classes, which --ordered has all named: leave one of the two out")
	}
	return nil
}

// choices are from the lowest to the highest, those without a label too.
func (o ordered) choices(in *labelled) ([]string, bool, error) {
	if len(o.of.Order) > 0 {
		return o.of.Order, false, nil
	}
	return o.of.Arranged(in.data).Classes, false, nil
}
