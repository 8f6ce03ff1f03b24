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
	AddOneOf(flags, to, "to", "", "format of "+of+": "+Alternatives(FormatNames(files.Format.CanWriteSeveral))+" (default: by the file's name)",
		FormatWords(files.Format.CanWriteSeveral)...)
}

// ResultFormat returns the name of the format of a file of results: that of --to, else
// the one by the file's ending. A name without an ending, or with .txt, means CSV. The format is one of those that can
// hold the results, [files.Format.CanWriteSeveral] or, of a single column, [files.Format.CanWriteSeries].
func ResultFormat(name, to string, can func(files.Format) bool) (string, error) {
	if to != "" {
		return to, nil
	}
	form, err := files.FormatOf(name)
	switch ending := filepath.Ext(strings.TrimSuffix(name, files.Compression(name))); {
	case name == "" || name == "-" || err != nil && (ending == "" || ending == ".txt"):
		return files.CSV, nil
	case err != nil:
		return "", Usagef("the name %q does not tell the format of the results; end it in %s", name, ResultEndings(can))
	case !can(form) && form.CanWriteSeries():
		return "", Usagef("%s holds one column, and these results have more: choose another name than %s, for %s", form.Name, name, Alternatives(FormatNames(can)))
	case !can(form):
		return "", Usagef("results are written as %s, not as %s: choose another name than %s", Alternatives(FormatNames(can)), form.Name, name)
	}
	return form.Name, nil
}

// ResultEndings lists the endings of a file of results in formats that can hold them.
func ResultEndings(can func(files.Format) bool) string {
	names := FormatNames(can)
	for k, name := range names {
		names[k] = "." + name
	}
	return Alternatives(names)
}
