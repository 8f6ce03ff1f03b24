package paper

import (
	"encoding/csv"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lapsvm/internal/testing/golden"
)

// publishedPCG is the method of the paper's columns that do not name the early stop.
const publishedPCG Method = "pcg"

var publishedSets = []string{"G50C", "COIL20(B)", "PCMAC", "USPST(B)", "COIL20", "USPST", "MNIST3VS8", "FACEMIT"}

// publishedCounts is the number of numbers of each table.
var publishedCounts = map[string]int{
	"sets":                    8 * 3,
	"sizes":                   8 * 4,
	"main":                    7*3 + 1,
	"errors":                  7*5*3 + 3*3,
	"steps":                   7,
	"times":                   7*(2+3*3) + 3*3,
	"early":                   7*4*3 + 3*3,
	"parameters":              7*(2*2+3*5) + 2*2 + 5,
	"early-parameters":        7*4*2 + 3*2,
	"times-newton-parameters": 7*(2+3*3) + 3*3,
	"early-newton-parameters": 7*4*3 + 3*3,
}

func TestPublishedStructure(t *testing.T) {
	methods := []Method{"", SVM, RLSC, LapRLSC, Dual, Newton, Stability, Validation, Mixed, publishedPCG}
	counts := make(map[string]int)
	for key, p := range publishedNumbers() { // parsing refuses duplicates
		counts[key.table]++
		if !slices.Contains(publishedSets, key.set) {
			t.Errorf("%v: unknown set", key)
		}
		if !slices.Contains(methods, key.method) {
			t.Errorf("%v: unknown method", key)
		}
		if (key.method == "") != (key.table == "sets" || key.table == "sizes") {
			t.Errorf("%v: a method where none belongs, or none where one does", key)
		}
		if key.method == publishedPCG && key.table != "main" && (key.table != "errors" || key.set != "FACEMIT") {
			t.Errorf("%v: the early stop is not named", key)
		}
		bare := strings.HasSuffix(key.table, "parameters") && !strings.Contains(key.table, "newton") ||
			key.table == "sets" || key.table == "sizes"
		if math.IsNaN(p.SD) != bare {
			t.Errorf("%v: standard deviation %v", key, p.SD)
		}
		if !(p.Mean > 0) || p.SD < 0 {
			t.Errorf("%v: %v", key, p)
		}
	}
	if !maps.Equal(counts, publishedCounts) {
		t.Errorf("numbers per table: %v, want %v", counts, publishedCounts)
	}
}

func TestPublishedLookUp(t *testing.T) {
	if p, ok := published("errors", "COIL20(B)", LapRLSC, "U"); !ok || p != (Published{8.067, 2.05}) {
		t.Errorf("errors of LapRLSC on COIL20(B): %v, %v", p, ok)
	}
	if p, ok := published("parameters", "FACEMIT", Stability, "gamma-i"); !ok || p.Mean != 1e-8 || !math.IsNaN(p.SD) {
		t.Errorf("γ_I on FACEMIT: %v, %v", p, ok)
	}
	if p, ok := published("steps", "FACEMIT", Newton, "steps"); ok {
		t.Errorf("Newton's steps on FACEMIT: %v, want none", p)
	}
}

func TestPublishedMalformed(t *testing.T) {
	const header = "table,set,method,quantity,mean,sd\n"
	for text, line := range map[string]int{
		"":                                      1,
		"main,G50C,dual,seconds,0.155,0.004\n":  1,
		header + "main,G50C,dual,seconds,0.1\n": 2,
		header + "main,G50C,dual,seconds,-,\n":  2,
		header + "main,G50C,dual,seconds,1,x\n": 2,
		header + strings.Repeat("main,G50C,dual,seconds,1,\n", 2): 3,
	} {
		_, err := parsePublished(text)
		if want := fmt.Sprintf("published.csv line %d: ", line); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

// A texColumn is the quantity, and perhaps the method, of a column of numbers.
// Otherwise the row gives the method.
type texColumn struct {
	quantity string
	method   Method
}

// A texTable describes a table of the paper's source for reading.
type texTable struct {
	name, label string
	rowMethod   bool // the second column is the method
	columns     []texColumn
}

var (
	texErrors = []texColumn{{quantity: "U"}, {quantity: "V"}, {quantity: "T"}}
	texTimes  = []texColumn{{quantity: "seconds"}, {quantity: "iterations"}, {quantity: "line-search"}}
	texGammas = []texColumn{{quantity: "gamma-a"}, {quantity: "gamma-i"}}

	texTables = []texTable{
		{"sets", "tabdata", false, []texColumn{{quantity: "classes"}, {quantity: "size"}, {quantity: "attributes"}}},
		{"sizes", "tabdet", false, append([]texColumn{{quantity: "L"}}, texErrors...)},
		{"main", "tabquick", false, []texColumn{{"seconds", Dual}, {"seconds", Newton}, {"seconds", publishedPCG}}},
		{"errors", "tabres", true, texErrors},
		{"steps", "tabtnewton", false, []texColumn{{"steps", Newton}}},
		{"times", "tabtimepcg1", true, texTimes},
		{"early", "tabrespcg2", true, texErrors},
		{"parameters", "tabparam", true, append([]texColumn{{quantity: "sigma"}, {quantity: "neighbours"}, {quantity: "degree"}}, texGammas...)},
		{"early-parameters", "tab:parampcg", true, texGammas},
		{"times-newton-parameters", "tabtimepcg2a", true, texTimes},
		{"early-newton-parameters", "tabrespcg2a", true, texErrors},
	}

	texMethods = map[string]Method{
		"SVM":                    SVM,
		"RLSC":                   RLSC,
		"LapRLSC":                LapRLSC,
		"LapSVM Dual (Original)": Dual,
		"LapSVM Primal (Newton)": Newton,
		"LapSVM Primal (PCG)":    publishedPCG,
		"Dual":                   Dual,
		"Newton":                 Newton,
		"PCG [Stability Check]":  Stability,
		"PCG [Validation Check]": Validation,
		"PCG [Mixed Check]":      Mixed,
	}

	texComment = regexp.MustCompile(`(^|[^\\])%.*`)
	texBlock   = regexp.MustCompile(`(?s)\\begin\{table\}.*?\\end\{table\}`)
	texLabel   = regexp.MustCompile(`\\label\{([^}]*)\}`)
	texBody    = regexp.MustCompile(`(?s)\\begin\{tabular\}\{[^}]*\}(.*)\\end\{tabular\}`)
	texRule    = regexp.MustCompile(`\\hline(\\\\\[[^\]]*\])?`)
	texRowEnd  = regexp.MustCompile(`\\\\(\s|$)`)
	texRows    = regexp.MustCompile(`\\multirow\{\d+\}\{\*\}\{([^}]*)\}`)
	texBold    = regexp.MustCompile(`\\textbf\{([^}]*)\}`)
	texPower   = regexp.MustCompile(`^\$10\^\{(-\d+)\}\$$`)
	texNumber  = regexp.MustCompile(`^([0-9]+(?:\.[0-9]+)?|1e-[0-9]+)(?: \(([0-9]+(?:\.[0-9]+)?)\))?$`)
)

// TestPublishedAgainstSource compares every number with the paper's source, both ways.
func TestPublishedAgainstSource(t *testing.T) {
	text, err := os.ReadFile(golden.External(t, "paper.tex"))
	if err != nil {
		t.Fatal(err)
	}
	want, err := readTex(string(text))
	if err != nil {
		t.Fatal(err)
	}
	records, err := csv.NewReader(strings.NewReader(publishedCSV)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	got := make(map[publishedKey][2]string)
	for _, r := range records[1:] {
		got[publishedKey{r[0], r[1], Method(r[2]), r[3]}] = [2]string{r[4], r[5]}
	}
	for key, w := range want {
		g, ok := got[key]
		if !ok {
			t.Errorf("%v: %q is not in published.csv", key, w)
			continue
		}
		if g != w {
			t.Errorf("%v: published.csv has %q, the paper %q", key, g, w)
		}
		p, ok := published(key.table, key.set, key.method, key.quantity)
		if mean, err := strconv.ParseFloat(w[0], 64); !ok || err != nil || p.Mean != mean {
			t.Errorf("%v: mean %v, the paper has %q", key, p.Mean, w[0])
		}
		if sd, err := strconv.ParseFloat(w[1], 64); err != nil != math.IsNaN(p.SD) || err == nil && p.SD != sd {
			t.Errorf("%v: standard deviation %v, the paper has %q", key, p.SD, w[1])
		}
	}
	for key, g := range got {
		if _, ok := want[key]; !ok {
			t.Errorf("%v: %q is not in the paper", key, g)
		}
	}
}

// readTex returns the numbers of all tables as they are printed.
func readTex(text string) (map[publishedKey][2]string, error) {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = texComment.ReplaceAllString(line, "$1")
	}
	blocks := texBlock.FindAllString(strings.Join(lines, "\n"), -1)
	if len(blocks) != len(texTables) {
		return nil, fmt.Errorf("%d tables, want %d", len(blocks), len(texTables))
	}
	numbers := make(map[publishedKey][2]string)
	for _, block := range blocks {
		label, body := texLabel.FindStringSubmatch(block), texBody.FindStringSubmatch(block)
		if label == nil || body == nil {
			return nil, errors.New("a table without label or rows")
		}
		i := slices.IndexFunc(texTables, func(t texTable) bool { return t.label == label[1] })
		if i < 0 {
			return nil, fmt.Errorf("unknown table %s", label[1])
		}
		if err := texTables[i].read(body[1], numbers); err != nil {
			return nil, fmt.Errorf("table %s: %w", label[1], err)
		}
	}
	return numbers, nil
}

// read adds the numbers of one table's rows.
func (table texTable) read(body string, numbers map[publishedKey][2]string) error {
	set := ""
	for _, row := range texRowEnd.Split(texRule.ReplaceAllString(body, ""), -1) {
		cells := strings.Split(row, "&")
		for i, c := range cells {
			c = strings.ReplaceAll(c, `\ `, " ")
			c = texRows.ReplaceAllString(c, "$1")
			c = texBold.ReplaceAllString(c, "$1")
			c = strings.Join(strings.Fields(c), " ")
			cells[i] = texPower.ReplaceAllString(c, "1e$1")
		}
		if slices.Contains(publishedSets, cells[0]) {
			set = cells[0]
		} else if set == "" || len(cells) == 1 && cells[0] == "" {
			continue // the head or the end of the table
		} else if cells[0] != "" {
			return fmt.Errorf("unknown set in %q", row)
		}
		cells = cells[1:]
		method := Method("")
		if table.rowMethod && len(cells) > 0 {
			known := false
			if method, known = texMethods[cells[0]]; !known {
				return fmt.Errorf("unknown method in %q", row)
			}
			if table.name == "parameters" && method == publishedPCG {
				method = Stability
			}
			cells = cells[1:]
		}
		if len(cells) != len(table.columns) {
			return fmt.Errorf("%d numbers in %q, want %d", len(cells), row, len(table.columns))
		}
		for i, c := range table.columns {
			if cells[i] == "-" {
				continue
			}
			number := texNumber.FindStringSubmatch(cells[i])
			if number == nil {
				return fmt.Errorf("no number: %q in %q", cells[i], row)
			}
			key := publishedKey{table.name, set, c.method, c.quantity}
			if table.rowMethod {
				key.method = method
			}
			if c.quantity == "sigma" && set == "MNIST3VS8" {
				key.quantity = "kernel-degree"
			}
			if _, twice := numbers[key]; twice {
				return fmt.Errorf("%v is there twice", key)
			}
			numbers[key] = [2]string{number[1], number[2]}
		}
	}
	return nil
}
