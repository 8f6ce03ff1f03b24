package input

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"lapsvm"
	"lapsvm/app/command/cli"
	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/numbers/objective"
)

// TrainFlags are the parameters of a training.
type TrainFlags struct {
	Draft      *train.Draft // the settings that the table of settings has flags for
	Checkpoint string       // folder; "" for none

	biasInNorm  string
	prior       []string
	classWeight string
	validation  string
	time        time.Duration
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
	word := cli.Spelt(text)
	if slices.Contains(f.Words, word) {
		text = word
	}
	if err := f.Setting.Set(f.draft, text); err != nil {
		return fmt.Errorf("%w%s", err, cli.DidYouMean(text, f.Words))
	}
	return nil
}

// Choices returns the words that the shell completes.
func (f *settingFlag) Choices() []string {
	if f.Auto {
		return []string{"auto"}
	}
	return f.Words
}

// Define defines the flags. A command adds the flags that matter for its result;
// the others keep their defaults.
func (f *TrainFlags) Define() *pflag.FlagSet {
	f.Draft = train.NewDraft()
	all := cli.NewSection("")
	for _, group := range train.Groups() {
		cli.AddSection(all, group, func(flags *pflag.FlagSet) {
			for _, s := range train.Settings() {
				if s.Flag == "" || s.Group != group {
					continue
				}
				flag := flags.VarPF(&settingFlag{s, f.Draft}, s.Flag, "", s.Help)
				if s.Type() == "bool" {
					flag.NoOptDefVal = "true"
				}
			}
			f.defineOthers(flags, group)
		})
	}
	return all
}

// defineOthers defines the flags under a heading that are none of a setting, or write it in
// their own way.
func (f *TrainFlags) defineOthers(flags *pflag.FlagSet, group string) {
	switch group {
	case train.ObjectiveGroup:
		cli.AddOneOf(flags, &f.biasInNorm, "bias-in-norm", "on", "on, or off, which is --bias outside",
			"on", "off")
		_ = flags.MarkHidden("bias-in-norm") // kept for scripts
		flags.StringVar(&f.classWeight, "class-weight", "", "costs of errors by class: balanced, in inverse proportion to their numbers of labels, or a file with a line for each class, its name, a tab or comma and its weight (default: all equal)")
		flags.StringSliceVar(&f.prior, "prior", nil, "class shares that predictions on the unlabelled rows follow: balanced, labelled or A=0.3,B=0.7 (default: none)")
	case train.SolverGroup:
		flags.StringVar(&f.validation, "validation", "", "file of labelled points for the validation and mixed conditions")
		flags.DurationVar(&f.time, "time", 0, "most time for comparing machines, and again for the solver's iterations, such as 60s: the best by then is taken (default: any time)")
		flags.StringVar(&f.Checkpoint, "checkpoint", "", "folder that keeps neighbours and landmarks, made where it is missing: another training on the same points by the same settings starts at the solver; of ranks, by as many")
		flags.Int("threads", 0, "threads (default: all processors)")
	}
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
	if f.biasInNorm == "off" && t.Recipe.Bias == objective.BiasInNorm {
		t.Recipe.Bias = objective.BiasOutside
	}
	if t.Recipe.Prior, t.Recipe.ClassPrior, err = parsePrior(f.prior); err != nil {
		return t, err
	}
	if t.Recipe.ClassWeight, t.Recipe.ClassWeights, err = f.classWeights(ctx); err != nil {
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

// parsePrior reads the name of a prior, or shares such as A=0.3.
func parsePrior(texts []string) (name lapsvm.Prior, shares map[string]float64, err error) {
	if len(texts) == 1 && !strings.Contains(texts[0], "=") {
		switch name = lapsvm.Prior(cli.Spelt(texts[0])); name {
		case lapsvm.BalancedPrior, lapsvm.LabelledPrior:
			return name, nil, nil
		}
	}
	if len(texts) == 0 {
		return "", nil, nil
	}
	if shares, err = train.ParseClassPrior(texts); err != nil {
		return "", nil, cli.Usagef("--prior: %w", err)
	}
	return "", shares, nil
}
