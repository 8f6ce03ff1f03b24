package cli

import (
	"encoding/csv"
	"errors"
	"strconv"
	"strings"
	"unicode"

	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/system/fault"
	"lapsvm/kernel"
)

// FormatNames returns the names of the formats that are wanted.
func FormatNames(wanted func(files.Format) bool) []string {
	var names []string
	for _, f := range files.Formats() {
		if wanted(f) {
			names = append(names, f.Name)
		}
	}
	return names
}

// FormatWords returns the words of a flag for formats: their names and their other
// names.
func FormatWords(wanted func(files.Format) bool) []string {
	var words []string
	for _, f := range files.Formats() {
		if wanted(f) {
			words = append(append(words, f.Name), f.Aliases...)
		}
	}
	return words
}

// FormatEnds returns the ends of the names of their files.
func FormatEnds(wanted func(files.Format) bool) []string {
	var ends []string
	for _, f := range files.Formats() {
		if wanted(f) {
			ends = append(ends, f.Endings...)
		}
	}
	return ends
}

// AnyFormat wants every format.
func AnyFormat(files.Format) bool { return true }

// IsTableFile reports whether a file is a table by its format or else its name.
func IsTableFile(name, format string) bool {
	f, err := files.FormatCalled(format)
	if format == "" {
		f, err = files.FormatOf(name)
	}
	return err == nil && f.Table
}

// IsTable wants the formats of tables.
func IsTable(f files.Format) bool { return f.Table }

// FlagOf words an option of reading as the flag for it, with its value as a shell
// takes it.
func FlagOf(o dataset.Option) string {
	flag := "--" + hyphenated(o.Name)
	switch o.Name { // whose flags are called otherwise
	case "Calibrate":
		return "--proba on"
	case "Edges":
		return flag + " FILE"
	case "FurtherLabels":
		return "--label with several columns"
	case "Charset":
		flag = "--encoding"
	case "MostViews":
		flag = "--views"
	case "Numbers":
		flag = "--regression"
	case "Several":
		flag = "--multi-label"
	case "SkipLines":
		flag = "--skip"
	}
	switch value := o.Value.(type) {
	case kernel.Distances:
		return "--distances"
	case string:
		if o.Name == "Label" { // which may be a list
			value = listed(value)
		}
		return flag + " " + Quoted(value)
	case int:
		return flag + " " + strconv.Itoa(value)
	case []string:
		if o.Name == "Unlabelled" { // a flag for each
			var flags []string
			for _, word := range value {
				flags = append(flags, flag+"="+Quoted(word))
			}
			return strings.Join(flags, " ")
		}
		words := make([]string, len(value))
		for k, word := range value {
			words[k] = Quoted(listed(word))
		}
		return flag + " " + strings.Join(words, ",")
	}
	if o.Name == "Embedder" {
		return "--embed, --embed-with"
	}
	if o.Name == "Image" {
		return "--image-size, --image-colour"
	}
	return flag
}

// hyphenated writes the name of a field as a flag: LabelValues is label-values, and Image.Colour is image-colour.
func hyphenated(field string) string {
	var b strings.Builder
	lower := false // the last letter was
	for _, r := range strings.ReplaceAll(field, ".", "") {
		if lower && unicode.IsUpper(r) {
			b.WriteByte('-')
		}
		lower = unicode.IsLower(r)
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// listed writes a word as a flag takes it in a list: in quotes where it has a
// comma or a quote.
func listed(word string) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	if !strings.ContainsAny(word, `,"`) || w.Write([]string{word}) != nil {
		return word
	}
	w.Flush()
	return strings.TrimSuffix(b.String(), "\n")
}

// InFlags returns the text of an error with the options of reading, and the settings of a recipe, as
// flags.
func InFlags(err error) string { return partsInFlags(err).Error }

func partsInFlags(err error) fault.Parts {
	if excluded := (*train.ExclusionError)(nil); errors.As(err, &excluded) {
		before, after, _ := strings.Cut(err.Error(), excluded.Error())
		err = fault.Errorf("%s%w%s", before, excluded.Worded(settingAsFlag), after)
	}
	return fault.Apart(err, FlagOf)
}

// settingAsFlag returns the flag of a setting, or the key of one without a flag.
func settingAsFlag(s train.Setting) string {
	if s.Flag == "" {
		return s.Key
	}
	return "--" + s.Flag
}
