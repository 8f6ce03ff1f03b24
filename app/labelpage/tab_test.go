package labelpage_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"lapsvm/app/labelpage/store"
)

// tab is a page in a browser.
type tab struct {
	t     *testing.T
	ctx   context.Context
	s     *service       // behind it; nil for none
	given map[int]string // the labels that somebody gave by it, by row from 1
	holds int            // how often an answer was held back
}

// open opens an address as a new person, with a storage of its own.
func open(t *testing.T, browser context.Context, url string) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	p := &tab{t: t, ctx: ctx, given: make(map[int]string)}
	p.do(chromedp.EmulateViewport(1280, 800))
	go func() {
		for message, err := range chromedp.Console(ctx) {
			if err != nil {
				return
			}
			if text := message.String(); message.IsException() || strings.Contains(text, "Content Security Policy") {
				t.Errorf("the page failed: %s", message)
			}
		}
	}()
	p.delayed(browser)
	p.do(chromedp.Navigate(url))
	return p
}

// enter opens the page and gives a name.
func enter(t *testing.T, browser context.Context, s *service, name string) *tab {
	t.Helper()
	p := open(t, browser, s.url)
	p.s = s
	p.until("document.querySelector('dialog input')")
	p.types(name)
	p.key("Enter")
	p.until("document.getElementById('stage')?.dataset.row > 0")
	return p
}

func (p *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	if err := chromedp.Do(p.ctx, steps...); err != nil {
		p.t.Fatal(err)
	}
}

// value evaluates a script.
func value[T any](p *tab, script string) T {
	p.t.Helper()
	v, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](script))
	if err != nil {
		p.t.Fatalf("%s: %v", script, err)
	}
	return v
}

// awaited evaluates a script that promises a value.
func awaited[T any](p *tab, script string) T {
	p.t.Helper()
	v, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](script, chromedp.EvalAwaitPromise))
	if err != nil {
		p.t.Fatalf("%s: %v", script, err)
	}
	return v
}

// until waits for a condition, or fails with the text of the page.
func (p *tab) until(condition string) {
	p.t.Helper()
	p.untilWithin(patience, condition)
}

func (p *tab) untilWithin(patience time.Duration, condition string) {
	p.t.Helper()
	// The page looks by itself, for a while: asked from here, it would be kept from its work.
	look := fmt.Sprintf(`new Promise((resolve) => {
		const end = performance.now() + 1000;
		(function look() {
			let is = false;
			try {
				is = Boolean(%s);
			} catch {
				// Something is not there yet.
			}
			if (is || performance.now() > end) resolve(is);
			else setTimeout(look, 4);
		})();
	})`, condition)
	for end := time.Now().Add(patience); ; {
		is, err := chromedp.Run(p.ctx, chromedp.Evaluate[bool](look, chromedp.EvalAwaitPromise))
		if err == nil && is {
			return
		}
		if time.Now().After(end) {
			p.t.Fatalf("never came: %s (%v)\nThe page says:\n%s", condition, err, value[string](p, "document.body.innerText"))
		}
		if err != nil { // there is no page yet
			time.Sleep(10 * time.Millisecond)
		}
	}
}

// named are the keys that no rune stands for.
var named = map[string]string{
	"Enter": kb.Enter, "Escape": kb.Escape, "ArrowLeft": kb.ArrowLeft, "ArrowRight": kb.ArrowRight, "ArrowDown": kb.ArrowDown, "ArrowUp": kb.ArrowUp, "Home": kb.Home,
}

// key presses keys one after the other, without the characters that they would type.
func (p *tab) key(names ...string) {
	p.t.Helper()
	for _, name := range names {
		runes := name
		if key, ok := named[name]; ok {
			runes = key
		}
		p.do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
			for _, r := range runes {
				for _, event := range kb.Encode(r) {
					if event.Type == kb.KeyChar && name != "Enter" {
						continue
					}
					if _, err := cdp.Call(ctx, target, input.DispatchKeyEvent, *event); err != nil {
						return err
					}
				}
			}
			return nil
		}))
	}
}

// types writes text into the field that has the focus.
func (p *tab) types(text string) {
	p.t.Helper()
	p.do(chromedp.KeyEvent(text))
}

// row returns the row of the point on the page, from 1; 0 where there is none.
func (p *tab) row() int {
	p.t.Helper()
	n, err := strconv.Atoi("0" + value[string](p, "document.getElementById('stage').dataset.row"))
	if err != nil {
		p.t.Fatal(err)
	}
	return n
}

// label gives the point on the page a class by its key, waits for the next
// one, and returns the row.
func (p *tab) label(key string) int {
	p.t.Helper()
	row := p.row()
	if row == 0 {
		p.t.Fatal("no point to label")
	}
	p.key(key)
	p.until(fmt.Sprintf("document.getElementById('stage').dataset.row > 0 && document.getElementById('stage').dataset.row != %d", row))
	return row
}

// digit returns the digit on the image of a row, from 1, as the name of its class.
func (p *tab) digit(row int) string { return strconv.Itoa(p.s.truth[row-1]) }

// labels gives n points, one after the other, the class of the shown digit.
func (p *tab) labels(n int) {
	p.t.Helper()
	for range n {
		row := p.row()
		p.given[row] = p.digit(row)
		p.label(p.given[row])
	}
}

// same waits until all is on disk, and fails unless the aggregated labels are the given ones.
func (p *tab) same() {
	p.t.Helper()
	p.saved()
	got := p.s.settled()
	for row, name := range p.given {
		if got[row] != name {
			p.t.Errorf("row %d is %q, not %q", row, got[row], name)
		}
	}
	if len(got) != len(p.given) {
		p.t.Errorf("%d labels in place of %d", len(got), len(p.given))
	}
}

// once is same of digits that were labelled by nothing but p.labels: each label is one event.
func (p *tab) once() {
	p.t.Helper()
	p.same()
	var events int64
	p.s.store.View(func(st *store.State) { events = st.Version() })
	if want := int64(len(tenDigits) + len(p.given)); events != want {
		p.t.Errorf("%d events in place of %d: something was doubled", events, want)
	}
}

// in is the tab for a part of a test.
func (p *tab) in(t *testing.T) *tab {
	part := *p
	part.t = t
	return &part
}

// choose changes the mode in which points are chosen.
func (p *tab) choose(mode string) {
	p.t.Helper()
	p.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`{
		const mode = document.getElementById('mode');
		mode.value = %q;
		mode.dispatchEvent(new Event('change'));
	}`, mode)))
}

// saved waits until all is on disk.
func (p *tab) saved() {
	p.t.Helper()
	p.until("document.getElementById('saving').dataset.kind === 'saved'")
}

// see goes to a view by its key.
func (p *tab) see(key, view string) {
	p.t.Helper()
	p.key(key)
	p.until(fmt.Sprintf("document.body.dataset.view === %q", view))
}
