package compare

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Comparison is the results of all sets.
type Comparison struct{ Results []Result }

// row is one line of a table.
type row struct {
	set      string
	perClass int
	labelled int
	byMethod map[string]Result // by method
}

// methods returns those of the results, in their order.
func (c Comparison) methods() []string {
	var all []string
	for _, r := range c.Results {
		if !slices.Contains(all, r.Method) {
			all = append(all, r.Method)
		}
	}
	return all
}

// rows gathers the results by set and number of labels per class.
func (c Comparison) rows() []row {
	var rows []row
	for _, r := range c.Results {
		if k := len(rows) - 1; k < 0 || rows[k].set != r.Set || rows[k].perClass != r.PerClass {
			rows = append(rows, row{r.Set, r.PerClass, r.Labelled, map[string]Result{}})
		}
		rows[len(rows)-1].byMethod[r.Method] = r
	}
	return rows
}

// whole returns the rows with the given number of labels per class and without a gap
// of any method.
func whole(rows []row, perClass int, methods []string) []row {
	return slices.DeleteFunc(slices.Clone(rows), func(r row) bool {
		return r.perClass != perClass || slices.ContainsFunc(methods, func(m string) bool { return !(r.byMethod[m].Error >= 0) })
	})
}

// average returns the mean over rows, and its standard error from those of the rows.
func average(rows []row, method string, get func(Result) float64) (mean, standardError float64) {
	for _, r := range rows {
		mean += get(r.byMethod[method]) / float64(len(rows))
		standardError += r.byMethod[method].ErrorSE * r.byMethod[method].ErrorSE
	}
	return mean, math.Sqrt(standardError) / float64(len(rows))
}

// meanOf names the sets of a mean.
func meanOf(rows []row) string {
	if len(rows) == 1 {
		return rows[0].set
	}
	return fmt.Sprintf("mean of %d sets", len(rows))
}

// perClasses returns the numbers of labels per class of the rows.
func perClasses(rows []row) []int {
	var all []int
	for _, r := range rows {
		if !slices.Contains(all, r.perClass) {
			all = append(all, r.perClass)
		}
	}
	return all
}

// Errors returns the errors in percent, with standard errors in brackets, as a table
// of texts with a header. It has a row for each set and number of labels, and rows
// of means over the sets on which no method has a gap. The least error of a row is
// written by best.
func (c Comparison) Errors(best func(text string) string) [][]string {
	methods, rows := c.methods(), c.rows()
	table := [][]string{append([]string{"set", "labels"}, methods...)}
	line := func(name, labels string, get func(method string) (value, standardError float64)) {
		texts, values, least := []string{name, labels}, []float64{}, math.Inf(1)
		for _, m := range methods {
			value, standardError := get(m)
			if values = append(values, value); value < least {
				least = value
			}
			texts = append(texts, number(value, "%.1f")+spread(standardError))
		}
		for k, v := range values {
			if v == least {
				texts[2+k] = best(texts[2+k])
			}
		}
		table = append(table, texts)
	}
	for _, r := range rows {
		line(r.set, fmt.Sprint(r.labelled), func(m string) (float64, float64) { return resultOf(r, m).Error, resultOf(r, m).ErrorSE })
	}
	for _, perClass := range perClasses(rows) {
		if all := whole(rows, perClass, methods); len(all) > 1 {
			line(meanOf(all), fmt.Sprintf("%d per class", perClass), func(m string) (float64, float64) {
				return average(all, m, func(r Result) float64 { return r.Error })
			})
		}
	}
	return table
}

// Seconds returns the mean times of a draw over the sets on which no method has a
// gap, as a table of texts with a header.
func (c Comparison) Seconds() [][]string {
	methods, rows := c.methods(), c.rows()
	table := [][]string{append([]string{"seconds", "labels"}, methods...)}
	for _, perClass := range perClasses(rows) {
		all := whole(rows, perClass, methods)
		if len(all) == 0 {
			continue
		}
		texts := []string{meanOf(all), fmt.Sprintf("%d per class", perClass)}
		for _, m := range methods {
			mean, _ := average(all, m, func(r Result) float64 { return r.Seconds })
			texts = append(texts, number(mean, "%.2f"))
		}
		table = append(table, texts)
	}
	return table
}

// Gaps says where a method was not measured, and why.
func (c Comparison) Gaps() []string {
	var gaps []string
	for _, r := range c.Results {
		if r.Gap != "" {
			gaps = append(gaps, fmt.Sprintf("%s, %d per class, %s: %s", r.Set, r.PerClass, r.Method, r.Gap))
		}
	}
	return gaps
}

// harmful is by how many percent points more errors than the SVM's are harm.
const harmful = 2

// Harm counts the draws on which the default is worse than its own SVM by more than
// two percent points. It also returns the number of draws with both measured.
func (c Comparison) Harm() (worse, draws int) {
	for _, r := range c.rows() {
		mine, svm := r.byMethod[Default].Errors, r.byMethod[SVM].Errors
		for k := range min(len(mine), len(svm)) {
			if draws++; mine[k] > svm[k]+harmful {
				worse++
			}
		}
	}
	return worse, draws
}

// resultOf returns the result of a method in a row, a gap where it has none.
func resultOf(r row, method string) Result {
	if result, there := r.byMethod[method]; there {
		return result
	}
	return Result{Error: math.NaN(), ErrorSE: math.NaN(), Seconds: math.NaN()}
}

func number(v float64, format string) string {
	if math.IsNaN(v) {
		return "–"
	}
	return fmt.Sprintf(format, v)
}

func spread(standardError float64) string {
	if math.IsNaN(standardError) {
		return ""
	}
	return fmt.Sprintf(" (%.1f)", standardError)
}

// WriteCSV writes a line for every result, with a header.
func (c Comparison) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	full := func(v float64) string {
		if math.IsNaN(v) {
			return ""
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	_ = out.Write([]string{"set", "per_class", "labelled", "method", "draws", "error", "error_se", "seconds", "gap"}) // errors come again at the end
	for _, r := range c.Results {
		_ = out.Write([]string{r.Set, strconv.Itoa(r.PerClass), strconv.Itoa(r.Labelled), r.Method, strconv.Itoa(len(r.Errors)),
			full(r.Error), full(r.ErrorSE), full(r.Seconds), r.Gap})
	}
	out.Flush()
	return out.Error()
}

// WriteMarkdown writes the tables of errors and of times and the gaps. The least
// error of a row stands out.
func (c Comparison) WriteMarkdown(w io.Writer) error {
	out := bufio.NewWriter(w)
	markdown := func(table [][]string) {
		for k, texts := range table {
			for _, text := range texts {
				fmt.Fprintf(out, "| %s ", strings.NewReplacer("|", `\|`, "\n", " ").Replace(text))
			}
			fmt.Fprintln(out, "|")
			if k == 0 {
				fmt.Fprintln(out, "|---|"+strings.Repeat("---:|", len(texts)-1))
			}
		}
		fmt.Fprintln(out)
	}
	markdown(c.Errors(func(text string) string { return "**" + text + "**" }))
	if seconds := c.Seconds(); len(seconds) > 1 {
		markdown(seconds)
	}
	if worse, draws := c.Harm(); draws > 0 {
		fmt.Fprintf(out, "%s\n", HarmText(worse, draws))
	}
	if gaps := c.Gaps(); len(gaps) > 0 {
		fmt.Fprint(out, "\nNot measured:\n\n")
		for _, gap := range gaps {
			fmt.Fprintf(out, "- %s\n", gap)
		}
	}
	return out.Flush()
}

// HarmText describes the counts of [Comparison.Harm].
func HarmText(worse, draws int) string {
	return fmt.Sprintf("%s is worse than its own %s by more than %d percent points on %d of %d draws.", Default, SVM, harmful, worse, draws)
}
