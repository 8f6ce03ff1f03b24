package labelpage_test

import (
	"bytes"
	"context"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"lapsvm/label/store"
)

// A wrong token gets no page, and nothing of the data.
func wrongToken(t *testing.T, browser context.Context) {
	set, _ := digits(30, 1)
	s := serve(t, set, "0", "1")
	for _, path := range []string{"/", "/?token=wrong", "/api/state", "/api/image/1.png", "/assets/app.js"} {
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

// While nothing answers, labelling goes on; afterwards every label is there, once.
func networkCut(t *testing.T, browser context.Context) {
	set, truth := digits(200, 4)
	s := serve(t, set, tenDigits...)
	p := enter(t, browser, s, "Ada")
	given := make(map[int]string)
	label := func(n int) {
		t.Helper()
		for range n {
			row := p.row()
			given[row] = strconv.Itoa(truth[row-1])
			p.label(given[row])
		}
	}
	label(10)
	p.saved()
	before := len(s.settled())
	s.relay.cut()
	p.until("document.getElementById('saving').dataset.kind === 'offline'")
	label(4)
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
	s.relay.join()
	p.saved()
	label(5)
	p.saved()
	same(t, s, given)
	var events int64
	s.store.View(func(st *store.State) { events = st.Version() })
	if want := int64(len(tenDigits) + len(given)); events != want {
		t.Errorf("%d events in place of %d: something was doubled", events, want)
	}
}

// A server that is started anew has another token: the page keeps what was not
// sent, warns before it is closed, and sends it once the new address is opened.
func anotherServer(t *testing.T, browser context.Context) {
	set, truth := digits(60, 5)
	s := serve(t, set, tenDigits...)
	p := enter(t, browser, s, "Ada")
	given := make(map[int]string)
	label := func() {
		t.Helper()
		row := p.row()
		given[row] = strconv.Itoa(truth[row-1])
		p.label(given[row])
	}
	label()
	p.saved()
	s.relay.cut()
	s.end()
	label()
	label()
	p.until("document.getElementById('saving').dataset.kind === 'offline'")
	s.start()
	p.until("document.getElementById('saving').dataset.kind === 'locked'")
	warned := make(chan bool, 1)
	if err := chromedp.Listen(p.ctx, func(event any) {
		if e, is := event.(*page.EventJavascriptDialogOpening); is {
			warned <- e.Type == page.DialogTypeBeforeunload
			go func() {
				_, _ = chromedp.Call(p.ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: true})
			}()
		}
	}); err != nil {
		t.Fatal(err)
	}
	p.do(chromedp.Navigate(s.url))
	select {
	case unload := <-warned:
		if !unload {
			t.Error("another dialog came than the one before a page is left")
		}
	default:
		t.Error("the page was left without a warning, with labels not sent")
	}
	p.until("document.getElementById('stage')?.dataset.row > 0")
	p.saved()
	same(t, s, given)
}
