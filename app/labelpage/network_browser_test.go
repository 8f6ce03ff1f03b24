package labelpage_test

import (
	"bytes"
	"context"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// A wrong token gets no page, and nothing of the data.
func wrongToken(t *testing.T, browser context.Context) {
	set, _ := digits(30, 1)
	s := serve(t, set, "0", "1")
	for _, path := range []string{"/?token=wrong", "/?token=", "/api/state", "/api/image/1.png", "/api/image/1.png?key=wrong", "/api/export/labels.csv"} {
		answer, err := http.Get("http://" + s.relay.address + path)
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		if _, err := text.ReadFrom(answer.Body); err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusForbidden || !strings.Contains(text.String(), "token") {
			t.Errorf("GET %s without the token: %s: %s", path, answer.Status, text.String())
		}
	}
	p := open(t, browser, "http://"+s.relay.address+"/?token=wrong")
	if text := value[string](p, "document.body.innerText"); !strings.Contains(text, "open the address that lapsvm label printed") {
		t.Errorf("with a wrong token the browser shows: %s", text)
	}
}

// Labelling goes on without a connection. Afterwards every label is in the store once.
func networkCut(t *testing.T, browser context.Context) {
	s := serveDigits(t, 100, 4)
	p := enter(t, browser, s, "Ada")
	p.labels(10)
	p.saved()
	before := len(s.settled())
	s.relay.cut()
	p.until("document.getElementById('saving').dataset.kind === 'offline'")
	p.labels(4)
	p.until("document.getElementById('saving').dataset.kind === 'offline'")
	if text := value[string](p, "document.getElementById('saving').textContent"); text == "Saved" {
		t.Error("labels that no disk has are shown as saved")
	}
	if n := value[int](p, "document.querySelectorAll('.strip .unsaved').length"); n != 4 {
		t.Errorf("%d labels are marked as not saved, not 4", n)
	}
	if n := len(s.settled()); n != before {
		t.Errorf("%d labels came through a cut network", n-before)
	}
	if os.Getenv("LAPSVM_LONG") != "" {
		p.minuteAlone()
	}
	s.relay.join()
	p.saved()
	p.labels(5)
	p.once()
}

// minuteAlone labels for a minute without a connection, a point every four seconds, and prints
// how many points there were.
func (p *tab) minuteAlone() {
	p.t.Helper()
	n := len(p.given)
	for range 15 {
		time.Sleep(4 * time.Second)
		if p.row() == 0 {
			break
		}
		row := p.row()
		p.given[row] = p.digit(row)
		p.key(p.given[row])
	}
	p.t.Logf("without a connection %d more points could be labelled; then the page says %q, and %s", len(p.given)-n,
		value[string](p, "document.getElementById('stage').innerText"), value[string](p, "document.getElementById('notices').innerText"))
}

// The page shows the store's own message where the store can no longer be written, as on a file
// system that became read-only. The page keeps labels and sends them when the store can be written
// again. The messages of the store and the server are in their own tests: no test can take a file
// away from a process that has it open.
func readOnlyStore(t *testing.T, browser context.Context) {
	s := serveDigits(t, 60, 13)
	p := enter(t, browser, s, "Ada")
	p.labels(2)
	p.saved()
	p.do(chromedp.Evaluate[chromedp.Void](`{
		const real = window.fetch;
		window.fetch = (path, options) => (window.writable || path !== '/api/events' ? real(path, options)
			: Promise.resolve(Response.json({ error: 'labels.db is read-only: make it writable.' }, { status: 503 })));
	}`))
	p.labels(3)
	p.until("document.getElementById('saving').textContent === 'Not saved: 3'")
	p.until("document.getElementById('notices').innerText.includes('labels.db is read-only: make it writable.')")
	if n := len(s.settled()); n != 2 {
		t.Errorf("%d labels were taken", n)
	}
	p.do(chromedp.Evaluate[chromedp.Void]("window.writable = true"))
	p.once()
	p.until("!document.getElementById('notices').innerText.includes('read-only')")
}

// The unsent labels of a closed page are sent by the next page of the same store, in another tab.
func closedPage(t *testing.T, browser context.Context) {
	s := serveDigits(t, 60, 15)
	p := enter(t, browser, s, "Ada")
	p.labels(1)
	p.saved()
	s.relay.cut()
	p.labels(3)
	p.until("document.getElementById('saving').textContent === 'Offline, 3 not saved'")
	p.leave("about:blank")
	s.relay.join()
	s.id = "another store"
	s.end()
	s.start()
	ctx, cancel := chromedp.NewContext(p.ctx)
	defer cancel()
	next := &tab{t: t, ctx: ctx, s: s, given: p.given}
	next.do(chromedp.Navigate(s.url))
	next.until("document.getElementById('stage')?.dataset.row > 0")
	next.saved()
	if n := len(s.settled()); n != 1 {
		t.Errorf("another store got %d labels that are not for it", n-1)
	}
	s.id = ""
	s.end()
	s.start()
	next.do(chromedp.Navigate(s.url))
	next.until("document.getElementById('stage')?.dataset.row > 0")
	next.once()
	if left := value[int](next, "Object.keys(localStorage).filter((name) => name.startsWith('unsent')).length"); left != 0 {
		t.Errorf("%d changes stay in the browser that were sent", left)
	}
}

// A restarted server has another token. The page keeps its unsent labels, warns before it is
// closed, and sends them once the new address is opened.
func anotherServer(t *testing.T, browser context.Context) {
	s := serveDigits(t, 60, 5)
	p := enter(t, browser, s, "Ada")
	p.labels(1)
	p.saved()
	s.relay.cut()
	s.end()
	p.labels(2)
	p.until("document.getElementById('saving').dataset.kind === 'offline'")
	s.start()
	p.until("document.getElementById('saving').dataset.kind === 'locked'")
	p.leave(s.url)
	p.until("document.getElementById('stage')?.dataset.row > 0")
	p.once()
}

// leave goes on to another address, and fails unless the page warns before.
func (p *tab) leave(to string) {
	p.t.Helper()
	warned := make(chan bool, 1)
	if err := chromedp.Listen(p.ctx, func(event any) {
		if e, is := event.(*page.EventJavascriptDialogOpening); is {
			warned <- e.Type == page.DialogTypeBeforeunload
			go func() {
				_, _ = chromedp.Call(p.ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: true})
			}()
		}
	}); err != nil {
		p.t.Fatal(err)
	}
	p.do(chromedp.Navigate(to))
	select {
	case unload := <-warned:
		if !unload {
			p.t.Error("another dialog came than the one before a page is left")
		}
	default:
		p.t.Error("the page was left without a warning, with labels not sent")
	}
}
