package command

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
)

// trainFlags are the parameters of a training.
type trainFlags struct {
	draft      *train.Draft // the settings of the recipe
	validation string
	time       time.Duration
	checkpoint string
}

// settingFlag is the value of a flag that writes a setting of the recipe.
type settingFlag struct {
	train.Setting
	draft *train.Draft
}

func (f *settingFlag) String() string {
	if f.draft == nil {
		return ""
	}
	return f.Text(f.draft)
}

func (f *settingFlag) Set(text string) error {
	word := spelt(text)
	if slices.Contains(f.Words, word) {
		text = word
	}
	if err := f.Setting.Set(f.draft, text); err != nil {
		return fmt.Errorf("%w%s", err, DidYouMean(text, f.Words))
	}
	return nil
}

// define defines the flags, under the headings of all commands and under more. A command adds the
// flags that matter for its result; the others keep their defaults.
func (f *trainFlags) define(more ...string) *pflag.FlagSet {
	groups := append(train.Groups(), more...)
	f.draft = train.NewDraft(groups...)
	all := newSection("")
	for _, group := range groups {
		under(all, group, func(flags *pflag.FlagSet) {
			for _, s := range train.Settings() {
				if s.Flag == "" || s.Group != group {
					continue
				}
				flag := flags.VarPF(&settingFlag{s, f.draft}, s.Flag, "", s.Help)
				if flag.Hidden = s.Hidden; s.Type() == "bool" {
					flag.NoOptDefVal = "true"
				}
			}
			if group == train.SolverGroup {
				f.defineOthers(flags)
			}
		})
	}
	return all
}

// defineOthers defines the flags of a training that are no settings of its recipe.
func (f *trainFlags) defineOthers(flags *pflag.FlagSet) {
	flags.StringVar(&f.validation, "validation", "", "file of labelled points for the validation and mixed conditions")
	flags.DurationVar(&f.time, "time", 0, "most time for comparing machines, and again for the solver's iterations, such as 60s: the best by then is taken (default: any time)")
	flags.StringVar(&f.checkpoint, "checkpoint", "", "folder that keeps neighbours and landmarks, made where it is missing: another training on the same points by the same settings starts at the solver; of ranks, by as many")
	flags.Int("threads", 0, "threads (default: all processors)")
}

// trainer returns the trainer described by the flags. Parameters to be chosen
// are zero.
func (f *trainFlags) trainer(ctx context.Context, data *DataFlags) (t lapsvm.Trainer, err error) {
	if t.Time = f.time; f.time < 0 {
		return t, Usagef("--time must not be negative: give how long comparing may take, such as 60s")
	}
	if t.Recipe, err = f.draft.Written(); err != nil {
		return t, usageError{err}
	}
	if path := f.draft.WeightFile; path != "" {
		if t.Recipe.ClassWeight, err = readClassWeights(ctx, path); err != nil {
			return t, err
		}
	}
	t.Checkpoint = f.checkpoint
	t.Memory, err = MemoryBudget(data.Memory)
	return t, err
}

// readValidation reads the points of --validation as those of the training, d,
// were read.
func (f *trainFlags) readValidation(ctx context.Context, p *Program, data *DataFlags, d *dataset.Dataset, output *OutputFlags) (*dataset.Dataset, error) {
	if f.validation == "" {
		return nil, nil
	}
	v, err := p.Read(ctx, data.like(d), f.validation)
	if err != nil {
		return nil, err
	}
	p.warnUnseen(v, output)
	return v, nil
}
