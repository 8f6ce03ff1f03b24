package use

import (
	"fmt"
	"io"
	"strings"

	"lapsvm"
	"lapsvm/app/answer"
	"lapsvm/app/command/cli"
	"lapsvm/app/command/input"
)

// reasonsShown is how many reasons are printed for a row; CSV and JSON have all.
const reasonsShown = 10

// rowName names a row, by its number and its repeated columns.
func rowName(said *answer.Predictions, i int) string {
	var cells []string
	for c, text := range said.Kept.Row(i) {
		cells = append(cells, input.Printable(said.Kept.Names[c])+" "+input.Printable(text))
	}
	if cells == nil {
		return fmt.Sprintf("row %d", i+1)
	}
	return fmt.Sprintf("row %d (%s)", i+1, strings.Join(cells, ", "))
}

// writeReasons writes for every row a sentence, and the columns that decide.
func writeReasons(w io.Writer, e answer.Explanations, m *lapsvm.Model) error {
	fmt.Fprintln(w, "Usual is the median of numbers and the commonest of other values, over all rows of the training.\nThe decision value is that of a row where all is usual, and the effects of what a row has in place of that.")
	if m.Views() > 1 && m.Probable() {
		of := "probability in %d views, less that of all classes"
		if m.Predictor().Each() != nil {
			of = "odds in %d views"
		}
		fmt.Fprintf(w, "The decision value of a class is the mean logarithm of its "+of+".\n", m.Views())
	}
	for _, x := range e.All {
		if _, err := fmt.Fprintf(w, "\n%s: %s\n", rowName(e.Said, x.Point), input.Printable(e.Sentence(x))); err != nil {
			return err
		}
		rows := [][]string{{"  column", "value", "usual", "effect", "speaks for"}}
		shown := func(text string) string {
			if text == "" {
				return ""
			}
			return input.Printable(text)
		}
		add := func(name, value, usual, class string, effect float64) {
			rows = append(rows, []string{"  " + shown(name), shown(value), shown(usual), signed(effect), shown(class)})
		}
		rest := x.Rest
		for k, r := range x.Reasons {
			if k < reasonsShown {
				add(r.Column, r.Value, r.Usual, e.Class(x, r), r.Effect)
			} else {
				rest += r.Effect
			}
		}
		if more := len(x.Reasons) - reasonsShown; more > 0 || rest != 0 {
			add("others", "", "", "", rest)
		}
		add("a usual row", "", "", "", x.Usual)
		add("decision value", "", "", "", x.Value)
		if e.Said.Values != nil { // nothing speaks for a class
			rows[0] = rows[0][:4]
		}
		if err := cli.PrintTable(w, rows); err != nil {
			return err
		}
	}
	return nil
}
