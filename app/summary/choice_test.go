package summary

import (
	"math"
	"slices"
	"strings"
	"testing"

	"lapsvm"
	"lapsvm/internal/machines/selection"
)

// The verdict on a choice says no more than the labels do.
func TestChoiceVerdict(t *testing.T) {
	one := lapsvm.Choice{Candidates: 10, Labels: 20, GammaI: 1, Neighbours: 3, Verdict: lapsvm.CannotBeTold}
	told := lapsvm.Expected{Error: 10, ErrorLow: 2.8, ErrorHigh: 30.1, SupervisedError: 25}
	for name, c := range map[string]struct {
		change func(c *lapsvm.Choice)
		want   []string
		not    string
	}{
		"nothing compared": {func(c *lapsvm.Choice) { c.Candidates = 0 }, nil, " "},
		"no label":         {func(c *lapsvm.Choice) { c.Labels = 0 }, []string{"nothing is known", "a second label of each class"}, "%"},
		"too few":          {func(c *lapsvm.Choice) { c.Labels, c.Expected = 6, nil }, []string{"The error cannot be told from 6 held-out labels, nor whether the unlabelled points help: 10 are the fewest"}, "%"},
		"help":             {func(c *lapsvm.Choice) { c.Expected.Gain, c.Expected.GainError, c.Verdict = 15, 5, lapsvm.Helps }, []string{"between 2.8 and 30 %", "20 held-out labels", "The unlabelled points help"}, "cannot be told"},
		"harm":             {func(c *lapsvm.Choice) { c.Expected.Gain, c.Expected.GainError, c.Verdict = -15, 5, lapsvm.Harms }, []string{"do harm"}, "cannot be told"},
		"harm, without": {func(c *lapsvm.Choice) {
			c.GammaI, c.Neighbours, c.Expected.Gain, c.Expected.GainError, c.Verdict = 0, 0, -15, 5, lapsvm.Harms
		}, []string{"do harm: 15 ± 5 percent points more errors; so the model goes without them."}, "compare"},
		"unclear":              {func(c *lapsvm.Choice) { c.Expected.Gain, c.Expected.GainError = 5, 5 }, []string{"cannot be told from 20 held-out labels", "5 ± 5 percent points fewer"}, "do harm"},
		"unclear, more":        {func(c *lapsvm.Choice) { c.Expected.Gain, c.Expected.GainError = -5, 5 }, []string{"5 ± 5 percent points more"}, "do harm"},
		"labels do not say so": {func(c *lapsvm.Choice) { c.Expected.Gain, c.Expected.GainError = -13, 1 }, []string{"cannot be told from 20 held-out labels."}, "13"},
		"hardly any":           {func(c *lapsvm.Choice) { c.Expected.Gain, c.Expected.GainError = 0.01, 5 }, []string{"cannot be told"}, "do harm"},
		"lost":                 {func(c *lapsvm.Choice) { c.Expected = nil }, []string{"The error cannot be told from 20 held-out labels, nor"}, "fewest"},
		"as many":              {func(c *lapsvm.Choice) { c.Expected.Gain, c.Expected.GainError = 0, 5 }, []string{"from 20 held-out labels: as many errors, ± 5 percent points"}, "fewer"},
		"the same":             {func(*lapsvm.Choice) {}, []string{"cannot be told", "told from 20 held-out labels: with and without them as many are wrong"}, "±"},
		"not beyond chance":    {func(c *lapsvm.Choice) { c.Expected.Gain, c.Expected.GainError = 15, 5 }, []string{"cannot be told from 20"}, "points help:"},
		"as by guessing":       {func(c *lapsvm.Choice) { c.Expected.Error, c.Expected.ErrorLow, c.Expected.ErrorHigh = 60, 38, 99.9 }, []string{"between 38 and 100 %"}, "guessing"},
		"supervised":           {func(c *lapsvm.Choice) { c.GammaI, c.Neighbours = 0, 0 }, []string{"10 % of 20"}, "unlabelled"},
	} {
		choice, expected := one, told
		choice.Expected = &expected
		c.change(&choice)
		got := strings.Join(ChoiceVerdict(lapsvm.Recipe{Choice: &choice}, 5), "\n")
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %q has no %q", name, got, want)
			}
		}
		if strings.Contains(got, c.not) {
			t.Errorf("%s: %q has %q", name, got, c.not)
		}
	}
	for _, verdict := range []lapsvm.Verdict{lapsvm.Helps, lapsvm.Harms, lapsvm.CannotBeTold} {
		all := one
		all.Expected, all.Verdict = &told, verdict
		if got := ChoiceVerdict(lapsvm.Recipe{Choice: &all}, 0); len(got) != 1 || strings.Contains(got[0], "unlabelled") {
			t.Errorf("%s with every point labelled: %q", verdict, got)
		}
	}
	if got := ChoiceVerdict(lapsvm.Recipe{Choice: &lapsvm.Choice{Candidates: 1}}, 0); len(got) != 1 || strings.Contains(got[0], "unlabelled") {
		t.Errorf("no label held out, every point labelled: %q", got)
	}
	alone := one
	alone.GammaI, alone.Neighbours, alone.Verdict, alone.Expected = 0, 0, lapsvm.Harms, &told
	views := []lapsvm.View{{Name: "linear"}, {Name: "Laplacian", Recipe: lapsvm.Recipe{Supervised: true}}}
	if got := strings.Join(ChoiceVerdict(lapsvm.Recipe{Choice: &alone, Beside: views}, 5), " "); !strings.HasSuffix(got, "the machine goes without them, and beside it these views take them: linear.") {
		t.Errorf("one of two views takes the unlabelled points: %q", got)
	}
	if got := strings.Join(ChoiceVerdict(lapsvm.Recipe{Choice: &alone, Beside: views[1:]}, 5), " "); !strings.HasSuffix(got, "so the model goes without them.") {
		t.Errorf("no view takes the unlabelled points: %q", got)
	}
	several := lapsvm.Choice{Candidates: 1, Labels: 20, Expected: &lapsvm.Expected{Error: 5, ErrorLow: 2, ErrorHigh: 12}}
	if got := ChoiceVerdict(lapsvm.Recipe{Kind: lapsvm.Several(";"), Choice: &several}, 0); len(got) != 1 || !strings.HasPrefix(got[0], "5 % of the answers of 20 held-out labels wrong, each label predicted by") {
		t.Errorf("several classes: %s", got)
	}
	if ChoiceVerdict(lapsvm.Recipe{}, 5) != nil {
		t.Error("nothing chosen has a verdict")
	}
}

// Repeats are told in the words of labels, and one of them as less.
func TestRepeatsTell(t *testing.T) {
	better := selection.Result{Hidden: 100, BaselineUnlabelled: 20, Unlabelled: 0, Gains: make(map[int]float64)}
	worse := selection.Result{Hidden: 100, BaselineUnlabelled: 0, Unlabelled: 20, Gains: make(map[int]float64)}
	nearer := selection.Result{Hidden: 100, Recipe: lapsvm.Recipe{Kind: lapsvm.Ordered()}, Ranks: selection.RanksResult{BaselineUnlabelled: 0.4}, Gains: make(map[int]float64)}
	for i := range 20 {
		better.Gains[i], worse.Gains[i], nearer.Gains[i] = 1, -1, 2
	}
	repeat := func(r selection.Result, times int) []selection.Result {
		return slices.Repeat([]selection.Result{r}, times)
	}
	for want, results := range map[string][]selection.Result{
		"The unlabelled points help: 20 ± 4 percent points fewer errors":                                      repeat(better, 5),
		"The unlabelled points do harm: 20 ± 4 percent points more errors; compare with --gamma-i 0":          repeat(worse, 5),
		"Whether the unlabelled points help cannot be told from 2 repeats: 20 ± 4 percent points more errors": repeat(worse, 2),
		"Whether the unlabelled points help cannot be told from 1 repeat":                                     repeat(better, 1),
		"The unlabelled points help: 0.4 ± 0.08 ranks nearer in the mean":                                     repeat(nearer, 5),
		"": {{Hidden: 100, BaselineUnlabelled: math.NaN()}},
	} {
		if got := RepeatsTell(results); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
