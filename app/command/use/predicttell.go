package use

import (
	"fmt"
	"strings"

	"lapsvm"
	"lapsvm/app/answer"
	"lapsvm/app/command/cli"
	"lapsvm/app/command/input"
	"lapsvm/calibrate"
	"lapsvm/dataset"
)

// tellSets says of which classes --set does not keep its level for each, or tells nothing.
func (r *predictRequest) tellSets(p *cli.Program, m *lapsvm.Model) {
	if r.set == 0 {
		return
	}
	if e := m.Predictor().Each(); e != nil {
		least := calibrate.LeastLabels(r.set)
		few := func(own [][]float64) (classes []int) {
			for class := range own {
				if len(own[class]) < least {
					classes = append(classes, class)
				}
			}
			return classes
		}
		if classes := few(e.Has); classes != nil {
			p.Warnings(&r.output).Warn(fmt.Sprintf("the set of every row holds %s: a class takes %d held-out rows that have it before a row can be told to lack it at %v", named(m, classes), least, r.set))
		}
		if classes := few(e.Lacks); classes != nil {
			p.Warnings(&r.output).Warn(fmt.Sprintf("no row surely has %s: a class takes %d held-out rows that lack it before a row can be told to have it at %v", named(m, classes), least, r.set))
		}
		return
	}
	groups := m.Calibration().Groups(r.set)
	shared := groups[len(groups)-1]
	if len(shared) < 2 {
		return
	}
	p.Warnings(&r.output).Warn(fmt.Sprintf("sets hold the right class with a probability of %v for %s together, not for each: a class of its own takes %d held-out labels", r.set, named(m, shared), calibrate.LeastLabels(r.set)))
}

// tellColumn names the flag that calls the column of answers as the training data did, where they called it otherwise.
// It also says where the answers are if a repeated column has the name that was asked for.
func (r *predictRequest) tellColumn(p *cli.Program, m *lapsvm.Model, kept dataset.Kept) {
	usual := answer.AnswerColumn(m)
	if called := answer.Column(r.answerColumn, kept); called != r.answerColumn && !p.Quiet {
		p.Progress.Done()
		fmt.Fprintf(p.Errors(), "the rows have a column %s, which is repeated: the answers are in %s\n", r.answerColumn, called)
	}
	if name := m.Label(); name != "" && name != "label" && name != usual && r.answerColumn == "" && !r.output.JSON && !r.explains() && !p.Quiet {
		p.Progress.Done()
		fmt.Fprintf(p.Errors(), "the answers are in the column %s; --answer-column %s calls it as the training data did\n", usual, cli.Quoted(name))
	}
}

// named lists the names of the first of some classes, and counts the others.
func named(m *lapsvm.Model, classes []int) string {
	const most = 10
	var names []string
	for _, class := range classes[:min(len(classes), most)] {
		names = append(names, input.Printable(m.Classes()[class]))
	}
	text := strings.Join(names, ", ")
	if more := len(classes) - len(names); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
