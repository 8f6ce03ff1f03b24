package command

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lapsvm/app/command/cli"
)

// grades writes a table of three classes that lie on a line, and trains a model of it.
func grades(t *testing.T, flags ...string) (data, model string) {
	t.Helper()
	folder := t.TempDir()
	var table strings.Builder
	table.WriteString("x,y,Grade\n")
	for i := range 60 {
		class := []string{"1", "2", "3=x"}[i%3]
		if i >= 36 {
			class = ""
		}
		fmt.Fprintf(&table, "%d,%d,%s\n", 10*(i%3)+i*i%13, i*i*i%11, class)
	}
	data, model = file(t, folder, "grades.csv", table.String()), filepath.Join(folder, "m")
	succeed(t, append([]string{"train", data, "-o", model, "--label", "Grade", "--quiet", "--neighbours", "4"}, flags...)...)
	return data, model
}

// table returns the header and the rows of a result.
func table(t *testing.T, text string) (header []string, rows [][]string) {
	t.Helper()
	all, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return all[0], all[1:]
}

func numbersOf(t *testing.T, row []string) (all []float64) {
	t.Helper()
	for _, text := range row {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	return all
}

// A threshold gives its class to the rows whose probability reaches it, and the likeliest other class to the rest: of ordered classes their median, unless the model has said another class.
func TestThreshold(t *testing.T) {
	for name, flags := range map[string][]string{"classes": nil, "ordered": {"--ordered", "1,2,3=x"}} {
		data, model := grades(t, flags...)
		classes := []string{"1", "2", "3=x"}
		_, plain := table(t, succeed(t, "predict", model, data, "--proba", "--quiet"))
		for at, class := range classes {
			for _, least := range []float64{0.05, 0.9, numbersOf(t, plain[7][1:])[at]} { // the last is that of a row, which it just reaches
				_, rows := table(t, succeed(t, "predict", model, data, "--threshold", fmt.Sprintf("%s=%v", class, least), "--quiet"))
				changed := 0
				for i, row := range rows {
					p := numbersOf(t, plain[i][1:])
					want := class
					if p[at] < least {
						p[at] = 0
						want = classes[slices.Index(p, slices.Max(p))]
						if sum := p[0] + p[1] + p[2]; name == "ordered" {
							switch {
							case plain[i][0] != class:
								want = plain[i][0]
							case p[0] >= sum/2:
								want = "1"
							case p[0]+p[1] >= sum/2:
								want = "2"
							default:
								want = "3=x"
							}
						}
					}
					if row[0] != want {
						t.Errorf("%s, %s=%v: row %d is %s, not %s, with %v", name, class, least, i+1, row[0], want, plain[i])
					}
					if row[0] != plain[i][0] {
						changed++
					}
				}
				if least == 0.05 && changed == 0 {
					t.Errorf("%s: %s=%v changes nothing", name, class, least)
				}
			}
		}
	}
}

// The likeliest classes of a row are those of the largest probabilities, or, without these, of the largest decision values.
func TestTop(t *testing.T) {
	for of, flags := range map[string][]string{"proba": nil, "score": {"--proba", "off"}} {
		data, model := grades(t, flags...)
		args := []string{"predict", model, data, "--quiet"}
		_, plain := table(t, succeed(t, append(args, map[string]string{"proba": "--proba", "score": "--scores"}[of])...))
		header, rows := table(t, succeed(t, append(args, "--top", "2")...))
		if want := strings.ReplaceAll("label,top_1,top_1_OF,top_2,top_2_OF", "OF", of); strings.Join(header, ",") != want {
			t.Fatalf("header %v, want %s", header, want)
		}
		var said struct{ Top [][]map[string]any }
		if err := json.Unmarshal([]byte(succeed(t, append(args, "--top", "9", "--json")...)), &said); err != nil {
			t.Fatal(err)
		}
		for i, row := range rows {
			values := numbersOf(t, plain[i][1:])
			order := []int{0, 1, 2}
			slices.SortStableFunc(order, func(a, b int) int { return map[bool]int{true: -1, false: 1}[values[a] > values[b]] })
			for k, class := range order {
				name, value := []string{"1", "2", "3=x"}[class], plain[i][1+class]
				if k < 2 && (row[1+2*k] != name || row[2+2*k] != value) {
					t.Errorf("row %d: %v, of %v", i+1, row, plain[i])
				}
				if got := said.Top[i][k]; got["class"] != name || got[of] != values[class] || len(got) != 2 {
					t.Errorf("row %d: %v, of %v", i+1, said.Top[i], plain[i])
				}
			}
		}
	}
}

// The column of answers is called label unless a name is given, and a line tells of the name that it had.
func TestAnswerColumn(t *testing.T) {
	data, model := grades(t)
	_, stdout, stderr := lapsvmRun(t, t.Context(), "", "predict", model, data)
	if !strings.HasPrefix(stdout, "label\n") || !strings.Contains(stderr, "the answers are in the column label; --answer-column Grade calls it as the training data did\n") {
		t.Errorf("%.20s %s", stdout, stderr)
	}
	_, stdout, stderr = lapsvmRun(t, t.Context(), "", "predict", model, data, "--answer-column", "Grade")
	if !strings.HasPrefix(stdout, "Grade\n") || strings.Contains(stderr, "--answer-column") {
		t.Errorf("%.20s %s", stdout, stderr)
	}
	if _, _, stderr := lapsvmRun(t, t.Context(), "", "predict", model, data, "--answer-column", "Grade", "--keep"); !strings.Contains(stderr, "the rows have a column Grade, which is repeated: the answers are in predicted_Grade\n") {
		t.Errorf("of another column of that name nothing is told: %q", stderr)
	}
	if header, _ := table(t, succeed(t, "predict", model, data, "--answer-column", "Grade", "--keep", "--scores")); fmt.Sprint(header) != "[x y Grade predicted_Grade score_1 score_2 score_3=x]" {
		t.Errorf("header %v", header)
	}
	for said, args := range map[string][]string{
		`the result has another column called score_2: choose`: {"--answer-column", "score_2", "--scores"},
		`another column called top_1_proba`:                    {"--answer-column", "top_1_proba", "--top", "1"},
		"and this result has none: leave it out":               {"--answer-column", "a", "--json"},
		"a table, and this result has none":                    {"--answer-column", "a", "-o", filepath.Join(t.TempDir(), "labels.npy")},
		"npy holds one column, and these results have more":    {"--top", "1", "-o", filepath.Join(t.TempDir(), "labels.npy")},
		`the model has no class "3=y", did you mean 3=x: give`: {"--threshold", "3=y=0.2"},
		`"1" is no limit: give CLASS=P, such as 3=x=0.3`:       {"--threshold", "1"},
		`"1.5" is no probability: give a number above 0`:       {"--threshold", "1=1.5"},
		"a row has one class":                                  {"--threshold", "1=0.5", "--threshold", "2=0.5"},
		"leave one of them out":                                {"--threshold", "1=0.5", "--explain", "2"},
		"--top takes a number of classes, not -1":              {"--top", "-1"},
	} {
		if code, stdout, stderr := lapsvmRun(t, t.Context(), "", append([]string{"predict", model, data}, args...)...); code != cli.ExitUsage || strings.HasPrefix(stdout, "label") || !strings.Contains(stderr, said) {
			t.Errorf("%v: %d %s%s", args, code, stdout, stderr)
		}
	}
}

// Of several classes at once each has a threshold of its own. Numbers and a class alone have none.
func TestThresholdsOfOtherLabels(t *testing.T) {
	folder := t.TempDir()
	var posts, values, one strings.Builder
	posts.WriteString("x,y,label\n")
	values.WriteString("x,y,size\n")
	one.WriteString("x,y,label\n")
	for i := range 48 {
		labels := [][]string{{"a"}, {"b"}, {"a|b"}, {"none of these"}}[i%4][0]
		if labels == "none of these" {
			labels = "a|c"
		}
		fmt.Fprintf(&posts, "%d,%d,%s\n", 8*(i%4)+i*i%7, i*i*i%9, labels)
		fmt.Fprintf(&values, "%d,%d,%g\n", i%9, i%7, float64(i%9)*1.5)
		fmt.Fprintf(&one, "%d,%d,in\n", i%3, i%5)
	}
	model := filepath.Join(folder, "m")
	data := file(t, folder, "posts.csv", posts.String())
	succeed(t, "train", data, "-o", model, "--multi-label", "|", "--quiet")
	_, plain := table(t, succeed(t, "predict", model, data, "--proba", "--quiet"))
	_, rows := table(t, succeed(t, "predict", model, data, "--threshold", "a=0.9", "--threshold", "b=0.2", "--quiet"))
	for i, row := range rows {
		var want []string
		p := numbersOf(t, plain[i][1:])
		for k, has := range []bool{p[0] >= 0.9, p[1] >= 0.2, slices.Contains(strings.Split(plain[i][0], "|"), "c")} {
			if has {
				want = append(want, []string{"a", "b", "c"}[k])
			}
		}
		if row[0] != strings.Join(want, "|") {
			t.Errorf("row %d: %s, not %v, with %v", i+1, row[0], want, plain[i])
		}
	}
	data = file(t, folder, "values.csv", values.String())
	succeed(t, "train", data, "-o", model, "--regression", "--quiet")
	if header, _ := table(t, succeed(t, "predict", model, data, "--answer-column", "size", "--quiet")); fmt.Sprint(header) != "[size]" {
		t.Errorf("header %v", header)
	}
	for _, flags := range [][]string{{"--top", "2"}, {"--threshold", "1=0.2"}} {
		if code, _, stderr := lapsvmRun(t, t.Context(), "", append([]string{"predict", model, data}, flags...)...); code != cli.ExitUsage || !strings.Contains(stderr, "are for classes: leave them out") {
			t.Errorf("%v: %d %s", flags, code, stderr)
		}
	}
	data = file(t, folder, "one.csv", one.String())
	succeed(t, "train", data, "-o", model, "--one-class", "--quiet", "--sigma", "1", "--gamma-a", "0.1")
	if code, _, stderr := lapsvmRun(t, t.Context(), "", "predict", model, data, "--top", "2"); code != cli.ExitUsage || !strings.Contains(stderr, "one-class model") {
		t.Errorf("%d %s", code, stderr)
	}
}
