package files

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"lapsvm/dataset"
)

// Columns that cannot be used are left out of a table with others. One message has them all, each with what to do. It is an error where no
// other column is left.
func TestAllDoubtfulColumns(t *testing.T) {
	table := rowsOf("Name,Ticket,Born,Age,n,label", 30, func(i int) string {
		age := fmt.Sprint(i)
		if i == 7 {
			age = "old"
		}
		return fmt.Sprintf("N %d,T %d,0%d/0%d/1999,%s,%d,%d", i, i, 1+i%9, 1+i%7, age, i%3, i%2)
	})
	d := mustRead(t, "f.csv", table, Options{})
	if !slices.Equal(d.Features, []string{"n"}) || len(d.Notes) != 1 || !d.Notes[0].Doubtful {
		t.Fatalf("%q %v", d.Features, d.Notes)
	}
	if got := d.Encoding.Columns[0].String(); got != "left out: too many different values for a category" {
		t.Error(got)
	}
	_, err := Read(strings.NewReader(table), "f.csv", Options{Ignore: []string{"n"}})
	if err == nil {
		t.Fatal("no error")
	}
	for text, all := range map[string][]string{
		d.Notes[0].Error(): {"4 columns cannot be used as they are, and are left out:", "\n  f.csv:2:1: \"Name\": 30 different values", "\n  f.csv:2:3: \"Born\": \"01/01/1999\" may be day/month/year or month/day/year", "\n  f.csv:9:4: \"Age\": \"old\" is not a number"},
		err.Error():        {`4 columns cannot be taken as they are; Options{Ignore: []string{"Name", "Ticket", "Born", "Age"}} leaves them all out`, "\n  \"Name\": 30 different values", "\n  \"Born\": \"01/01/1999\" may be day/month/year or month/day/year", "\n  \"Age\": \"old\" is not a number"},
	} {
		for _, want := range all {
			if !strings.Contains(text, want) {
				t.Errorf("%s\nhas no %s", text, want)
			}
		}
	}
	later := mustRead(t, "g.csv", "n,Age\n1,older\n", Options{Encoding: d.Encoding})
	if !reflect.DeepEqual(values(later.Points), [][]float64{{1}}) {
		t.Error(values(later.Points))
	}
}

// A word in the first line of a table without a header may be that of a header, so that nothing is left out.
func TestDoubtsOfTheFirstLine(t *testing.T) {
	_, err := Read(strings.NewReader("size,2020,kind\n1,2,a\n3,4,b\n5,6,a\n"), "f.csv", Options{Label: "3"})
	checkError(t, err, `f.csv:1:1: "size" is not a number; correct or remove it; if the column holds the labels, give Options{Label: "1"}; if the column is a category, give Options{Category: []string{"1"}}; if the first line is a header, give Options{Header: "yes"}`)
}

// Several columns without a name are left out, and those without a value in silence, as spreadsheets write them.
func TestColumnsWithoutNames(t *testing.T) {
	d := mustRead(t, "f.csv", "n,label,,\n1,a,,\n2,b,,\n3,a,,\n", Options{})
	if !slices.Equal(d.Features, []string{"n"}) || len(d.Notes) != 0 {
		t.Errorf("%q %v", d.Features, d.Notes)
	}
	d = mustRead(t, "f.csv", "n,label,,\n1,a,7,x\n2,b,8,\n3,a,9,y\n", Options{})
	if !slices.Equal(d.Features, []string{"n"}) || len(d.Notes) != 1 || !strings.Contains(d.Notes[0].Error(), "the columns 3, 4 have no name") {
		t.Errorf("%q %v", d.Features, d.Notes)
	}
}

// Days and months are told apart by the column as a whole, and later tables go by it.
func TestDatesOfOtherOrders(t *testing.T) {
	for text, want := range map[string]dataset.DateOrder{"01/02/2024 31/12/2024": dataset.DayFirst, "1/2/2024 12/31/2024": dataset.MonthFirst,
		"01.02.2024 02.03.2024": dataset.DayFirst, "2024/01/02 2024/05/06": dataset.YearFirst, "2024-01-02 2024-02-03": ""} {
		dates := strings.Fields(text)
		d := mustRead(t, "f.csv", "born,n,label\n"+dates[0]+",1,a\n"+dates[1]+",2,b\nN/A,3,\n", Options{})
		c := d.Encoding.Columns[0]
		if c.Kind != dataset.Date || c.Order != want || c.Missing != 1 {
			t.Errorf("%s: %+v", text, c)
			continue
		}
		later := mustRead(t, "f.csv", "born,n\n"+dates[0]+",1\nN/A,1\n", Options{Encoding: d.Encoding})
		if later.Points.DenseRow(0)[0] != d.Points.DenseRow(0)[0] || later.Points.DenseRow(1)[0] != c.Fill {
			t.Errorf("%s: %v", text, values(later.Points))
		}
	}
	for text, want := range map[string]string{"01/02/2024 03/04/2024": "may be day/month/year or month/day/year", "31/12/2024 12/31/2024": "mixes orders"} {
		dates := strings.Fields(text)
		_, err := Read(strings.NewReader("born,n,label\n"+strings.Repeat(dates[0]+",1,a\n"+dates[1]+",2,b\n", 20)), "f.csv", Options{Ignore: []string{"n"}})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), `column "born"`) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// N/A, null and None are missing whatever the column is. The English word none is a value among
// words, and missing among numbers.
func TestWordsForNothingAmongNumbers(t *testing.T) {
	d := mustRead(t, "f.csv", "n,yes,c,label\n1,yes,none,a\nnull,None,u,b\n3,no,none,\nnone,yes,u,\n", Options{})
	n, yes, c := d.Encoding.Columns[0], d.Encoding.Columns[1], d.Encoding.Columns[2]
	if n.Kind != dataset.Number || n.Missing != 2 || n.Fill != 2 || yes.Kind != dataset.Boolean || yes.Missing != 1 || len(c.Values) != 2 || c.Missing != 0 {
		t.Errorf("%+v", d.Encoding.Columns)
	}
}

func TestCodesAndRowNumbers(t *testing.T) {
	for _, c := range []struct {
		header string
		row    func(i int) string
		want   string // "" for no note
	}{
		{"zip,label", func(i int) string { return fmt.Sprintf("%05d,%d", 900+977*i, i%2) }, `!the numbers of the column "zip" look like codes: `},
		{"zip,label", func(i int) string { return fmt.Sprintf("%d,%d", 10000+2000*i, i%2) }, `!the numbers of the column "zip" look like codes: all have 5 digits; give Options{Category: []string{"zip"}}`},
		{"mass,label", func(i int) string { return fmt.Sprintf("%d,%d", 2700+90*i, i%2) }, ""},
		{"year,label", func(i int) string { return fmt.Sprintf("%d,%d", 1980+i, i%2) }, ""},
		{"PassengerId,x,label", func(i int) string { return fmt.Sprintf("%d,%d,%d", i+1, i%3, i%2) }, `the column "PassengerId" names the rows, and is left out; if it is a feature, name all features with Options.Columns`},
		{"paper,x,label", func(i int) string { return fmt.Sprintf("%d,%d,%d", 35+(i*7919)%10007, i%2, i%2) }, `!the column "paper" has another whole number in each row, far larger than those of other columns, and is taken for a feature; give Options{ID: []string{"paper"}} if it names the rows`},
		{"paper,x,label", func(i int) string { return fmt.Sprintf("%d,%d,%d", 100_000+(i*7919*89)%900_000, i%2, i%2) }, `!the column "paper" has another whole number in each row`}, // and all of six digits
		{"paper,x,label", func(i int) string { return fmt.Sprintf("%d,%d,%d", 35+(i*7919)%10007, 500*(i%2), i%2) }, ""},
		{"paper,x,label", func(i int) string { return fmt.Sprintf("%d,%d,%d", 35+(i*7919)%10007/(1+i/38*5000), i%2, i%2) }, ""},
		{"time,label", func(i int) string { return fmt.Sprintf("%d,%d", i+1, i%2) }, ""},
	} {
		_, all := notes(t, rowsOf(c.header, 40, c.row), Options{})
		if !strings.HasPrefix(all, c.want) || (all != "") != (c.want != "") {
			t.Errorf("%s: %q, want %q", c.header, all, c.want)
		}
	}
}
