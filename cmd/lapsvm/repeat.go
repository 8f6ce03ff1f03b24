package main

import (
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"lapsvm"
	"lapsvm/internal/atomicfile"
	"lapsvm/report"
)

// unrepeated are flags that change what is printed and how fast, but no result.
var unrepeated = []string{"json", "quiet", "progress", "config", "threads", "report", "help"}

// autoFlags are those that take auto.
var autoFlags = []string{"sigma", "neighbours", "laplacian-degree", "gamma-a", "gamma-i"}

// choosable are the flags that a mean of several machines has no one value of,
// and heat, of which each of its graphs has its own.
var choosable = slices.Concat(autoFlags, []string{"heat", "solver", "precision"})

// repeating is the command line that gives the same result as the present one:
// the flags that were set, here or by a config file, the seed, and with a model
// the values that its training resolved, as far as they describe it.
func repeating(c *cobra.Command, args []string, m *lapsvm.Model) (string, error) {
	resolved := map[string]string{}
	if m != nil {
		var err error
		if resolved, err = resolvedFlags(m.Recipe()); err != nil {
			return "", err
		}
		if len(m.Recipe().Members) > 1 {
			for _, name := range choosable {
				delete(resolved, name)
			}
		}
	}
	for _, name := range []string{"seed", "proba"} {
		resolved[name] = c.Flags().Lookup(name).Value.String()
	}
	return inLines(commandLine(c, c, args, resolved)), nil
}

// tunedCommand is the command line that trains with what a tuning, the present
// command, recommends.
func tunedCommand(c *cobra.Command, args []string, t *lapsvm.Tuning) ([]string, error) {
	train, _, err := c.Root().Find([]string{"train"})
	if err != nil {
		return nil, err
	}
	resolved, err := resolvedFlags(t.Recipe)
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(resolved, func(name, _ string) bool { return !slices.Contains(autoFlags, name) })
	resolved["output"] = "model.lapsvm"
	return commandLine(train, c, args, resolved), nil
}

// commandLine is a command in words: its arguments, and of its flags those that
// are resolved, or else set in the present command, c.
func commandLine(command, c *cobra.Command, args []string, resolved map[string]string) []string {
	words := []string{"lapsvm " + command.Name()}
	for _, arg := range args {
		words = append(words, quoted(arg))
	}
	command.Flags().VisitAll(func(f *pflag.Flag) {
		value, known := resolved[f.Name]
		set := c.Flags().Lookup(f.Name)
		if slices.Contains(unrepeated, f.Name) || !known && (set == nil || !set.Changed) {
			return
		}
		values := []string{value}
		if !known {
			values = []string{set.Value.String()}
			if list, ok := set.Value.(pflag.SliceValue); ok {
				values = list.GetSlice()
				if f.Value.Type() == "stringSlice" {
					values = []string{strings.Join(values, ",")}
				}
			}
		}
		for _, value := range values {
			equals := " "
			if f.Value.Type() == "bool" {
				equals = "="
			}
			words = append(words, "--"+f.Name+equals+quoted(value))
		}
	})
	return words
}

// inLines joins words to a command of several lines where one would be long.
func inLines(words []string) string {
	const width = 76
	var b strings.Builder
	used := 0
	for k, word := range words {
		switch length := utf8.RuneCountInString(word); {
		case k == 0:
			used = length
		case used+1+length > width:
			b.WriteString(" \\\n    ")
			used = 4 + length
		default:
			b.WriteString(" ")
			used += 1 + length
		}
		b.WriteString(word)
	}
	return b.String()
}

// resolvedFlags are the values of a recipe by flag.
func resolvedFlags(r lapsvm.Recipe) (map[string]string, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	var config map[string]any
	if err := json.Unmarshal(text, &config); err != nil {
		return nil, err
	}
	resolved := map[string]string{}
	for name, value := range config {
		name = strings.ReplaceAll(name, "_", "-")
		switch v := value.(type) {
		case string:
			resolved[name] = v
		case float64:
			resolved[name] = full(v)
		case bool:
			resolved[name] = map[bool]string{true: "on", false: "off"}[v]
			if name == "one-class" {
				resolved[name] = strconv.FormatBool(v)
			}
		}
	}
	return resolved, nil
}

// quoted is a word for a POSIX shell.
func quoted(word string) string {
	safe := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:=,+@%", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !safe(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// sourceName is what a page calls the data.
func sourceName(name string) string {
	if name == "-" {
		return "standard input"
	}
	return filepath.Base(name)
}

// checkReport reports a page that cannot be written, before anything is
// computed.
func checkReport(path string) error {
	if path == "" {
		return nil
	}
	if ext := strings.ToLower(filepath.Ext(path)); ext != ".html" && ext != ".htm" {
		return usagef("the report is written as .html, not as %q", path)
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
		return usagef("there is no folder %s for the report; make it first", filepath.Dir(path))
	}
	return nil
}

func writePage(path string, page report.Page) error {
	return atomicfile.Write(path, func(w io.Writer) error { return page.WriteHTML(w) })
}
