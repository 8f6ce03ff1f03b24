package command

import (
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"lapsvm/dataset/files"
)

// addTo adds the flag --to, which tells the format of results whose file has no name that
// does. What they are of goes before it.
func addTo(flags *pflag.FlagSet, to *string, of string) {
	addOneOf(flags, to, "to", "", "format of "+of+": "+alternatives(formatNames(files.Format.CanWriteSeries))+" (default: by the file's name)",
		formatWords(files.Format.CanWriteSeries)...)
}

// resultFormat returns the name of the format of a file of results: what --to says, else
// what its name tells; a name without an ending, or with .txt, is one of CSV.
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

// resultEnds lists what the name of a file of results may end in.
func resultEnds() string {
	names := formatNames(files.Format.CanWriteSeries)
	for k, name := range names {
		names[k] = "." + name
	}
	return alternatives(names)
}
