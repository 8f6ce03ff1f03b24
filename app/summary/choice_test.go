package summary

import (
	"strings"
	"testing"

	"lapsvm"
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
		"nothing compared":  {func(c *lapsvm.Choice) { c.Candidates = 0 }, nil, " "},
		"no label":          {func(c *lapsvm.Choice) { c.Labels = 0 }, []string{"nothing is known", "a second label of each class"}, "%"},
		"too few":           {func(c *lapsvm.Choice) { c.Labels, c.Expected = 6, nil }, []string{"The error cannot be told from 6 held-out labels, nor whether the unlabelled points help: 10 are the fewest"}, "%"},
		"help":              {func(c *lapsvm.Choice) { c.Expected.Gain, c.Expected.GainError, c.Verdict = 15, 5, lapsvm.Helps }, []string{"between 2.8 and 30 %", "20 held-out labels", "The unlabelled points help"}, "cannot be told"},
		"harm":              {func(c *lapsvm.Choice) { c.Expected.Gain, c.Expected.GainError, c.Verdict = -15, 5, lapsvm.Harms }, []string{"do harm"}, "cannot be told"},
		"unclear":           {func(c *lapsvm.Choice) { c.Expected.Gain, c.Expected.GainError = 5, 5 }, []string{"cannot be told from 20 held-out labels", "5 ± 5 percent points fewer", "about 80 labels"}, "do harm"},
		"unclear, more":     {func(c *lapsvm.Choice) { c.Expected.Gain, c.Expected.GainError = -5, 5 }, []string{"5 ± 5 percent points more"}, "do harm"},
		"hardly any":        {func(c *lapsvm.Choice) { c.Expected.Gain, c.Expected.GainError = 0.01, 5 }, []string{"cannot be told"}, "would tell"},
		"the same":          {func(*lapsvm.Choice) {}, []string{"cannot be told", "the same of 20 held-out labels"}, "±"},
		"not beyond chance": {func(c *lapsvm.Choice) { c.Expected.Gain, c.Expected.GainError = 15, 5 }, []string{"cannot be told from 20"}, "points help:"},
		"as by guessing":    {func(c *lapsvm.Choice) { c.Expected.Error, c.Expected.ErrorLow, c.Expected.ErrorHigh = 60, 38, 99.9 }, []string{"between 38 and 100 %"}, "guessing"},
		"supervised":        {func(c *lapsvm.Choice) { c.GammaI, c.Neighbours = 0, 0 }, []string{"10 % of 20"}, "unlabelled"},
	} {
		choice, expected := one, told
		choice.Expected = &expected
		c.change(&choice)
		got := strings.Join(ChoiceVerdict(&choice, 5), "\n")
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
		if got := ChoiceVerdict(&all, 0); len(got) != 1 || strings.Contains(got[0], "unlabelled") {
			t.Errorf("%s with every point labelled: %q", verdict, got)
		}
	}
	if got := ChoiceVerdict(&lapsvm.Choice{Candidates: 1}, 0); len(got) != 1 || strings.Contains(got[0], "unlabelled") {
		t.Errorf("no label held out, every point labelled: %q", got)
	}
	if ChoiceVerdict(nil, 5) != nil {
		t.Error("nothing chosen has a verdict")
	}
}
