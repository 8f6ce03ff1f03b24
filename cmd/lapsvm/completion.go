package main

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"lapsvm/dataset/files"
)

// addCompletion adds the command completion, and tells the shell what arguments
// and flags of all commands take: one of a few words, files with certain endings,
// folders, or nothing that it knows.
func addCompletion(root *cobra.Command) {
	root.SetCompletionCommandGroupID(toolsGroup)
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			c.Short = "Print a script that completes commands, flags, their values and files"
			takesCommands(c)
			for _, shell := range c.Commands() {
				shell.Args = arguments()
			}
			continue
		}
		completeArguments(c)
		c.Flags().VisitAll(func(f *pflag.Flag) { completeFlag(c, f) })
	}
}

// The endings of files, by what is in them.
func dataEndings() []string  { return append(formatEnds(anyFormat), "gz", "zst") }
func modelEndings() []string { return []string{"lapsvm"} }

// completeArguments completes the arguments of a command by the endings of their
// files. Other commands take no file.
func completeArguments(c *cobra.Command) {
	var endings [][]string // of one argument after the other
	switch c.Name() {
	case "train", "evaluate", "tune", "graph":
		endings = [][]string{dataEndings()}
	case "convert":
		endings = [][]string{dataEndings(), dataEndings()}
	case "predict":
		endings = [][]string{modelEndings(), dataEndings()}
	case "info":
		endings = [][]string{modelEndings()}
	case "export":
		endings = [][]string{modelEndings(), {"onnx", "json", "lapsvm", "txt", "model"}}
	}
	if c.ValidArgsFunction != nil {
		return // the command knows better
	}
	c.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) >= len(endings) {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return endings[len(args)], cobra.ShellCompDirectiveFilterFileExt
	}
}

// fileFlag tells which endings the file has that a flag of a command takes, none
// for a folder. It is not ok where the flag takes no file.
func fileFlag(command, flag string) (endings []string, ok bool) {
	switch flag {
	case "config":
		return []string{"toml"}, true
	case "report":
		return []string{"html"}, true
	case "svg", "csv":
		return []string{flag}, true
	case "validation", "test":
		return dataEndings(), true
	case "against":
		return []string{"json"}, true
	case "recipe":
		return append(modelEndings(), "json"), true
	case "keep":
		return nil, command == "demo"
	case "data":
		if command == "demo" {
			return formatEnds(files.Format.CanWrite), true
		}
		return nil, true
	case "output":
		switch command {
		case "train":
			return modelEndings(), true
		case "predict":
			return formatEnds(files.Format.CanWriteSeries), true
		case "demo":
			return []string{"svg", "png"}, true
		}
		return nil, true
	}
	return nil, false
}

// completeFlag completes the value of a flag.
func completeFlag(c *cobra.Command, f *pflag.Flag) {
	if f.NoOptDefVal != "" {
		return // it takes no further word
	}
	var words []string
	switch v := f.Value.(type) {
	case *oneOf:
		words = v.values
	case *autoNumber:
		words = []string{"auto"}
	default:
		switch f.Name {
		case "precision":
			words = []string{"32", "64"}
		case "prior":
			words = []string{"balanced", "labelled"}
		}
	}
	complete := cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
	endings, isFile := fileFlag(c.Name(), f.Name)
	switch {
	case isFile && len(endings) == 0:
		complete = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)
	case isFile:
		complete = cobra.FixedCompletions(slices.Clone(endings), cobra.ShellCompDirectiveFilterFileExt)
	}
	if err := c.RegisterFlagCompletionFunc(f.Name, complete); err != nil {
		panic("lapsvm: " + err.Error()) // a flag that is there, completed once
	}
}
