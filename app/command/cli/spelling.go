package cli

import (
	"strings"

	"github.com/spf13/pflag"
)

// american replaces the American spelling of flags and of words that flags take.
var american = strings.NewReplacer(
	"standardiz", "standardis",
	"normaliz", "normalis",
	"neighbor", "neighbour",
	"labeled", "labelled",
	"color", "colour",
	"huberiz", "huberis",
)

// Spelt returns a flag or a word as this program spells it.
func Spelt(text string) string { return american.Replace(text) }

// spellFlags lets a flag be given in American spelling.
func spellFlags(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	return pflag.NormalizedName(Spelt(name))
}
