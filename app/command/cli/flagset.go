package cli

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The annotations of flags.
const (
	heading  = "heading"  // the heading of the help that the flag stands under
	beginner = "beginner" // the flag is one that a new user needs
)

// AddSection adds the flags that a function defines, under a heading of the help.
func AddSection(flags *pflag.FlagSet, title string, define func(*pflag.FlagSet)) {
	section := NewSection(title)
	define(section)
	section.VisitAll(func(f *pflag.Flag) { annotate(section, f.Name, heading, title) })
	flags.AddFlagSet(section)
}

// ForBeginners marks the flags of a command that --help shows. Where none is
// marked, it shows all.
func ForBeginners(c *cobra.Command, names ...string) {
	c.InitDefaultHelpFlag()
	for _, name := range append(names, "help") {
		annotate(c.Flags(), name, beginner, "true")
	}
}

// annotate sets an annotation of a flag, which is there.
func annotate(flags *pflag.FlagSet, name, key, value string) {
	if err := flags.SetAnnotation(name, key, []string{value}); err != nil {
		panic("lapsvm: " + err.Error())
	}
}

// Sections returns the flags of a command by their headings, which name the
// sections. Those without a heading are a command's own, and come first.
func Sections(c *cobra.Command) []*pflag.FlagSet {
	all := []*pflag.FlagSet{NewSection("Flags")}
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		at := 0
		if title := f.Annotations[heading]; title != nil {
			if at = slices.IndexFunc(all, func(s *pflag.FlagSet) bool { return s.Name() == title[0] }); at < 0 {
				at, all = len(all), append(all, NewSection(title[0]))
			}
		}
		all[at].AddFlag(f)
	})
	return all
}

// beginnerFlags returns the flags for beginners among all, without headings, and
// how many more there are. Where none is for beginners, all are.
func beginnerFlags(all []*pflag.FlagSet) (sections []*pflag.FlagSet, more int) {
	few := NewSection("Flags")
	for _, section := range all {
		section.VisitAll(func(f *pflag.Flag) {
			if f.Annotations[beginner] == nil {
				more++
			} else {
				few.AddFlag(f)
			}
		})
	}
	if !few.HasFlags() {
		return all, 0
	}
	return []*pflag.FlagSet{few}, more
}

// NewSection returns flags under a title, none yet, that are listed in the order of their
// definition.
func NewSection(title string) *pflag.FlagSet {
	s := pflag.NewFlagSet(title, pflag.ContinueOnError)
	s.SortFlags = false
	return s
}

// Without returns the flags but for those with the given names.
func Without(flags *pflag.FlagSet, names ...string) *pflag.FlagSet {
	others := NewSection("")
	flags.VisitAll(func(f *pflag.Flag) {
		if !slices.Contains(names, f.Name) {
			others.AddFlag(f)
		}
	})
	return others
}
