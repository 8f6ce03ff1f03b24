package cli

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// addCompletion adds the command completion. For every argument and flag of all
// commands it tells the shell what to complete: one of a few words, files with
// certain endings, folders, or nothing.
func addCompletion(root *cobra.Command) {
	root.SetCompletionCommandGroupID(ToolsGroup)
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			c.Short = "Print a script that completes commands, flags, their values and files"
			takesCommands(c)
			for _, shell := range c.Commands() {
				shell.Args = Arguments()
			}
			continue
		}
		completeArguments(c)
		c.Flags().VisitAll(func(f *pflag.Flag) { completeFlag(c, f) })
	}
}

// completeArguments completes the arguments of a command by the endings of their
// files. Other commands take no file.
func completeArguments(c *cobra.Command) {
	if c.ValidArgsFunction != nil {
		return // the command knows better
	}
	c.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		u, _, isFile := argumentUse(c, len(args))
		if !isFile {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		if u.folder {
			return nil, cobra.ShellCompDirectiveFilterDirs
		}
		return u.endings, cobra.ShellCompDirectiveFilterFileExt
	}
}

// completeFlag completes the value of a flag.
func completeFlag(c *cobra.Command, f *pflag.Flag) {
	if f.NoOptDefVal != "" {
		return // it takes no further word
	}
	var words []string
	switch v := f.Value.(type) {
	case worded:
		words = v.Choices()
	}
	complete := cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
	switch u, isFile := flagUse(c.Name(), f.Name); {
	case isFile && u.folder:
		complete = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)
	case isFile && u.words != nil:
		complete = cobra.FixedCompletions(u.words, cobra.ShellCompDirectiveDefault)
	case isFile:
		complete = cobra.FixedCompletions(u.endings, cobra.ShellCompDirectiveFilterFileExt)
	}
	if err := c.RegisterFlagCompletionFunc(f.Name, complete); err != nil {
		panic("lapsvm: " + err.Error()) // a flag that is there, completed once
	}
}
