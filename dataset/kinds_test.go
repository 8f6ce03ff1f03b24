package dataset

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"lapsvm/internal/ranks/comm"
)

// readTogether returns the data set of a table, of which each rank reads a part.
func readTogether(ctx context.Context, c *comm.Comm, header []string, rows [][]string) (*Dataset, error) {
	l, err := NewLayout(&Origin{File: "f", Ranks: NewRanks(ctx, c)}, header, len(rows[0]), 0, TableOptions{})
	if err != nil {
		return nil, err
	}
	table, err := NewTable(l)
	if err != nil {
		return nil, err
	}
	from, to := Part{c.Rank(), c.Size()}.Range(len(rows)).Between(len(rows))
	for i := from; i < to; i++ {
		var fields [][]byte
		for _, text := range rows[i] {
			fields = append(fields, []byte(text))
		}
		if err := table.Add(fields, i+1); err != nil {
			return nil, err
		}
	}
	return table.Finish()
}

// onOneToThree calls do on one, two and three ranks.
func onOneToThree(t *testing.T, name string, do func(ctx context.Context, c *comm.Comm) error) {
	t.Helper()
	for size := 1; size <= 3; size++ {
		if err := comm.Goroutines(t.Context(), size, do); err != nil {
			t.Errorf("%s, %d ranks: %v", name, size, err)
		}
	}
}

// A column c of words, beside a column of numbers: what it becomes, by the rows of all ranks.
func TestColumnsOfWords(t *testing.T) {
	day := func(text string) float64 {
		v, ok := date(text)
		if !ok {
			t.Fatal(text)
		}
		return v
	}
	for name, c := range map[string]struct {
		values   []string
		features []string  // of c
		first    []float64 // of the first row
		left     string    // in the note of the column that is left out
	}{
		"one value and gaps":      {[]string{"x", "", "x", "x", "", "x"}, []string{"c=x"}, []float64{1}, ""},
		"a value at the end":      {[]string{"x", "y", "x", "y", "x", "z"}, []string{"c=x", "c=y", "c=z"}, []float64{1, 0, 0}, ""},
		"none and gaps":           {[]string{"none", "", "none", "none", "", "none"}, []string{"c=none"}, []float64{1}, ""},
		"one value":               {[]string{"x", "x", "x", "x", "x", "x"}, nil, nil, ""},
		"as many yes as no":       {[]string{"", "yes", "no", "yes", "no", ""}, []string{"c"}, []float64{0}, ""},
		"more yes than no":        {[]string{"", "yes", "no", "yes", "yes", ""}, []string{"c"}, []float64{1}, ""},
		"fewer yes than no":       {[]string{"", "yes", "no", "no", "yes", "no"}, []string{"c"}, []float64{0}, ""},
		"days, points between":    {[]string{"1.2.2024", "3.2.2024", "1.2.2024", "5.6.2024", "7.8.2024", "9.9.2024"}, []string{"c"}, []float64{day("2024-02-01")}, ""},
		"days or months":          {[]string{"1/2/2024", "3/2/2024", "1/2/2024", "5/6/2024", "7/8/2024", "9/9/2024"}, nil, nil, "may be day/month/year or month/day/year"},
		"days, as the last tells": {[]string{"1/2/2024", "3/2/2024", "1/2/2024", "5/6/2024", "7/8/2024", "19/9/2024"}, []string{"c"}, []float64{day("2024-02-01")}, ""},
		"names":                   {[]string{"ann", "bea", "cid", "dan", "eva", "fay", "gus", "hal", "ida", "jim", "kim", "lea"}, nil, nil, ""},
		"names, but for one":      {[]string{"ann", "bea", "cid", "dan", "eva", "fay", "gus", "hal", "ida", "jim", "kim", "lea lu"}, nil, nil, "too many for a category"},
		"money":                   {[]string{"$1,200.50", "7", "-$3", "", "($4.00)", "$5"}, []string{"c"}, []float64{1200.5}, ""},
		"money of Germany":        {[]string{"1.200,50 €", "7", "3 €", "", "4,1 €", "5 €"}, []string{"c"}, []float64{1200.5}, ""},
		"money and free":          {[]string{"$1,200.50", "$7", "$3", "$8", "free", "$5"}, nil, nil, "too many for a category"},
		"money of two countries":  {[]string{"$1", "€7", "$3", "€8", "€9", "$5"}, nil, nil, "too many for a category"},
		"percent":                 {[]string{"12%", "7 %", "none", "-3.5%", "4%", "5%"}, []string{"c"}, []float64{12}, ""},
		"percent and 0.07":        {[]string{"12%", "0.07", "3%", "3.5%", "4%", "5%"}, nil, nil, "too many for a category"},
		"thousands":               {[]string{"1,234", "7", "2,345", "", "4,321", "5"}, []string{"c"}, []float64{1234}, `"1,234" read as 1234`},
		"thousands, beside 7.5":   {[]string{"1,234", "7.5", "2,345", "", "4,321", "5"}, []string{"c"}, []float64{1234}, `"1,234" read as 1234`},
		"millions":                {[]string{"1,234,567", "7", "2,345", "", "4,321", "5"}, []string{"c"}, []float64{1234567}, ""},
		"millions of Germany":     {[]string{"1.234.567", "7", "2.345.678", "", "4.321.000", "5"}, []string{"c"}, []float64{1234567}, ""},
		"money by thousands":      {[]string{"1.234 €", "7 €", "2.345 €", "", "4.321 €", "5 €"}, []string{"c"}, []float64{1234}, `"1.234 €" read as 1234`},
		"money of Tunisia":        {[]string{"1.234 €", "7.5 €", "2.345 €", "", "4.321 €", "5 €"}, []string{"c"}, []float64{1.234}, ""},
		"thousandths of percents": {[]string{"1.234%", "7%", "2.345%", "", "4.321%", "5%"}, []string{"c"}, []float64{1.234}, `"1.234%" read as 1.234`},
		"times of day":            {[]string{"06:00", "7:30", "23:59:59.5", "", "18:00", "24:00"}, []string{"cos(c)", "sin(c)"}, []float64{0, 1}, ""},
		"times of half days":      {[]string{"6 PM", "7:30 am", "11:59 p.m.", "", "12:00 am", "12:30PM"}, []string{"cos(c)", "sin(c)"}, []float64{0, -1}, ""},
		"times and 25 hours":      {[]string{"06:00", "7:30", "25:00", "08:00", "18:00", "24:00"}, nil, nil, "not all values are times of day"},
		"marks in a list":         {[]string{"(1)", "(2)", "(1)", "(2)", "(1)", "(2)"}, []string{"c=(1)", "c=(2)"}, []float64{1, 0}, ""},
		"addresses":               {[]string{"192.168.1.1", "192.168.1.2", "192.168.1.3", "192.168.1.4", "192.168.1.5", "192.168.1.6"}, nil, nil, "too many for a category"},
		"results of games":        {[]string{"2:1", "3:0", "2:1", "3:0", "2:1", "3:0"}, []string{"c=2:1", "c=3:0"}, []float64{1, 0}, ""},
		"months, as one tells":    {[]string{"1/2/2024", "3/2/2024", "1/22/2024", "5/6/2024", "7/8/2024", "9/9/2024"}, []string{"c"}, []float64{day("2024-01-02")}, ""},
	} {
		var rows [][]string
		for i, v := range c.values {
			rows = append(rows, []string{v, fmt.Sprint(i%2 + i), "ab"[i%2 : i%2+1]})
		}
		onOneToThree(t, name, func(ctx context.Context, ranks *comm.Comm) error {
			d, err := readTogether(ctx, ranks, []string{"c", "n", "label"}, rows)
			if err != nil {
				return err
			}
			if told := slices.ContainsFunc(d.Notes, func(n Note) bool {
				return n.Doubtful && strings.Contains(n.Error(), c.left)
			}); told != (c.left != "") {
				return fmt.Errorf("notes %v, want %q", d.Notes, c.left)
			}
			if want := append(slices.Clone(c.features), "n"); !slices.Equal(d.Features, want) {
				return fmt.Errorf("the features are %q, want %q", d.Features, want)
			}
			if got := d.Points.DenseRow(0)[:len(c.features)]; ranks.Rank() == 0 && !slices.Equal(got, c.first) {
				return fmt.Errorf("the first row has %v, want %v", got, c.first)
			}
			from, to := Part{ranks.Rank(), ranks.Size()}.Range(len(rows)).Between(len(rows))
			if got := d.Rows(); len(got) != to-from || got[0] != from || got[to-from-1] != to-1 {
				return fmt.Errorf("the rows are %v, want %d to %d", got, from, to-1)
			}
			return nil
		})
	}
}

// A column that counts up through the rows of all ranks numbers them. One that leaves out a number
// does not, wherever the gap is.
func TestNumbersOfRows(t *testing.T) {
	const n = 12
	for gap := range n + 1 {
		var rows [][]string
		for i := range n {
			number := i
			if i >= gap {
				number++
			}
			rows = append(rows, []string{fmt.Sprint(number), fmt.Sprint(i * i % 7), "ab"[i%2 : i%2+1]})
		}
		onOneToThree(t, fmt.Sprint("gap at ", gap), func(ctx context.Context, ranks *comm.Comm) error {
			d, err := readTogether(ctx, ranks, nil, rows)
			if err != nil {
				return err
			}
			told := slices.ContainsFunc(d.Notes, func(n Note) bool { return strings.Contains(n.Error(), "numbers the rows") })
			if want := gap == 0 || gap == n; told != want {
				return fmt.Errorf("told %v, want %v: %v", told, want, d.Notes)
			}
			return nil
		})
	}
}
