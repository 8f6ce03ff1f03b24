package labelpage_test

import (
	"context"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"lapsvm/internal/machines/task"
)

// say types the number of the point on the page, waits for the next one, and returns the row.
func (p *tab) say(text string) int {
	p.t.Helper()
	row := p.row()
	p.typesNumber(text)
	p.key("Enter")
	p.until(fmt.Sprintf("document.getElementById('stage').dataset.row > 0 && document.getElementById('stage').dataset.row != %d", row))
	return row
}

// typesNumber types a number, of which the first key goes to the field wherever the focus is.
func (p *tab) typesNumber(text string) {
	p.t.Helper()
	if !value[bool](p, "document.activeElement.id === 'number'") {
		p.key(text[:1])
		text = text[1:]
	}
	p.types(text)
}

// Numbers are typed, by keys alone, in every view. Letters are still commands, and what is no number is not taken.
func numbers(t *testing.T, browser context.Context) {
	s := serveTable(t, numbersOfRows(80), task.Numbers())
	p := enter(t, browser, s, "Ada")
	for k := range 12 {
		p.given[p.say(strconv.Itoa(10+k))] = strconv.Itoa(10 + k)
	}
	p.given[p.say("2,5")] = "2.5"
	p.given[p.say("-0.50")] = "-0.5"
	row := p.row()
	for _, text := range []string{"1,500", "1.2.3", "-"} {
		p.typesNumber(text)
		p.key("Enter")
		p.until("!document.getElementById('toast').hidden && document.getElementById('toast').innerText.includes('" + text + "')")
		if got := p.row(); got != row {
			t.Errorf("%q is taken", text)
		}
		p.do(chromedp.Evaluate[chromedp.Void]("document.getElementById('number').value = ''"))
	}
	p.typesNumber("77")
	p.label("u") // though the number is begun
	if begun := value[string](p, "document.getElementById('number').value"); begun != "" {
		t.Errorf("the next point begins with %q", begun)
	}
	p.same()
	if chip := value[string](p, "document.querySelector('.recent .chip').textContent"); chip != "unsure" {
		t.Errorf("the last answer is %q", chip)
	}
	last := p.say("31")
	p.key("z")
	p.until(fmt.Sprintf("document.getElementById('stage').dataset.row == %d", last))
	p.same()
	p.key("ArrowLeft", "ArrowLeft")
	p.until("document.querySelector('.given').textContent === 'You said -0.5'")
	p.given[p.row()] = "4"
	p.say("4")
	p.same()
	p.until("document.querySelector('.machine').textContent === 'The model has all 14 labels' && !document.querySelector('.doing')")
	p.key("p")
	p.until("document.querySelector('.bars .chip') && / from .+ to /.test(document.querySelector('.prediction .set').textContent)")
	if views := value[string](p, "[...document.querySelectorAll('.rail a')].map((a) => a.textContent).join(' ')"); strings.Contains(views, "Batch") {
		t.Errorf("the views are %s", views)
	}

	// Two rows at once, in the view Find.
	p.see("F", "find")
	p.until("document.querySelectorAll('.find-view .tile').length === 60")
	p.key("Escape")
	p.until("document.activeElement.matches('.tile')")
	tiles := value[[]int](p, "[...document.querySelectorAll('.find-view .tile')].slice(0, 2).map((tile) => Number(tile.dataset.row))")
	p.key("x", "ArrowRight", "x", "8")
	p.until("document.querySelector('dialog input')?.value === '8'")
	p.types(".25")
	p.key("Enter")
	p.given[tiles[0]], p.given[tiles[1]] = "8.25", "8.25"
	p.until("!document.querySelector('dialog')")
	p.same()

	// The map shades numbers, and a region gets one.
	p.see("M", "map")
	p.until("/^-?[0-9.]+-?[0-9.]+$/.test(document.querySelector('.legend').innerText.replaceAll('\\n', ''))")

	// Another person says another number of a point; one that is typed settles it.
	p.see("L", "label")
	p.saved()
	ben := enter(t, browser, s, "Ben")
	ben.choose("second")
	ben.until("document.querySelector('.reason').classList.contains('blind')")
	differs := ben.say("1000")
	ben.saved()
	ben.see("P", "people")
	ben.until("document.querySelectorAll('.people-view .suspect').length === 1 && document.querySelector('.people-view').innerText.includes('apart')")
	ben.key("5")
	ben.until("document.querySelector('dialog input')?.value === '5'")
	ben.key("Enter")
	ben.until("document.querySelectorAll('.people-view .suspect').length === 0")
	ben.given = maps.Clone(p.given)
	ben.given[differs] = "5"
	ben.same()
}
