package dataset

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// tableOf reads a table of text, with a header, as a file of lines.
func tableOf(t *testing.T, o TableOptions, decimal byte, lines ...string) (*Dataset, error) {
	t.Helper()
	header := strings.Split(lines[0], "|")
	l, err := NewLayout(&Origin{File: "f", Decimal: decimal}, header, len(header), 1, o)
	if err != nil {
		return nil, err
	}
	table, err := NewTable(l)
	if err != nil {
		return nil, err
	}
	for i, line := range lines[1:] {
		var fields [][]byte
		for field := range strings.SplitSeq(line, "|") {
			fields = append(fields, []byte(field))
		}
		if err := table.Add(fields, i+2); err != nil {
			return nil, err
		}
	}
	return table.Finish()
}

// What a later table has is read as the training's had it, or refused.
func TestLaterAmounts(t *testing.T) {
	training := []string{"dollars|euros|share|at|n|label", "$1,200.50|1.200,50 €|12%|06:00|1|a", "$7|2 €|3%|18:00|2|b", "$8|3 €|4%|12:00|3|a"}
	trained, err := tableOf(t, TableOptions{}, 0, training...)
	if err != nil {
		t.Fatal(err)
	}
	e := trained.Encoding
	if err := e.Validate(); err != nil || e.Version() != 7 {
		t.Errorf("%v, version %d", err, e.Version())
	}
	if e.Columns[0].String() != "number in $, 7 to 1200.5" || e.Columns[1].String() != "number in € with decimals behind commas, 2 to 1200.5" || e.Columns[3].Kind != TimeOfDay || e.Columns[3].Fill != 43200 {
		t.Errorf("%v, %v, %+v", &e.Columns[0], &e.Columns[1], e.Columns[3])
	}
	if groups := e.Together(); len(groups) != 1 || !slices.Equal(groups[0].Columns, []int{3, 4}) {
		t.Errorf("together %v", groups)
	}
	for k := range e.Columns[:4] {
		c := &e.Columns[k]
		if _, ok := c.Kind.rules().value(c, cell{number: math.NaN(), text: c.Typical()}); !ok {
			t.Errorf("%q: %q is not typical", c.Name, c.Typical())
		}
	}
	for _, c := range []struct {
		row   string
		want  []float64 // nil where it is refused
		error string
	}{
		{"$1,200.50|1.200,50 €|12%|06:00|1|", []float64{1200.5, 1200.5, 12, 0, 1, 1}, ""},
		{"1200.5|1200|1%|6 pm|1|", []float64{1200.5, 1200, 1, 0, -1, 1}, ""},
		{"|N/A|none||1|", []float64{8, 3, 4, -1, 0, 1}, ""},
		{"USD 5||||1|", nil, `"USD 5" is no number in $`},
		{"€5||||1|", nil, `"€5" is no number in $`},
		{"|1.200|||1|", nil, `"1.200" is no number in € with decimals behind commas`}, // 1.2 or 1200
		{"|1200.5|||1|", []float64{8, 1200.5, 4, -1, 0, 1}, ""},
		{"|1,200.5 €|||1|", nil, "is no number in €"},
		{"||0.12||1|", nil, `"0.12" is no number in %`},
		{"|||0.25|1|", nil, `"0.25" is no time of day`},
		{"|||25:00|1|", nil, `"25:00" is no time of day`},
	} {
		d, err := tableOf(t, TableOptions{Encoding: e}, 0, training[0], c.row)
		switch {
		case c.want == nil:
			if err == nil || !strings.Contains(err.Error(), c.error) {
				t.Errorf("%s: %v, want %s", c.row, err, c.error)
			}
		case err != nil || fmt.Sprint(d.Points.DenseRow(0)) != fmt.Sprint(c.want):
			t.Errorf("%s: %v, %v, want %v", c.row, d, err, c.want)
		}
	}
	// Where decimals stand behind commas in the whole file, nothing is to be guessed.
	d, err := tableOf(t, TableOptions{}, ',', "x|n|label", "1.234 €|1,5|a", "7 €|2|b", "2.345 €|3|a")
	if err != nil || d.Points.DenseRow(0)[0] != 1234 || d.Notes != nil {
		t.Errorf("%v, %v", d, err)
	}
	// Other columns tell that marks are decimal commas, which an option reads.
	if _, err = tableOf(t, TableOptions{}, 0, "x|n|label", "1,234|1,5|a", "7,125|2|b", "2,345|3|a"); err == nil || !strings.Contains(err.Error(), "has a decimal comma") {
		t.Errorf("%v", err)
	}
}
