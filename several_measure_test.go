package lapsvm_test

import (
	"fmt"
	"os"
	"testing"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/internal/machines/selection"
	"lapsvm/internal/machines/task"
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
			results, err := selection.Evaluation{Recipe: lapsvm.Recipe{Kind: task.Several(";"), Seed: 1}, Baseline: true}.Run(t.Context(), d, splits)
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

// TestSeveralSetsMeasured prints the table of decision 44 for several classes, with LAPSVM_LONG: sets of level 0.9 of ten draws of labels. It takes minutes.
// Sets have to hold a class that a row has, and sure classes to leave one out that it lacks, nearly as often as is asked.
func TestSeveralSetsMeasured(t *testing.T) {
	sets, labelled, repeats := map[string]*dataset.Dataset{"topics": drawn.Topics(300, 1)}, []int{60}, 2
	if os.Getenv("LAPSVM_LONG") != "" {
		sets, labelled, repeats = map[string]*dataset.Dataset{"topics": drawn.Topics(600, 2), "pairs": drawn.Pairs(600, 2)}, []int{30, 60, 120}, 10
	}
	for name, d := range sets {
		for _, labels := range labelled {
			splits, err := selection.Splits(d, selection.Plan{Labelled: labels, Repeats: repeats, Seed: 6, Several: ";"})
			if err != nil {
				t.Fatal(err)
			}
			results, err := selection.Evaluation{Recipe: lapsvm.Recipe{Kind: task.Several(";"), Seed: 1}, Set: 0.9}.Run(t.Context(), d, splits)
			if err != nil {
				t.Fatal(err)
			}
			var all selection.SetCounts
			of := map[string]selection.SetCounts{}
			for _, r := range results {
				for _, c := range r.Several.Sets {
					of[c.Class] = of[c.Class].Plus(c)
					all = all.Plus(c)
				}
			}
			worst, spared := 1.0, 1.0
			for _, c := range of {
				worst, spared = min(worst, float64(c.Held)/float64(c.Has)), min(spared, float64(c.Spared)/float64(c.Lacks))
			}
			held, free := float64(all.Held)/float64(all.Has), float64(all.Spared)/float64(all.Lacks)
			size, _ := selection.MeanSD(results, func(r selection.Result) float64 { return r.Sets.Size })
			sure, _ := selection.MeanSD(results, func(r selection.Result) float64 { return r.Sets.Sure })
			wrong, _ := selection.MeanSD(results, func(r selection.Result) float64 { return r.Unlabelled })
			t.Logf("%s, %d labels: held %.3f (worst class %.3f), spared %.3f (%.3f), told %.3f, %.2f classes may be, %.2f are sure, %.2f are; %.1f %% of answers wrong", name, labels, held, worst, free, spared,
				float64(all.Told)/float64(all.Has+all.Lacks), size, sure, float64(len(of))*answersPerRow(t, d), wrong)
			if !(held > 0.8) || !(free > 0.8) {
				t.Errorf("%s, %d labels: sets hold %.3f of the classes, and spare %.3f", name, labels, held, free)
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
