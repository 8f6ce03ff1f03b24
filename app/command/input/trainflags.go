package input

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"lapsvm"
	"lapsvm/app/command/cli"
	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
)

// TrainFlags are the parameters of a training.
type TrainFlags struct {
	Draft      *train.Draft // the settings of the recipe
	Checkpoint string       // folder; "" for none

	validation string
	time       time.Duration
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
	if takes, is := map[string]string{"ordered": "classes with commas between them, the lowest first", "multi-label": "the sign that separates classes in a cell, such as ;"}[f.Flag]; is && text == "" {
		return fmt.Errorf("takes %s", takes) // labels would be of plain classes in silence
	}
	word := cli.Spelt(text)
	if slices.Contains(f.Words, word) {
		text = word
	}
	return f.Setting.Set(f.draft, text)
}

// Choices returns the words that the shell completes.
func (f *settingFlag) Choices() []string {
	if f.Auto && f.Words == nil {
		return []string{"auto"}
	}
	return f.Words
}

// Define defines the flags, under the headings of all commands and under more. A command adds the
// flags that matter for its result; the others keep their defaults.
func (f *TrainFlags) Define(more ...string) *pflag.FlagSet {
	groups := append(train.Groups(), more...)
	f.Draft = train.NewDraft(groups...)
	all := cli.NewSection("")
	for _, group := range groups {
		cli.AddSection(all, group, func(flags *pflag.FlagSet) {
			for _, s := range train.Settings() {
				if s.Flag == "" || s.Group != group {
					continue
				}
				flag := flags.VarPF(&settingFlag{s, f.Draft}, s.Flag, "", s.Help)
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
func (f *TrainFlags) defineOthers(flags *pflag.FlagSet) {
	flags.StringVar(&f.validation, "validation", "", "file of labelled points for the validation and mixed conditions")
	flags.DurationVar(&f.time, "time", 0, "most time for comparing machines, and again for the solver's iterations, such as 60s: the best by then is taken (default: any time)")
	flags.StringVar(&f.Checkpoint, "checkpoint", "", "folder that keeps neighbours and landmarks, made where it is missing: another training on the same points by the same settings starts at the solver; of ranks, by as many")
	flags.Int("threads", 0, "threads (default: all processors)")
}

// Trainer returns the trainer described by the flags. Parameters to be chosen
// are zero.
func (f *TrainFlags) Trainer(ctx context.Context, data *DataFlags) (t lapsvm.Trainer, err error) {
	if t.Time = f.time; f.time < 0 {
		return t, cli.Usagef("--time must not be negative: give how long comparing may take, such as 60s")
	}
	if t.Recipe, err = f.Draft.Written(); err != nil {
		return t, cli.Usagef("%w", err)
	}
	if path := f.Draft.WeightFile; path != "" {
		if t.Recipe.ClassWeight, err = readClassWeights(ctx, path); err != nil {
			return t, err
		}
	}
	t.Recipe.Kind = data.KindOf(t.Recipe.Kind)
	if err := data.As(t.Recipe.Kind); err != nil {
		return t, err
	}
	t.Checkpoint = f.Checkpoint
	t.Memory, err = cli.MemoryBudget(data.Memory)
	return t, err
}

// ReadValidation reads the points of --validation as those of the training, d,
// were read.
func (f *TrainFlags) ReadValidation(ctx context.Context, p *cli.Program, data *DataFlags, d *dataset.Dataset, output *cli.OutputFlags) (*dataset.Dataset, error) {
	if f.validation == "" {
		return nil, nil
	}
	v, err := data.Like(d).Read(ctx, p, f.validation)
	if err != nil {
		return nil, err
	}
	WarnUnseen(p, v, output)
	return v, nil
}
