package labelpage_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"lapsvm"
	"lapsvm/app/labelpage/store"
)

var tenDigits = []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}

// A hundred digits are labelled by keys alone, each with its true class. Then
// follows what else a day of labelling needs: undo, redo, skip, doubts, comments,
// classes that are renamed and merged, and the exported files.
func labelling(t *testing.T, browser context.Context) {
	s := serveDigits(t, 200, 1)
	p := enter(t, browser, s, "Ada")
	p.labels(100)
	p.once()
	given := p.given

	t.Run("undo and redo", func(t *testing.T) {
		p := p.in(t)
		last := p.label("s")
		first := p.label("5")
		second := p.label("5")
		p.key("z")
		p.until(fmt.Sprintf("document.getElementById('stage').dataset.row == %d", second))
		p.key("z")
		p.until(fmt.Sprintf("document.getElementById('stage').dataset.row == %d", first))
		p.key("z")
		p.until(fmt.Sprintf("document.getElementById('stage').dataset.row == %d", last))
		p.same()
		letGo := p.hold("/api/points") // so that it comes after those asked for later
		p.key("Z", "Z", "Z")
		p.until(fmt.Sprintf("document.getElementById('toast').innerText.includes('row %d ')", second))
		letGo()
		p.until(fmt.Sprintf("document.getElementById('stage').dataset.row == %d && document.getElementById('stage').ariaBusy == 'false'", second))
		p.saved()
		given[first], given[second] = "5", "5"
		p.same()
		letGo = p.hold("/api/points")
		p.key("z", "z", "z")
		p.until(fmt.Sprintf("/row %d$/.test(document.getElementById('toast').innerText)", last))
		letGo()
		p.until(fmt.Sprintf("document.getElementById('stage').dataset.row == %d && document.getElementById('stage').ariaBusy == 'false'", last))
		delete(given, first)
		delete(given, second)
		p.same()
	})

	t.Run("unsure, none of these, comment", func(t *testing.T) {
		p := p.in(t)
		unsure := p.label("u")
		none := p.label("n")
		p.key("c")
		p.until("document.querySelector('dialog textarea')")
		p.types("smudged")
		p.do(chromedp.KeyEvent("\r", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
		p.until("document.querySelector('.comment').textContent === 'smudged'")
		commented := p.row()
		p.saved()
		s.store.View(func(st *store.State) {
			if j, _ := st.Annotation(unsure-1, "Ada"); j.Kind != store.Unsure {
				t.Errorf("row %d: %q in place of unsure", unsure, j.Kind)
			}
			if j, _ := st.Annotation(none-1, "Ada"); j.Kind != store.None {
				t.Errorf("row %d: %q in place of none", none, j.Kind)
			}
			if c := st.CommentOf(commented-1, "Ada"); c != "smudged" {
				t.Errorf("row %d has the comment %q", commented, c)
			}
		})
	})

	t.Run("rename and merge", func(t *testing.T) {
		p := p.in(t)
		p.key("E")
		p.until("document.querySelector('.class-row')")
		p.do(chromedp.Evaluate[chromedp.Void](`{
			const field = document.querySelector('[aria-label="Name of class 7"]');
			field.value = 'seven';
			field.dispatchEvent(new Event('change'));
		}`))
		p.until("document.querySelector('.class-list').innerText.includes('seven')")
		p.do(chromedp.Evaluate[chromedp.Void](`{
			const into = document.querySelector('[aria-label="Merge 1 into"]');
			into.value = [...into.options].find((o) => o.text === 'seven').value;
			into.dispatchEvent(new Event('change'));
		}`))
		p.until("document.querySelector('.merge')")
		ones, sevens := count(given, "1"), count(given, "7")
		preview := value[string](p, "document.querySelector('.sums').innerText")
		if !strings.Contains(preview, fmt.Sprintf("%d label", ones+sevens)) {
			t.Errorf("the merge of %d and %d labels is shown as %q", ones, sevens, preview)
		}
		p.key("Enter")
		p.until("document.querySelectorAll('.class-list button').length === 9")
		p.saved()
		for row, name := range given {
			if name == "1" || name == "7" {
				given[row] = "seven"
			}
		}
		p.same()
		p.key("z")
		p.until("document.querySelectorAll('.class-list button').length === 10")
		for row, name := range given {
			if name == "seven" {
				if given[row] = "seven"; s.truth[row-1] == 1 {
					given[row] = "1"
				}
			}
		}
		p.same()
	})

	t.Run("export", func(t *testing.T) {
		p := p.in(t)
		p.saved()
		if labels := p.export("Labels", "labels.csv"); strings.Count(string(labels), "seven") < count(given, "seven") {
			t.Errorf("labels.csv: %.300s", labels)
		}
		if report := p.export("Report", "report.html"); string(report) != "<title>10 classes</title>" {
			t.Errorf("report.html: %.300s", report)
		}
		m, err := lapsvm.Read(bytes.NewReader(p.export("Model", "model.lapsvm")))
		if err != nil {
			t.Fatal(err)
		}
		if classes := m.Classes(); len(classes) != 10 {
			t.Errorf("the model has the classes %q", classes)
		}
		p.do(chromedp.Click("#export"))
		if items := value[string](p, "document.getElementById('export-menu').innerText"); !strings.Contains(items, "Model") {
			t.Errorf("the menu shows %q", items)
		}
		p.key("Escape")
	})
}

// export chooses from the menu and returns the downloaded file.
func (p *tab) export(item, file string) []byte {
	p.t.Helper()
	kept := awaited[struct {
		Name string
		Text []int
	}](p, fmt.Sprintf(`new Promise((resolve) => {
		const { createObjectURL } = URL;
		const { click } = HTMLAnchorElement.prototype;
		let kept;
		URL.createObjectURL = (blob) => {
			kept = blob;
			return createObjectURL.call(URL, blob);
		};
		HTMLAnchorElement.prototype.click = async function () {
			URL.createObjectURL = createObjectURL;
			HTMLAnchorElement.prototype.click = click;
			resolve({ Name: this.download, Text: [...new Uint8Array(await kept.arrayBuffer())] });
		};
		document.getElementById('export').click();
		[...document.querySelectorAll('#export-menu button')].find((b) => b.innerText.startsWith(%q)).click();
	})`, item))
	if kept.Name != file {
		p.t.Errorf("%s is called %q, not %s", item, kept.Name, file)
	}
	text := make([]byte, len(kept.Text))
	for i, b := range kept.Text {
		text[i] = byte(b)
	}
	return text
}

func count(given map[int]string, name string) int {
	n := 0
	for _, other := range given {
		if other == name {
			n++
		}
	}
	return n
}

// Classes are made while labelling: Enter, a name, Enter.
func firstClasses(t *testing.T, browser context.Context) {
	set, _ := digits(60, 2)
	s := serve(t, set)
	p := enter(t, browser, s, "Ada")
	for _, name := range []string{"round", "straight"} {
		row := p.row()
		p.key("Enter")
		p.until("document.querySelector('.picker input') === document.activeElement")
		p.types(name)
		p.until("document.querySelectorAll('.found [role=option]').length === 1")
		p.key("Enter")
		p.until(fmt.Sprintf("document.getElementById('stage').dataset.row != %d", row))
		p.given[row] = name
	}
	p.given[p.label("2")] = "straight"
	p.same()
	p.key("p")
	p.until("/takes 9 labels of classes with two labels or more, and there are 2\\.$/.test(document.querySelector('.prediction .set').innerText)")
}

// The page's words about a point reach screen readers, and predictions are
// shown only when they are asked for, never of a blind point.
func speaksAndHides(t *testing.T, browser context.Context) {
	s := serveDigits(t, 120, 3)
	p := enter(t, browser, s, "Ada")
	p.labels(30)
	row := p.label("u")
	said := value[string](p, "document.getElementById('live').innerText")
	if want := fmt.Sprintf("row %d: unsure. Now row %d", row, p.row()); !strings.Contains(said, want) {
		t.Errorf("screen readers hear %q, not %q", said, want)
	}
	p.until("/^The model has /.test(document.querySelector('.machine').textContent)")
	if value[int](p, "document.querySelectorAll('.bars .chip').length") != 0 {
		t.Error("a prediction is shown that nobody asked for")
	}
	if reason := value[string](p, "document.querySelector('.reason').innerText"); reason != "" {
		t.Errorf("the reason tells what is predicted: %q", reason)
	}
	p.key("p")
	p.until("document.querySelectorAll('.bars .chip').length > 0 && document.querySelector('.reason').innerText !== ''")
	p.until("document.querySelector('.prediction .set').textContent.startsWith('Nine times in ten: ')")
	p.choose("audit")
	p.until("document.querySelector('.reason').classList.contains('blind')")
	blind := p.row()
	p.until("document.querySelector('.bars').textContent.includes('Hidden')")
	if value[int](p, "document.querySelectorAll('.prediction .chip').length + document.querySelector('.prediction .set').innerText.length") != 0 {
		t.Error("the prediction of a blind point is shown")
	}
	p.label(p.digit(blind))
	p.saved()
	s.store.View(func(st *store.State) {
		if audits := st.Audits(); len(audits) != 1 || audits[0].Row != blind-1 || audits[0].Predicted == store.NoClass {
			t.Errorf("audits: %+v", audits)
		}
	})
	// A share is told from ten audits on, a curve drawn from its second point on.
	told := func() string {
		return value[string](p, "document.querySelector('.overview .line:nth-child(2)').innerText")
	}
	curve := func() string {
		p.see("R", "progress")
		said := value[string](p, "document.querySelectorAll('.progress-view article')[1].innerText")
		if chart := value[string](p, "document.querySelector('.chart')?.ariaLabel ?? ''"); chart != "" {
			said = chart
		}
		p.see("L", "label")
		return said
	}
	p.until("/9 more blind audits/.test(document.querySelector('.overview').innerText)")
	if said := curve(); strings.Contains(told(), "%") || !strings.Contains(said, "after 9 more blind audits") || strings.Contains(said, "%") {
		t.Errorf("one audit is told as %q, %q", told(), said)
	}
	p.labels(9)
	p.saved()
	if said := curve(); !strings.Contains(told(), "%") || !strings.Contains(said, "of 10 audited points. The curve begins with the next") {
		t.Errorf("ten audits are told as %q, %q", told(), said)
	}
	p.labels(1)
	p.saved()
	if said := curve(); !strings.HasPrefix(said, "Learning curve. ") || strings.Count(said, "of 10 audited points") != 2 {
		t.Errorf("eleven audits are told as %q", said)
	}
}
