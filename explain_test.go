package lapsvm_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/internal/testing/drawn"
	"lapsvm/kernel"
	"lapsvm/points"
)

// kinds is a table of several kinds of column, half of whose rows have labels.
func kinds() string {
	var b strings.Builder
	b.WriteString("size,note,kind,fresh,vector,day,label\n")
	for i := range 40 {
		side := i % 2
		label := ""
		if i < 20 {
			label = []string{"low", "high"}[side]
		}
		b.WriteString(strings.Join([]string{[]string{"1", "5", "2", "7", ""}[i%5], []string{"low and small", "very high thing", "small", "high"}[i%4], []string{"a", "b", "c"}[i%3],
			[]string{"yes", "no"}[side], []string{`"[0, 1]"`, `"[1, 0.5]"`}[side], fmt.Sprintf("2024-03-%02d", 1+i*7%28), label}, ",") + "\n")
	}
	return b.String()
}

// Effects are the Shapley values over all sets of columns, of the decision values of rows whose other fields are as usual. They add up.
func TestExplain(t *testing.T) {
	for name, c := range map[string]struct {
		o      files.Options
		recipe lapsvm.Recipe
	}{
		"described": {files.Options{Text: []string{"note"}}, lapsvm.Recipe{Describe: "latent,numbers,vectors", RulesOfThumb: true}},
		"words":     {files.Options{Text: []string{"note"}}, lapsvm.Recipe{Describe: lapsvm.Undescribed, RulesOfThumb: true}},
		"kinds":     {files.Options{Ignore: []string{"note"}}, lapsvm.Recipe{RulesOfThumb: true}},
		"linear":    {files.Options{Ignore: []string{"note"}}, lapsvm.Recipe{RulesOfThumb: true, Kernel: kernel.Linear{}}},
		"views":     {files.Options{Ignore: []string{"note", "vector"}}, lapsvm.Recipe{}},
	} {
		d, err := files.Read(strings.NewReader(kinds()), "a.csv", c.o)
		if err != nil {
			t.Fatal(err)
		}
		m, err := lapsvm.Trainer{Recipe: c.recipe}.Fit(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		if name == "views" && m.Views() < 2 {
			t.Fatal("the model is no mean of views")
		}
		row := map[string]any{"size": 7, "note": "very high thing", "kind": "b", "fresh": "no", "vector": []float64{1, 0.5}, "day": "2024-03-05"}
		rows := func(row map[string]any) *dataset.Dataset {
			p, err := m.Rows(row)
			if err != nil {
				t.Fatal(err)
			}
			return p
		}
		all, err := readBack(t, m).Explain(t.Context(), rows(row).Points)
		if err != nil {
			t.Fatal(err)
		}
		e := all[0]
		value := func(row map[string]any) float64 {
			scores, err := m.Scores(t.Context(), rows(row).Points)
			if err != nil {
				t.Fatal(err)
			}
			return scores[0][e.Class]
		}
		sum := e.Usual + e.Rest
		var columns []string
		for k, r := range e.Reasons {
			if sum += r.Effect; k > 0 && math.Abs(r.Effect) > math.Abs(e.Reasons[k-1].Effect) {
				t.Errorf("%s: %+v stand in another order than by magnitude", name, e.Reasons)
			}
			if speaks := r.Effect >= 0; (r.Class == e.Class) != speaks || r.Class < 0 {
				t.Errorf("%s: %+v speaks for class %d, where %d is explained", name, r, r.Class, e.Class)
			}
			if !slices.Contains(columns, r.Column) {
				columns = append(columns, r.Column)
			}
			if want, ok := map[string][2]string{"size": {"7", "3.5"}, "kind": {"b", "a"}, "day": {"2024-03-05", ""}, "fresh": {"false", "true"}}[r.Column]; ok && (r.Value != want[0] || want[1] != "" && r.Usual != want[1]) {
				t.Errorf("%s: %s is %q, usually %q; want %q", name, r.Column, r.Value, r.Usual, want)
			}
		}
		if !(math.Abs(sum-e.Value) <= 1e-12*(1+math.Abs(e.Value))) || !(math.Abs(value(row)-e.Value) <= 1e-9*(1+math.Abs(e.Value))) {
			t.Errorf("%s: the usual value and effects add up to %v, want %v, which is %v", name, sum, value(row), e.Value)
		}
		if len(c.o.Text) > 0 { // words have a share each
			continue
		}
		n := len(columns)
		of := make([]float64, 1<<n)
		for s := range of {
			changed := map[string]any{}
			for k, v := range row {
				changed[k] = v
			}
			for k, column := range columns {
				if s>>k&1 == 0 {
					changed[column] = map[string]any{"kind": "a", "size": 3.5}[column] // a field without value is what is usual, but in a category
				}
			}
			of[s] = value(changed)
		}
		for k, column := range columns {
			want := 0.0
			for s := range of {
				if s>>k&1 == 0 {
					weight := 1 / float64(n)
					for i := range bits.OnesCount(uint(s)) { // 1/binomial(n − 1, size)
						weight *= float64(i+1) / float64(n-1-i)
					}
					want += weight * (of[s|1<<k] - of[s])
				}
			}
			at := slices.IndexFunc(e.Reasons, func(r lapsvm.Reason) bool { return r.Column == column })
			if got := e.Reasons[at].Effect; !(math.Abs(got-want) <= 1e-9) {
				t.Errorf("%s: %s has the effect %v, want %v", name, column, got, want)
			}
		}
	}
}

// What a usual row has is no reason. A model that knows nothing usual says so.
func TestExplainNothing(t *testing.T) {
	d, _ := moons(60, 3, 4)
	m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{RulesOfThumb: true}}.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	all, err := m.Explain(t.Context(), d.Points.Slice(0, 3))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		if len(e.Reasons) != 2 || e.Reasons[0].Column == e.Reasons[1].Column || e.Reasons[0].Effect == 0 {
			t.Errorf("reasons %+v", e.Reasons)
		}
	}
	usual := make([]float64, 2)
	for j, i := range m.Importance() {
		if i.Column != strconv.Itoa(j+1) {
			i = m.Importance()[1-j]
		}
		usual[j], _ = strconv.ParseFloat(i.Usual, 64)
	}
	if all, err = m.Explain(t.Context(), points.Dense(1, 2, usual)); err != nil || len(all[0].Reasons) != 0 || all[0].Value != all[0].Usual {
		t.Errorf("a usual row: %+v, %v", all, err)
	}
	// Sparse rows may have fewer columns than the model, and 0 is usual in most of many columns.
	wide, err := files.Read(strings.NewReader("1 1:1 2000:2\n2 2:1 3:4\n1 1:2 5:1\n2 2:1 3:3\n? 1:1\n? 3:3\n"), "a.svm", files.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if m, err = (lapsvm.Trainer{Recipe: lapsvm.Recipe{RulesOfThumb: true}}).Fit(t.Context(), wide); err != nil {
		t.Fatal(err)
	}
	if all, err = m.Explain(t.Context(), points.CSR(5, []int{0, 2}, []int32{0, 4}, []float64{2, 1})); err != nil {
		t.Fatal(err)
	}
	for _, r := range all[0].Reasons {
		if !slices.Contains([]string{"1", "3", "5"}, r.Column) || r.Usual == "" {
			t.Errorf("a narrow row: %+v", r)
		}
	}
	if len(all[0].Reasons) == 0 {
		t.Errorf("a narrow row: %+v", all[0])
	}
	given := dataset.Dataset{Points: points.Dense(3, 3, []float64{1, .2, .1, .2, 1, .3, .1, .3, 1}), Y: []int{0, 1, dataset.Unlabelled}, Classes: []string{"a", "b"}}
	if m, err = (lapsvm.Trainer{Recipe: lapsvm.Recipe{RulesOfThumb: true, Kernel: kernel.Precomputed{}}}).Fit(t.Context(), &given); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Explain(t.Context(), given.Points); !errors.Is(err, lapsvm.ErrData) || !strings.Contains(err.Error(), "shares") {
		t.Errorf("with a precomputed kernel: %v", err)
	}
}

// The parts of a picture add up to its difference from a plain one, and lie where the picture differs.
func TestExplainPictures(t *testing.T) {
	pictures, _ := drawn.Few(drawn.Bars(60, 12, 1), 12)
	m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{RulesOfThumb: true}}.Fit(t.Context(), pictures)
	if err != nil {
		t.Fatal(err)
	}
	p := pictures.AsRead().Slice(0, 4)
	all, err := m.Explain(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	shape := m.Image()
	for _, e := range all {
		sum := e.Usual + e.Rest
		row := make([]float64, p.Dim())
		p.CopyRow(row, e.Point)
		ground := slices.Clone(row)
		slices.Sort(ground)
		differ, within := 0, 0
		for _, v := range row {
			if v != ground[len(ground)/2] {
				differ++
			}
		}
		for _, r := range e.Reasons {
			sum += r.Effect
			for y := range r.Part.Height {
				for x := range r.Part.Width {
					if row[(r.Part.Top+y)*shape.Width+r.Part.Left+x] != ground[len(ground)/2] {
						within++
					}
				}
			}
		}
		if !(math.Abs(sum-e.Value) <= 1e-12*(1+math.Abs(e.Value))) || within != differ || len(e.Reasons) == 0 {
			t.Errorf("parts add up to %v of %v, and hold %d of %d dots that differ", sum, e.Value, within, differ)
		}
	}
}

// The importance of a column is the mean of what its effects are on the points of the training.
func TestImportance(t *testing.T) {
	var b strings.Builder
	b.WriteString("size,note,kind,rare,label\n")
	for i := range 60 {
		side := i % 2
		label := ""
		if i < 20 {
			label = []string{"low", "high"}[side]
		}
		b.WriteString(strings.Join([]string{strconv.Itoa(i%7 + 10*side), []string{"one of two", "two of them"}[i/2%2], []string{"c", "b", "c"}[i%3], []string{"a", "b"}[i/30], label}, ",") + "\n")
	}
	for name, o := range map[string]files.Options{"described": {Text: []string{"note"}}, "categories": {Category: []string{"note"}}, "numbers": {Ignore: []string{"note", "kind", "rare"}}} {
		d, err := files.Read(strings.NewReader(b.String()), "a.csv", o)
		if err != nil {
			t.Fatal(err)
		}
		m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{RulesOfThumb: true}}.Fit(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		if err := m.Write(&file); err != nil {
			t.Fatal(err)
		}
		if m, err = lapsvm.Read(&file); err != nil {
			t.Fatal(err)
		}
		want := make(map[string]float64)
		all := m.Importance()
		value := func(row map[string]any) []float64 {
			of, err := m.Rows(row)
			if err != nil {
				t.Fatal(err)
			}
			scores, err := m.Scores(t.Context(), of.Points)
			if err != nil {
				t.Fatal(err)
			}
			return scores[0]
		}
		lines := strings.Split(strings.TrimSpace(b.String()), "\n")
		for _, line := range lines[1:] {
			row := map[string]any{}
			for k, field := range strings.Split(line, ",") {
				row[strings.Split(lines[0], ",")[k]] = field
			}
			as := value(row)
			class := 0
			if as[1] > as[0] {
				class = 1
			}
			for _, i := range all {
				kept := row[i.Column]
				row[i.Column] = i.Usual
				want[i.Column] += math.Abs(as[class]-value(row)[class]) / float64(len(lines)-1)
				row[i.Column] = kept
			}
		}
		if len(all) != len(want) || all[0].Column != "size" || !(all[0].Changed > 0.2) {
			t.Fatalf("%s: importance %+v of the columns %v", name, all, want)
		}
		for k, i := range all {
			if !(math.Abs(i.Effect-want[i.Column]) <= 1e-6*want["size"]) || k > 0 && i.Effect > all[k-1].Effect {
				t.Errorf("%s: %s has the importance %g, the mean of its effects is %g", name, i.Column, i.Effect, want[i.Column])
			}
			if usual, ok := map[string]string{"kind": "c", "size": "8"}[i.Column]; ok && i.Usual != usual {
				t.Errorf("%s: usual in %s is %q", name, i.Column, i.Usual)
			}
		}
	}
}

// Importance is of rows by chance: a column that decides everything is seen to, in whatever order rows of several kinds take turns.
// Usual is the commonest value of all rows.
func TestImportanceOfRowsInTurns(t *testing.T) {
	for _, n := range []int{400, 1000, 2400} {
		for _, turns := range []int{2, 3, 4, 5, 12, 0} { // 0 of a permutation by chance
			var b strings.Builder
			b.WriteString("arm,other,label\n")
			at := func(i int) int { return i }
			if turns == 0 {
				order := rand.New(rand.NewPCG(3, 5)).Perm(n)
				at = func(i int) int { return order[i] }
			}
			for i := range n {
				arm, label := "placebo", ""
				if at(i)%max(turns, 2) != 0 || i == 0 { // so there is one drug more where two take turns
					arm = "drug"
				}
				if i%8 < 5 {
					label = map[string]string{"placebo": "ill", "drug": "well"}[arm]
				}
				b.WriteString(strings.Join([]string{arm, strconv.Itoa(i * i % 997), label}, ",") + "\n")
			}
			d, err := files.Read(strings.NewReader(b.String()), "a.csv", files.Options{Category: []string{"arm"}})
			if err != nil {
				t.Fatal(err)
			}
			m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{RulesOfThumb: true}}.Fit(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			rare := 1 / float64(max(turns, 2)) // the share of those that are not as usual
			for _, c := range m.Importance() {
				if c.Column != "arm" {
					continue
				}
				if c.Usual != "drug" && turns > 0 {
					t.Errorf("%d rows in %d turns: usual is %q", n, turns, c.Usual)
				}
				if !(math.Abs(c.Changed-rare) < 0.12) || !(c.Effect > 0.5*rare) {
					t.Errorf("%d rows in %d turns: arm has the effect %g and changes %g of the rows, where %g are not as usual", n, turns, c.Effect, c.Changed, rare)
				}
			}
		}
	}
}

// A curve is the mean decision value of rows that all have a value in the column. It ascends where larger numbers speak for the class.
func TestCurves(t *testing.T) {
	d, err := files.Read(strings.NewReader(kinds()), "a.csv", files.Options{Ignore: []string{"note", "vector"}})
	if err != nil {
		t.Fatal(err)
	}
	m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{RulesOfThumb: true}}.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	m = readBack(t, m)
	lines := strings.Split(strings.TrimSpace(kinds()), "\n")
	values := map[string][]string{"size": {"1", "2", "3.5", "5", "7"}, "kind": {"a", "b", "c"}, "fresh": {"false", "true"}}
	curves := 0
	for _, i := range m.Importance() {
		if i.Class != 1 || i.Column != "day" && len(i.Curve) != len(values[i.Column]) || len(i.Curve) > 7 {
			t.Errorf("%s: class %d, %v", i.Column, i.Class, i.Curve)
		}
		for k, step := range i.Curve {
			if i.Column != "day" && step.Value != values[i.Column][k] {
				t.Errorf("%s: %v", i.Column, i.Curve)
			}
			var rows []map[string]any
			for _, line := range lines[1:] {
				row, at := map[string]any{}, 0
				for _, field := range strings.Split(lines[0], ",") {
					if field == "vector" { // which has a comma
						at += 2
						continue
					}
					row[field] = strings.Split(line, ",")[at]
					at++
				}
				row[i.Column] = step.Value
				rows = append(rows, row)
			}
			of, err := m.Rows(rows...)
			if err != nil {
				t.Fatal(err)
			}
			scores, err := m.Scores(t.Context(), of.Points)
			if err != nil {
				t.Fatal(err)
			}
			mean := 0.0
			for _, row := range scores {
				mean += row[1] / float64(len(rows))
			}
			if !(math.Abs(mean-step.Decision) <= 1e-9) {
				t.Errorf("%s = %s: %v, want %v", i.Column, step.Value, step.Decision, mean)
			}
			curves++
		}
	}
	if curves == 0 {
		t.Error("no curves")
	}
}
