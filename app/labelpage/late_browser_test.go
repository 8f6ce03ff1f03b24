package labelpage_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

// hold keeps the answer to the next request for a path from the page until letGo, which waits
// until the page has had time for it. The checks after that hold for any delay.
func (p *tab) hold(path string) (letGo func()) {
	p.t.Helper()
	p.holds++
	name := fmt.Sprintf("letGo%d", p.holds)
	p.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`{
		if (!window.holds) {
			window.holds = [];
			const { fetch } = window;
			window.fetch = async (...request) => {
				const at = holds.findIndex(({ path }) => request[0].startsWith(path));
				const [held] = at < 0 ? [] : holds.splice(at, 1);
				const answer = await fetch(...request);
				await held?.end;
				return answer;
			};
		}
		holds.push({ path: %q, end: new Promise((resolve) => { window[%q] = resolve; }) });
	}`, path, name)))
	return func() {
		p.t.Helper()
		awaited[bool](p, fmt.Sprintf("window.%s(), new Promise((resolve) => setTimeout(resolve, 100, true))", name))
	}
}

// become changes the person who labels.
func (p *tab) become(name string) {
	p.t.Helper()
	p.do(chromedp.Click("#person"))
	p.until("document.querySelector('dialog input') === document.activeElement")
	p.do(chromedp.Evaluate[chromedp.Void]("document.activeElement.select()"))
	p.types(name)
	p.key("Enter")
	p.until(fmt.Sprintf("document.getElementById('person').textContent === %q", name))
}

// Late answers change nothing that was asked for, shown or said since.
func lateAnswers(t *testing.T, browser context.Context) {
	s := serveDigits(t, 150, 14)
	p := enter(t, browser, s, "Ada")
	p.learned(20)

	t.Run("a class that is made goes to no other point", func(t *testing.T) {
		p := p.in(t)
		letGo := p.hold("/api/events")
		p.key("Enter")
		p.until("document.querySelector('.picker input') === document.activeElement")
		p.types("odd")
		p.until("document.querySelectorAll('.found [role=option]').length === 1")
		p.key("Enter")
		p.label("u")
		next := p.row()
		letGo()
		p.until("document.querySelectorAll('.class-list button').length === 11")
		if row := p.row(); row != next {
			t.Errorf("row %d is on the page, not %d", row, next)
		}
		p.same()
	})

	t.Run("a label is saved when it is, not when the one before is", func(t *testing.T) {
		p := p.in(t)
		row := p.row()
		first, second := p.hold("/api/events"), p.hold("/api/events")
		p.label("5")
		p.key("ArrowLeft")
		p.until(fmt.Sprintf("document.getElementById('stage').dataset.row == %d", row))
		p.label("6")
		first()
		if n := value[int](p, "document.querySelectorAll('.strip .unsaved').length"); n != 1 {
			t.Errorf("%d labels are marked as not saved, not 1", n)
		}
		second()
		p.given[row] = "6"
		p.same()
	})

	t.Run("more of what is no longer looked for", func(t *testing.T) {
		p := p.in(t)
		p.see("F", "find")
		p.until("document.querySelectorAll('.find-view .tile').length === 60")
		letGo := p.hold("/api/search")
		p.filter("label")
		p.do(chromedp.Evaluate[chromedp.Void]("document.querySelector('.find-view > button').click()"))
		p.do(chromedp.Evaluate[chromedp.Void]("document.querySelector('.find-view .tile').focus()"))
		p.key("3") // labels none of those that go
		letGo()
		p.until("document.querySelectorAll('.find-view .tile').length === 21")
		p.same()
	})

	t.Run("tiles say what was said last", func(t *testing.T) {
		p := p.in(t)
		p.do(chromedp.Evaluate[chromedp.Void]("document.querySelector('.find-view .tile').focus()"))
		row := value[int](p, "Number(document.querySelector('.find-view .tile').dataset.row)")
		letGo := p.hold("/api/points")
		p.key("3")
		p.saved()
		p.key("4")
		p.saved()
		p.until("document.querySelector('.find-view .tile').innerText.trim() === '4'")
		letGo()
		if says := value[string](p, "document.querySelector('.find-view .tile').innerText.trim()"); says != "4" {
			t.Errorf("the tile says %q", says)
		}
		p.given[row] = "4"
		p.same()
	})

	t.Run("a point that is opened leads nobody back", func(t *testing.T) {
		p := p.in(t)
		letGo := p.hold("/api/points")
		p.do(chromedp.Evaluate[chromedp.Void]("document.querySelector('.find-view .tile').focus()"))
		p.key("Enter")
		p.see("R", "progress")
		letGo()
		if view := value[string](p, "document.body.dataset.view"); view != "progress" {
			t.Errorf("the view is %s", view)
		}
	})

	t.Run("a region that is counted", func(t *testing.T) {
		p := p.in(t)
		p.see("M", "map")
		p.until("document.querySelector('.legend').children.length > 0")
		p.key("Home", "x", "Enter")
		p.until("/selected/.test(document.querySelector('.region h2')?.innerText)")
		letGo := p.hold("/api/region")
		p.key("x", "Enter", "4") // the class is for neither
		letGo()
		p.until("/selected/.test(document.querySelector('.region h2')?.innerText)")
		p.same()
		p.key("Escape")
		p.until("document.querySelector('.region').hidden")
	})

	t.Run("a region whose labels the map does not show yet", func(t *testing.T) {
		p := p.in(t)
		p.key("Home", "x", "Enter")
		p.until("/A class key labels [1-9]/.test(document.querySelector('.region .what')?.innerText)")
		letGo := p.hold("/api/map/colours")
		p.key("4")
		p.until("document.querySelector('.region').hidden")
		p.key("Home", "x", "Enter")
		p.until("/A class key labels 0/.test(document.querySelector('.region .what')?.innerText)")
		p.key("Escape", "z")
		letGo()
		p.same()
	})

	t.Run("a batch of points that have labels", func(t *testing.T) {
		p := p.in(t)
		p.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`{
			const { fetch } = window;
			window.fetch = async (...request) => {
				if (!request[0].startsWith('/api/similar')) return fetch(...request);
				window.fetch = fetch;
				const labelled = %s;
				const others = Array.from({ length: 100 }, (_, i) => i + 1).filter((row) => !labelled.includes(row)).slice(0, 4);
				return Response.json({ rows: [...labelled.slice(0, 4), ...others], sure: 8, class: 0 });
			};
		}`, rowsOf(p.given))))
		p.see("B", "batch")
		p.until("document.activeElement.matches('.batch-view .tile')")
		for _, row := range value[[]int](p, "[...document.querySelectorAll('.tile')].map((tile) => Number(tile.dataset.row))") {
			if p.given[row] != "" {
				t.Errorf("row %d, which has a label, is in the batch", row)
			}
		}
	})

	t.Run("another person", func(t *testing.T) {
		p := p.in(t)
		p.until("!document.querySelector('.batch-view .primary').disabled")
		next, state := p.hold("/api/next"), p.hold("/api/state")
		p.become("Ben")
		p.until("document.querySelector('.batch-view .primary').disabled")
		next()
		state()
		p.see("L", "label")
		p.until("document.getElementById('stage').dataset.row > 0")
		row := p.row()
		p.given[row] = p.digit(row)
		p.label(p.given[row])
		p.saved()
		undone := p.hold("/api/undo")
		p.key("z")
		p.become("Chi")
		p.until("document.querySelectorAll('.strip button').length === 0 && document.getElementById('stage').dataset.row > 0")
		row = p.row()
		undone()
		p.until("document.getElementById('stage').ariaBusy === 'false'")
		if now := p.row(); now != row {
			t.Errorf("row %d, of somebody else's undo, is on the page in place of %d", now, row)
		}
	})
}

// filter has points found by their state.
func (p *tab) filter(state string) {
	p.t.Helper()
	p.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`{
		const state = document.querySelector('[aria-label=State]');
		state.value = %q;
		state.dispatchEvent(new Event('change'));
	}`, state)))
}

// rowsOf are the rows of labels, as JavaScript has a list.
func rowsOf(given map[int]string) string {
	text := "["
	for row := range given {
		text += fmt.Sprint(row, ",")
	}
	return text + "]"
}
