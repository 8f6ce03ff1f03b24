package main

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"lapsvm/dataset/files"
)

// shells are those that completion knows.
var shells = []string{"bash", "zsh", "fish"}

func (p *program) completion() *cobra.Command {
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print a script that completes commands, flags and files: bash, zsh or fish",
		Long: `completion prints a script for bash, zsh or fish, by which the shell completes
commands, flags, the values of flags, and files by the ends of their names. With
bash it needs the package bash-completion.`,
		Example: `  source <(lapsvm completion bash)                              # this shell alone
  lapsvm completion bash > /etc/bash_completion.d/lapsvm        # all later ones
  lapsvm completion zsh > "${fpath[1]}/_lapsvm"
  lapsvm completion fish > ~/.config/fish/completions/lapsvm.fish`,
		Args:      arguments("SHELL"),
		ValidArgs: shells,
		RunE: func(c *cobra.Command, args []string) error {
			switch root := c.Root(); args[0] {
			case "bash":
				return root.GenBashCompletionV2(p.stdout, true)
			case "zsh":
				return root.GenZshCompletion(p.stdout)
			case "fish":
				return root.GenFishCompletion(p.stdout, true)
			}
			return usagef("there is no completion for %q: take %s%s", args[0], alternatives(shells), didYouMean(args[0], shells))
		},
	}
}

// The ends of the names of files, for completion.
var (
	dataEnds  = append(formatEnds(anyFormat), "gz", "zst")
	modelEnds = []string{"lapsvm"}
)

// argumentEnds are the ends of the names of the files that commands take as
// arguments, one after the other.
var argumentEnds = map[string][][]string{
	"train": {dataEnds}, "evaluate": {dataEnds}, "tune": {dataEnds}, "graph": {dataEnds}, "convert": {dataEnds, dataEnds},
	"predict": {modelEnds, dataEnds}, "info": {modelEnds}, "export": {modelEnds, {"onnx", "json", "lapsvm", "txt", "model"}},
}

// flagEnds are the same for flags; "" is a folder.
var flagEnds = map[string][]string{
	"config": {"toml"}, "report": {"html"}, "svg": {"svg"}, "csv": {"csv"}, "validation": dataEnds, "test": dataEnds,
	"against": {"json"}, "data": nil, "keep": nil,
}

// outputEnds are those of --output by command.
var outputEnds = map[string][]string{"train": modelEnds, "predict": formatEnds(files.Format.CanWriteSeries), "demo": {"svg", "png"}, "paper": nil}

// completeArguments tells the shell what arguments and flags of the commands
// take: the values of a choice, files, folders, or nothing that it knows.
func completeArguments(root *cobra.Command) {
	for _, c := range root.Commands() {
		if ends, known := argumentEnds[c.Name()]; known {
			c.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
				if len(args) >= len(ends) {
					return nil, cobra.ShellCompDirectiveNoFileComp
				}
				return ends[len(args)], cobra.ShellCompDirectiveFilterFileExt
			}
		} else if c.ValidArgs == nil {
			c.ValidArgsFunction = cobra.NoFileCompletions
		}
		c.Flags().VisitAll(func(f *pflag.Flag) { completeFlag(c, f) })
	}
}

func completeFlag(c *cobra.Command, f *pflag.Flag) {
	ends, isFile := flagEnds[f.Name]
	if f.Name == "output" {
		ends, isFile = outputEnds[c.Name()]
	}
	words := []string(nil)
	switch v := f.Value.(type) {
	case *choice:
		words = v.values
	case *auto:
		words = []string{"auto"}
	default:
		switch {
		case f.Name == "precision":
			words = []string{"32", "64"}
		case f.Name == "prior":
			words = []string{"balanced", "labelled"}
		}
	}
	complete := cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
	switch {
	case f.Value.Type() == "bool":
		return // it takes no further word
	case isFile && len(ends) == 0:
		complete = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)
	case isFile:
		complete = cobra.FixedCompletions(slices.Clone(ends), cobra.ShellCompDirectiveFilterFileExt)
	}
	if err := c.RegisterFlagCompletionFunc(f.Name, complete); err != nil {
		panic("lapsvm: " + err.Error()) // a flag that is there, completed once
	}
}
