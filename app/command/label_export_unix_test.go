//go:build unix

package command

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// get asks for an address, and returns the answer with its status.
func (l *labeller) get(t *testing.T, path string) (text string, code int) {
	t.Helper()
	a, err := l.browser.Get(l.url + path)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	all, err := io.ReadAll(a.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(all), a.StatusCode
}

// Exports of the page of a folder of images work with the other commands: labels come in
// by --import, the model predicts, and the report is a page that stands alone.
func TestLabelExports(t *testing.T) {
	classed, _ := photos(t)
	folder := filepath.Join(t.TempDir(), "shots")
	if err := os.Mkdir(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"blue/0.png", "blue/1.png", "blue/2.png", "blue/3.png", "red/0.png", "red/1.png", "red/2.png", "red/3.png"} {
		if err := os.Rename(filepath.Join(classed, name), filepath.Join(folder, strings.ReplaceAll(name, "/", ""))); err != nil {
			t.Fatal(err)
		}
	}
	flags := []string{folder, "--image-size", "5x3", "--image-colour", "--neighbours", "2"}
	l := labellingPage(t, append(flags, "--classes", "blue,red", "--store", filepath.Join(t.TempDir(), "a.db"))...)
	defer l.kill()
	for _, name := range []string{"model.lapsvm", "report.html"} {
		if text, code := l.get(t, "/api/export/"+name); code != http.StatusConflict || !strings.Contains(text, "label rows of two classes first") {
			t.Errorf("%s without a label: %d %.200s", name, code, text)
		}
	}
	if text, code, _ := l.post("/api/events", `{"person":"anna","events":[{"key":"a","kind":"label","row":1,"class":0},{"key":"b","kind":"label","row":2,"class":0},
		{"key":"c","kind":"label","row":5,"class":1},{"key":"d","kind":"label","row":6,"class":1}]}`); code != http.StatusOK {
		t.Fatal(text)
	}
	labels, _ := l.get(t, "/api/export/labels.csv")
	if want := "file,label\nblue0.png,blue\nblue1.png,blue\nred0.png,red\nred1.png,red\n"; labels != want {
		t.Errorf("%q in place of %q", labels, want)
	}
	report, code := l.get(t, "/api/export/report.html")
	if lower := strings.ToLower(report); code != http.StatusOK || !strings.HasPrefix(lower, "<!doctype html>") || !strings.Contains(lower, "shots") || strings.Contains(lower, "src=\"http") {
		t.Errorf("the report: %d %.300s", code, report)
	}
	text, code := l.get(t, "/api/export/model.lapsvm")
	if code != http.StatusOK {
		t.Fatalf("%d %.200s", code, text)
	}
	model := file(t, folder+"/..", "made.lapsvm", text)
	predicted := succeed(t, "predict", model, folder)
	for _, want := range []string{"blue3.png,blue", "red3.png,red"} {
		if !strings.Contains(predicted, want) {
			t.Errorf("no %q in the predictions of the model:\n%s", want, predicted)
		}
	}
	again := labellingPage(t, append(flags, "--import", file(t, folder+"/..", "labels.csv", labels), "--store", filepath.Join(t.TempDir(), "b.db"))...)
	defer again.kill()
	var state struct{ Counts struct{ Labelled int } }
	answer, _ := again.get(t, "/api/state")
	if err := json.Unmarshal([]byte(answer), &state); err != nil || state.Counts.Labelled != 4 {
		t.Errorf("%d labels came in, not 4: %v", state.Counts.Labelled, err)
	}
}

// Labels of --import find rows by the column that names them, whether --id says which it is or nobody.
func TestLabelImportByNames(t *testing.T) {
	points := "id,x,label\n"
	for i := range 12 {
		points += fmt.Sprintf("p%d,%d.5,\n", i, i*i)
	}
	for _, flags := range [][]string{nil, {"--id", "id"}} {
		folder := t.TempDir()
		data, labels, store := file(t, folder, "points.csv", points), file(t, folder, "labels.csv", "id,class\np3,low\np7,high\n"), filepath.Join(folder, "s.db")
		l := labellingPage(t, append(flags, data, "--import", labels, "--store", store)...)
		l.kill()
		if got := succeed(t, "convert", data, "-", "--to", "csv", "--id", "id", "--labels", store); !strings.Contains(got, "\n9.5,low\n") || !strings.Contains(got, "\n49.5,high\n") {
			t.Errorf("%v: %q", flags, got)
		}
	}
}

// Labels that people give on the page train the same model three ways: from the store, while the page is open, from the page's
// labels.csv as a file of labels, and as data. The model that the page gives is the one that train makes of them. What was undone is no label. So it is of classes and of numbers.
func TestLabelsOfPage(t *testing.T) {
	for _, c := range []struct {
		name  string
		flags []string
		say   func(x int) string // the label of a row
		first string             // events before the labels
	}{
		{"classes", nil, func(x int) string { return []string{"low", "high"}[x/30] }, `{"key":"low","kind":"class-add","name":"low"},{"key":"high","kind":"class-add","name":"high"},`},
		{"numbers", []string{"--regression"}, func(x int) string { return fmt.Sprint(float64(x*x) / 8) }, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := t.TempDir()
			in := func(name string) string { return filepath.Join(folder, name) }
			text := "x,y,label\n"
			for x := range 60 {
				text += fmt.Sprintf("%d,%d,\n", x, x%7)
			}
			data := file(t, folder, "points.csv", text)
			l := labellingPage(t, append([]string{data, "--label", "label", "--quiet"}, c.flags...)...)
			defer l.kill()
			for k := range 14 {
				x := 4 * k
				events := c.first
				c.first = ""
				if text, code, _ := l.post("/api/events", fmt.Sprintf(`{"person":"anna","events":[%s{"key":"k%d","kind":"label","row":%d,"name":%q}]}`, events, k, x+1, c.say(x))); code != http.StatusOK {
					t.Fatal(text)
				}
			}
			if text, code, _ := l.post("/api/undo", `{"person":"anna","key":"u"}`); code != http.StatusOK {
				t.Fatal(text)
			}
			if text, code, _ := l.post("/api/events", fmt.Sprintf(`{"person":"ben","events":[{"key":"b","kind":"label","row":58,"name":%q}]}`, c.say(57))); code != http.StatusOK {
				t.Fatal(text)
			}
			exported, code := l.get(t, "/api/export/labels.csv")
			if code != http.StatusOK {
				t.Fatal(exported)
			}
			want := "x,y,label\n"
			rows := "row,label\n"
			for x := range 60 {
				label := ""
				if x%4 == 0 && x < 52 || x == 57 {
					label = c.say(x)
					rows += fmt.Sprintf("%d,%s\n", x+1, label)
				}
				want += fmt.Sprintf("%d,%d,%s\n", x, x%7, label)
			}
			if exported != want {
				t.Errorf("labels.csv is %q, not %q", exported, want)
			}
			predict := func(name string, train ...string) string {
				t.Helper()
				by := append([]string{"--sigma", "8", "--neighbours", "4", "--laplacian-degree", "1", "--gamma-a", "0.01", "--gamma-i", "0.01", "--standardise", "none", "--quiet", "-o", in(name)}, c.flags...)
				succeed(t, append(append([]string{"train"}, train...), by...)...)
				if c.flags != nil {
					return succeed(t, "predict", in(name), data, "--interval", "0.9", "--quiet")
				}
				return succeed(t, "predict", in(name), data, "--scores", "--quiet")
			}
			labelled := predict("a.lapsvm", file(t, folder, "labels.csv", exported))
			if got := predict("b.lapsvm", data, "--labels", data+".labels.db"); got != labelled {
				t.Error("the store trains another model than the labels that the page exports")
			}
			if got := predict("c.lapsvm", data, "--labels", file(t, folder, "rows.csv", rows)); got != labelled {
				t.Error("a file of labels trains another model than the same labels in the data")
			}
			model, code := l.get(t, "/api/export/model.lapsvm")
			if code != http.StatusOK {
				t.Fatalf("%.300s", model)
			}
			succeed(t, append([]string{"train", in("labels.csv"), "--quiet", "-o", in("free.lapsvm")}, c.flags...)...)
			predicted := []string{"predict", in("free.lapsvm"), data, "--quiet"}
			if c.flags == nil {
				predicted = append(predicted, "--scores")
			}
			free := succeed(t, predicted...)
			predicted[1] = file(t, folder, "page.lapsvm", model)
			if got := succeed(t, predicted...); got != free || strings.Count(got, "\n") != 61 {
				t.Errorf("the model of the page predicts %q, and that of train by its labels %q", got, free)
			}
			if report, code := l.get(t, "/api/export/report.html"); code != http.StatusOK || !strings.Contains(strings.ToLower(report), "points.csv") {
				t.Errorf("the report: %d %.300s", code, report)
			}
		})
	}
}

// Labels of several classes come from the page to train, as a table and as the store, and the model of the page predicts.
func TestLabelSeveral(t *testing.T) {
	var b strings.Builder
	b.WriteString("x,y,label\n")
	for i := range 40 {
		label := ""
		if i == 0 {
			label = "law;?art"
		}
		fmt.Fprintf(&b, "%d,%d,%s\n", 10*(i%2)+i%3, 10*(i/2%2)+i%5, label)
	}
	data, kept := file(t, t.TempDir(), "t.csv", b.String()), filepath.Join(t.TempDir(), "a.db")
	l := labellingPage(t, data, "--multi-label", ";", "--store", kept, "--neighbours", "4")
	defer l.kill()
	classes, _ := l.get(t, "/api/state")
	var state struct{ Classes []struct{ ID int } }
	if err := json.Unmarshal([]byte(classes), &state); err != nil || len(state.Classes) != 2 {
		t.Fatalf("%v: %.300s", err, classes)
	}
	// Class 0 is law, where x is large. Class 1 is art, where y is large.
	var events []string
	for row := 2; row <= 17; row++ {
		has, lacks := []string{}, []string{}
		for class, bit := range []int{(row - 1) % 2, (row - 1) / 2 % 2} {
			if bit == 1 {
				has = append(has, fmt.Sprint(class))
			} else {
				lacks = append(lacks, fmt.Sprint(class))
			}
		}
		events = append(events, fmt.Sprintf(`{"key":"k%d","kind":"label","row":%d,"has":[%s],"lacks":[%s]}`, row, row, strings.Join(has, ","), strings.Join(lacks, ",")))
	}
	if text, code, _ := l.post("/api/events", `{"person":"anna","events":[`+strings.Join(events, ",")+`]}`); code != http.StatusOK {
		t.Fatal(text)
	}
	labels, _ := l.get(t, "/api/export/labels.csv")
	if !strings.HasPrefix(labels, "x,y,label\n0,0,law;?art\n11,1,law\n2,12,art\n10,13,law;art\n1,4,;\n") {
		t.Errorf("the labels are %.200s", labels)
	}
	text, code := l.get(t, "/api/export/model.lapsvm")
	if code != http.StatusOK {
		t.Fatalf("%d %.200s", code, text)
	}
	if report, code := l.get(t, "/api/export/report.html"); code != http.StatusOK || !strings.Contains(report, "A row may have several classes") {
		t.Errorf("the report: %d %.300s", code, report)
	}
	more := file(t, t.TempDir(), "more.csv", "x,y\n11,2\n1,12\n11,12\n1,1\n")
	want := "label\nlaw\nart\nart;law\n;\n"
	if got := succeed(t, "predict", file(t, t.TempDir(), "m.lapsvm", text), more); got != want {
		t.Errorf("the model of the page predicts %q", got)
	}
	flags := []string{"--multi-label", ";", "--quiet", "-o", filepath.Join(t.TempDir(), "m.lapsvm")}
	for _, from := range [][]string{{file(t, t.TempDir(), "labels.csv", labels)}, {data, "--labels", kept}} {
		succeed(t, append(append([]string{"train"}, from...), flags...)...)
		if got := succeed(t, "predict", flags[4], more); got != want {
			t.Errorf("a model of %v predicts %q", from, got)
		}
	}
}

// A page of ordered classes lists them by rank, refuses others, and exports a model that has their order.
func TestLabelOrdered(t *testing.T) {
	var table strings.Builder
	table.WriteString("x,label\n")
	for i := range 30 {
		fmt.Fprintf(&table, "%d,\n", i)
	}
	data := file(t, t.TempDir(), "graded.csv", table.String())
	l := labellingPage(t, data, "--ordered", "low,mid,high")
	defer l.kill()
	if text, code, _ := l.post("/api/events", `{"person":"anna","events":[{"key":"x","kind":"label","row":1,"name":"middling"}]}`); code != http.StatusBadRequest || !strings.Contains(text, `middling`) || !strings.Contains(text, "low, mid, high") {
		t.Errorf("%d %s", code, text)
	}
	var events []string
	for k, row := range []int{29, 27, 16, 14, 3, 1} { // the highest first
		events = append(events, fmt.Sprintf(`{"key":"k%d","kind":"label","row":%d,"name":%q}`, k, row, []string{"high", "mid", "low"}[k/2]))
	}
	if text, code, _ := l.post("/api/events", `{"person":"anna","events":[`+strings.Join(events, ",")+`]}`); code != http.StatusOK {
		t.Fatal(text)
	}
	var state struct {
		Set     struct{ Order []string }
		Classes []struct{ Name, Key string }
	}
	answer, _ := l.get(t, "/api/state")
	if err := json.Unmarshal([]byte(answer), &state); err != nil || fmt.Sprint(state) != "{{[low mid high]} [{low 1} {mid 2} {high 3}]}" {
		t.Errorf("the state is %v, %v", state, err)
	}
	text, code := l.get(t, "/api/export/model.lapsvm")
	if code != http.StatusOK {
		t.Fatalf("%d %.200s", code, text)
	}
	if info := succeed(t, "info", file(t, t.TempDir(), "made.lapsvm", text), "--json"); !strings.Contains(info, `"ordered":["low","mid","high"]`) || !strings.Contains(info, `"classes":["low","mid","high"]`) {
		t.Errorf("the model is %s", info)
	}
}
