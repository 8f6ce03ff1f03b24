package lapsvm_test

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/internal/testing/drawn"
)

// The effect of a column is the difference to the decision value of the same row with an empty field, or with the commonest
// value of a category.
func TestEffects(t *testing.T) {
	var b strings.Builder
	b.WriteString("size,note,kind,fresh,vector,label\n")
	for i := range 40 {
		side := i % 2
		label := ""
		if i < 20 {
			label = []string{"low", "high"}[side]
		}
		b.WriteString(strings.Join([]string{[]string{"1", "5", "2", "7", ""}[i%5], []string{"low and small", "very high thing", "small", "high"}[i%4], []string{"a", "b", "c"}[i%3],
			[]string{"yes", "no"}[side], []string{`"[0, 1]"`, `"[1, 0.5]"`}[side], label}, ",") + "\n")
	}
	for name, c := range map[string]struct {
		o      files.Options
		recipe lapsvm.Recipe
	}{
		"described":    {files.Options{Text: []string{"note"}}, lapsvm.Recipe{Describe: "latent,numbers,vectors", RulesOfThumb: true}},
		"words":        {files.Options{Text: []string{"note"}}, lapsvm.Recipe{Describe: lapsvm.Undescribed, RulesOfThumb: true}},
		"numbers":      {files.Options{Text: []string{"note"}}, lapsvm.Recipe{Describe: "numbers", RulesOfThumb: true}},
		"without text": {files.Options{Ignore: []string{"note"}}, lapsvm.Recipe{RulesOfThumb: true}},
	} {
		d, err := files.Read(strings.NewReader(b.String()), "a.csv", c.o)
		if err != nil {
			t.Fatal(err)
		}
		m, err := lapsvm.Trainer{Recipe: c.recipe}.Fit(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		row := map[string]any{"size": 7, "note": "very high thing", "kind": "b", "fresh": "no", "vector": []float64{1, 0.5}}
		of := func(row map[string]any) *dataset.Dataset {
			p, err := m.Rows(row)
			if err != nil {
				t.Fatal(err)
			}
			return p
		}
		all, err := m.Explain(t.Context(), of(row).Points, lapsvm.ExplainOptions{Effects: true})
		if err != nil {
			t.Fatal(err)
		}
		e := all[0]
		value := func(row map[string]any) float64 {
			scores, err := m.Scores(t.Context(), of(row).Points)
			if err != nil {
				t.Fatal(err)
			}
			return scores[0][e.Class]
		}
		seen := map[string]bool{}
		for k, f := range e.Effects {
			without := map[string]any{}
			for name, v := range row {
				without[name] = v
			}
			if without[f.Column] = nil; f.Column == "kind" {
				without[f.Column] = "a" // the commonest
			}
			if want := value(row) - value(without); f.Value != want {
				t.Errorf("%s: column %s has the effect %v, want %v", name, f.Column, f.Value, want)
			}
			if k > 0 && math.Abs(f.Value) > math.Abs(e.Effects[k-1].Value) {
				t.Errorf("%s: %v stand in another order than by magnitude", name, e.Effects)
			}
			seen[f.Column] = true
			if name == "numbers" && (f.Column == "note" || f.Column == "vector") && f.Value != 0 {
				t.Errorf("%s, which counts for nothing, has the effect %v", f.Column, f.Value)
			}
		}
		if want := 5 - len(c.o.Ignore); len(seen) != want || e.Effects[0].Value == 0 {
			t.Errorf("%s: effects %v of %d columns", name, e.Effects, want)
		}
	}
	// Of plain numbers it is the median that stands in their place.
	d, _ := moons(60, 3, 4)
	m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{RulesOfThumb: true}}.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	all, err := m.Explain(t.Context(), d.Points.Slice(0, 3), lapsvm.ExplainOptions{Effects: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		if len(e.Effects) != 2 || e.Effects[0].Column == e.Effects[1].Column || e.Effects[0].Value == 0 {
			t.Errorf("effects %v", e.Effects)
		}
	}
	pictures, _ := drawn.Few(drawn.Bars(60, 12, 1), 12)
	if m, err = (lapsvm.Trainer{Recipe: lapsvm.Recipe{RulesOfThumb: true}}).Fit(t.Context(), pictures); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Explain(t.Context(), pictures.Points, lapsvm.ExplainOptions{Effects: true}); !errors.Is(err, lapsvm.ErrData) || !strings.Contains(err.Error(), "columns of a table") {
		t.Errorf("effects of dots: %v", err)
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
		explained, err := m.Explain(t.Context(), d.Points, lapsvm.ExplainOptions{Effects: true})
		if err != nil {
			t.Fatal(err)
		}
		want := make(map[string]float64)
		for _, e := range explained {
			for _, f := range e.Effects {
				want[f.Column] += math.Abs(f.Value) / float64(len(explained))
			}
		}
		all := m.Importance()
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
