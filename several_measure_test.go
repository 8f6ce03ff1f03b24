package lapsvm_test

import (
	"fmt"
	"os"
	"testing"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/internal/machines/selection"
	"lapsvm/internal/testing/drawn"
)

// TestSeveralMeasured prints the table of decision 45, with LAPSVM_LONG: ten draws of labels of generated topics and of digits in
// pairs, beside the SVM on the labels alone. It takes minutes. F1 has to be larger than by the answer that every row has every
// class.
func TestSeveralMeasured(t *testing.T) {
	sets, labelled, repeats := map[string]*dataset.Dataset{"topics": drawn.Topics(300, 1)}, []int{36}, 1
	if os.Getenv("LAPSVM_LONG") != "" {
		sets, labelled, repeats = map[string]*dataset.Dataset{"topics": drawn.Topics(400, 1), "pairs": drawn.Pairs(400, 1)}, []int{30, 60}, 10
	}
	for name, d := range sets {
		for _, labels := range labelled {
			splits, err := selection.Splits(d, selection.Plan{Labelled: labels, Repeats: repeats, Seed: 4, Several: ";"})
			if err != nil {
				t.Fatal(err)
			}
			results, err := selection.Evaluation{Recipe: lapsvm.Recipe{MultiLabel: ";", Seed: 1}, Baseline: true}.Run(t.Context(), d, splits)
			if err != nil {
				t.Fatal(err)
			}
			line := fmt.Sprintf("%s, %d labels:", name, labels)
			for _, of := range []struct {
				name string
				get  func(selection.Result) float64
			}{
				{"wrong", func(r selection.Result) float64 { return r.Unlabelled }}, {"SVM", func(r selection.Result) float64 { return r.BaselineUnlabelled }},
				{"micro", func(r selection.Result) float64 { return r.Several.MicroF1 }}, {"SVM", func(r selection.Result) float64 { return r.BaselineSeveral.MicroF1 }},
				{"macro", func(r selection.Result) float64 { return r.Several.MacroF1 }}, {"SVM", func(r selection.Result) float64 { return r.BaselineSeveral.MacroF1 }},
				{"subset", func(r selection.Result) float64 { return r.Several.Subset }}, {"SVM", func(r selection.Result) float64 { return r.BaselineSeveral.Subset }},
				{"ranking", func(r selection.Result) float64 { return r.Several.Ranking }}, {"SVM", func(r selection.Result) float64 { return r.BaselineSeveral.Ranking }},
			} {
				mean, sd := selection.MeanSD(results, of.get)
				line += fmt.Sprintf(" %s %.3f (%.3f)", of.name, mean, sd)
			}
			t.Log(line)
			micro, _ := selection.MeanSD(results, func(r selection.Result) float64 { return r.Several.MicroF1 })
			if share := answersPerRow(t, d); !(micro > 2*share/(1+share)) {
				t.Errorf("%s: F1 %.3g, by the answer that rows have every class %.3g", name, micro, 2*share/(1+share))
			}
		}
	}
}

// answersPerRow returns the share of the answers that say that a row has a class.
func answersPerRow(t *testing.T, d *dataset.Dataset) (share float64) {
	s, err := dataset.SeveralOf(d.Classes, ";")
	if err != nil {
		t.Fatal(err)
	}
	for _, answers := range s.Answers {
		for _, y := range d.Y {
			if answers[y] > 0 {
				share += 1 / float64(len(d.Y)*len(s.Classes))
			}
		}
	}
	return share
}
