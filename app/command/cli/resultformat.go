package cli

import (
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"lapsvm/dataset/files"
)

// AddTo adds the flag --to: the format of results where the name of their file has no
// known ending. The help text says what the results are of.
func AddTo(flags *pflag.FlagSet, to *string, of string) {
	AddOneOf(flags, to, "to", "", "format of "+of+": "+Alternatives(FormatNames(files.Format.CanWriteSeries))+" (default: by the file's name)",
		FormatWords(files.Format.CanWriteSeries)...)
}

// ResultFormat returns the name of the format of a file of results: that of --to, else
// the one by the file's ending. A name without an ending, or with .txt, means CSV.
func ResultFormat(name, to string) (string, error) {
	if to != "" {
		return to, nil
	}
	form, err := files.FormatOf(name)
	switch ending := filepath.Ext(strings.TrimSuffix(name, files.Compression(name))); {
	case name == "" || name == "-" || err != nil && (ending == "" || ending == ".txt"):
		return files.CSV, nil
	case err != nil:
		return "", Usagef("the name %q does not tell the format of the results; end it in %s", name, ResultEndings())
	case !form.CanWriteSeries():
		return "", Usagef("results are written as %s, not as %s: choose another name than %s", Alternatives(FormatNames(files.Format.CanWriteSeries)), form.Name, name)
	}
	return form.Name, nil
}

// ResultEndings lists the possible endings of a file of results.
func ResultEndings() string {
	names := FormatNames(files.Format.CanWriteSeries)
	for k, name := range names {
		names[k] = "." + name
	}
	return Alternatives(names)
}
