package labelpage_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"lapsvm/app/labelpage"
	"lapsvm/app/labelpage/store"
	"lapsvm/dataset/files"
	"lapsvm/internal/machines/task"
)

// numbersOfRows are a table of n rows with two columns.
func numbersOfRows(n int) string {
	var b strings.Builder
	b.WriteString("width,height,label\n")
	for i := range n {
		fmt.Fprintf(&b, "%d,%d,\n", 2*i, (i*i)%17)
	}
	return b.String()
}

// posts are a table of n texts, of which each speaks of sport, politics and law or not.
func posts(n int) string {
	of := [3][]string{
		{"The court has heard both sides and will rule next week.", "Her lawyer says that the contract was void.", "The judge asked for the documents by Friday."},
		{"The minister left before the vote was counted.", "Parliament passed the budget by two votes.", "Both parties claim to have won the debate."},
		{"The home team scored twice in the last minutes.", "She won the race by half a second.", "The coach has not named his keeper yet."},
	}
	var b strings.Builder
	b.WriteString("text,label\n")
	for i := range n {
		var said []string
		for topic, sentences := range of {
			if i>>topic%2 == 1 {
				said = append(said, sentences[i/(8+topic)%3])
			}
		}
		said = append(said, []string{"More follows.", "It rained all day.", "Pictures by our reporter."}[i/7%3])
		fmt.Fprintf(&b, "\"%s\",\n", strings.Join(said, " "))
	}
	return b.String()
}

// serveTable serves a table whose labels are of a kind, with classes to begin with. The keys of these are 1, 2, …
func serveTable(t *testing.T, table string, kind task.Kind, classes ...string) *service {
	t.Helper()
	set, err := files.Read(strings.NewReader(table), "data.csv", files.Options{Format: "csv", Keep: true, MayLackLabels: true, Label: "label"})
	if err != nil {
		t.Fatal(err)
	}
	content := labelpage.NewContent(set, nil, nil)
	hashes, err := content.Hashes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	kept, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "labels.db"), store.Data{Name: "data.csv", Hashes: hashes, Kind: kind})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := kept.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := kept.AddClasses(t.Context(), classes); err != nil {
		t.Fatal(err)
	}
	s := &service{t: t, set: set, content: content, store: kept, relay: newRelay(t)}
	s.trainer.Recipe.RulesOfThumb, s.trainer.Recipe.Kind = true, kind
	s.start()
	return s
}

// serveSeveral serves a table whose rows may have several of three classes.
func serveSeveral(t *testing.T, table string) *service {
	t.Helper()
	return serveTable(t, table, task.Several(";"), "law", "politics", "sport")
}

// confirms presses keys of classes and Enter, waits for the next point, and returns the row.
func (p *tab) confirms(keys ...string) int {
	p.t.Helper()
	row := p.row()
	p.key(append(keys, "Enter")...)
	p.until(fmt.Sprintf("document.getElementById('stage').dataset.row > 0 && document.getElementById('stage').dataset.row != %d", row))
	return row
}

// on returns the classes that are switched on for the point on the page, as the list of classes and the line under the point tell it.
func (p *tab) on() string {
	p.t.Helper()
	return value[string](p, `[...document.querySelectorAll('.class-list [data-id]')].map((b) => ({ true: '+', false: '-', mixed: '?' })[b.getAttribute('aria-pressed')]).join('') + ' ' +
		[...document.querySelectorAll('.choice button.chip')].map((b) => b.title.replace('Switch ', '').replace(' off', '') + (b.classList.contains('plain') ? '?' : '')).join(' ')`)
}

// Keys switch classes on and off, and Enter confirms what a row has. What is not known is told apart from what a row lacks.
func severalClasses(t *testing.T, browser context.Context) {
	s := serveSeveral(t, numbersOfRows(80))
	p := enter(t, browser, s, "Ada")
	for k := range 8 { // law where the first digit of the row's number is even, politics where it is divisible by four
		row := p.row()
		switch {
		case row%4 == 0:
			p.given[p.confirms("1", "2")] = "law;politics"
		case row%2 == 0:
			p.given[p.confirms("1")] = "law"
		case k%2 == 0:
			p.given[p.confirms("3")] = "sport"
		default:
			p.given[p.confirms()] = ";"
		}
	}
	p.given[p.confirms("1", "2", "3")] = "law;politics;sport"
	p.given[p.confirms("3")] = "sport"
	p.same()

	p.key("2", "3", "2", "x", "1") // on, on, off, not known
	if got := p.on(); got != "?-+ law? sport" {
		t.Errorf("on are %s", got)
	}
	p.key("Escape")
	if got := p.on(); got != "--- " {
		t.Errorf("after Escape on are %s", got)
	}
	last := p.confirms("3", "x", "1")
	p.given[last] = "sport;?law"
	p.same()
	p.key("z")
	p.until(fmt.Sprintf("document.getElementById('stage').dataset.row == %d", last))
	delete(p.given, last)
	p.same()
	if got := p.on(); got != "--- " {
		t.Errorf("after an undo on are %s", got)
	}
	// By the mouse: a class of the list, and one with the button for what is not known.
	p.do(chromedp.Click(".class-list [data-id='1']"), chromedp.Click(".choice button[title^='The next']"), chromedp.Click(".class-list [data-id='2']"))
	if got := p.on(); got != "-+? politics sport?" {
		t.Errorf("clicks switch on %s", got)
	}
	p.do(chromedp.Click(".choice button.primary"))
	p.until(fmt.Sprintf("document.getElementById('stage').dataset.row > 0 && document.getElementById('stage').dataset.row != %d", last))
	p.given[last] = "politics;?sport"
	p.same()

	// A row that was labelled shows what was said, and is corrected.
	p.key("ArrowLeft")
	p.until("document.querySelector('.given').textContent.startsWith('You said')")
	if got := p.on(); got != "-+? politics sport?" {
		t.Errorf("back on the row on are %s", got)
	}
	p.confirms("3")
	p.given[last] = "politics;sport"
	p.same()

	// The machine predicts, and what it predicts can be taken.
	p.until("document.querySelector('.machine').textContent === 'The model has all 11 labels' && !document.querySelector('.doing')")
	p.key("p")
	p.until("document.querySelector('.bars .chip') && document.querySelector('.prediction .set').textContent.startsWith('Predicted: ')")
	p.do(chromedp.Evaluate[chromedp.Void]("document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', shiftKey: true, bubbles: true }))"))
	predicted := value[string](p, "[...document.querySelectorAll('.prediction .set:not(.held) .chip .name')].map((c) => c.title || c.textContent).join(' ')")
	if got := p.on(); strings.TrimSpace(got[4:]) != predicted {
		t.Errorf("%s is predicted, and on are %s", predicted, got)
	}

	if got := value[string](p, "document.querySelector('.prediction .held').textContent"); !strings.HasPrefix(got, "Nine times in ten: ") && !strings.Contains(got, "is told by 9 labels with a class or without it") {
		t.Errorf("what it has nine times in ten: %s", got)
	}

	// Another person says otherwise of a class; the label of one of the two settles it.
	p.saved()
	ben := enter(t, browser, s, "Ben")
	ben.choose("second")
	ben.until("document.querySelector('.reason').classList.contains('blind')")
	if got := ben.on(); got != "--- " {
		t.Errorf("a row asked blindly shows %s", got)
	}
	has := p.given[ben.row()]
	keys := []string{"1", "2", "3"}
	for k, name := range []string{"law", "politics", "sport"} { // all answers are others
		if strings.Contains(has, name) {
			keys[k] = ""
		}
	}
	var pressed []string
	for _, key := range keys {
		if key != "" {
			pressed = append(pressed, key)
		}
	}
	differs := ben.confirms(pressed...)
	ben.saved()
	ben.see("P", "people")
	ben.until("document.querySelectorAll('.people-view .suspect').length === 1")
	ben.key("1")
	ben.until("document.querySelectorAll('.people-view .suspect').length === 0")
	ben.given = p.given
	ben.given[differs] = has
	ben.same()

	// Two rows at once, in the view Find: the class is switched, and of others nothing is said.
	p.see("F", "find")
	p.until("document.querySelectorAll('.find-view .tile').length === 60")
	p.do(chromedp.SetValue("select[aria-label='State']", "unlabelled"), chromedp.Evaluate[chromedp.Void]("document.querySelector(\"select[aria-label='State']\").dispatchEvent(new Event('change'))"))
	p.until("document.querySelector('.found-head').innerText.includes('69 rows')")
	p.key("Escape")
	p.until("document.activeElement.matches('.tile')")
	tiles := value[[]int](p, "[...document.querySelectorAll('.find-view .tile')].slice(0, 2).map((tile) => Number(tile.dataset.row))")
	p.key("x", "ArrowRight", "x", "2")
	p.given[tiles[0]], p.given[tiles[1]] = "politics;?law;?sport", "politics;?law;?sport"
	p.same()

	// The map, one class alone.
	p.see("M", "map")
	p.until("document.querySelectorAll('.legend button').length === 3")
	p.do(chromedp.Click(".legend button:nth-child(2)"))
	p.until("document.querySelector('.legend button:nth-child(2)').getAttribute('aria-pressed') === 'true'")
	p.until("document.querySelector('.legend button:nth-child(1) .figure').textContent === '0'")
	p.see("R", "progress")
	p.until("document.querySelector('.class-bars')")
	if views := value[string](p, "[...document.querySelectorAll('.rail a')].map((a) => a.textContent).join(' ')"); strings.Contains(views, "Batch") {
		t.Errorf("the views are %s", views)
	}
}
