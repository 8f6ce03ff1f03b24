package command

import (
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"lapsvm/dataset/files"
)

// addTo adds the flag --to: the format of results where the name of their file has no
// known ending. The help text says what the results are of.
func addTo(flags *pflag.FlagSet, to *string, of string) {
	addOneOf(flags, to, "to", "", "format of "+of+": "+alternatives(formatNames(files.Format.CanWriteSeries))+" (default: by the file's name)",
		formatWords(files.Format.CanWriteSeries)...)
}

// resultFormat returns the name of the format of a file of results: that of --to, else
// the one by the file's ending. A name without an ending, or with .txt, means CSV.
func resultFormat(name, to string) (string, error) {
	if to != "" {
		return to, nil
	}
	form, err := files.FormatOf(name)
	switch ending := filepath.Ext(strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".zst")); {
	case name == "" || name == "-" || err != nil && (ending == "" || ending == ".txt"):
		return files.CSV, nil
	case err != nil:
		return "", Usagef("the name %q does not tell the format of the results; end it in %s", name, resultEnds())
	case !form.CanWriteSeries():
		return "", Usagef("results are written as %s, not as %s: choose another name than %s", alternatives(formatNames(files.Format.CanWriteSeries)), form.Name, name)
	}
	return form.Name, nil
}

// resultEnds lists the possible endings of a file of results.
func resultEnds() string {
	names := formatNames(files.Format.CanWriteSeries)
	for k, name := range names {
		names[k] = "." + name
	}
	return alternatives(names)
}
