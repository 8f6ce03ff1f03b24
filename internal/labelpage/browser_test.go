package labelpage_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/internal/labelpage"
	"lapsvm/label/store"
	"lapsvm/train"
)

// patience is how long a test waits for what has to come before it fails.
const patience = time.Minute

// service is a server with its store, behind a relay that can be cut.
type service struct {
	t       *testing.T
	set     *dataset.Dataset
	content *labelpage.Content
	machine func(labelpage.Machine) labelpage.Machine // put around every machine; nil for none
	store   *store.Store
	relay   *relay
	url     string // with the token
	end     func()
}

// serve shows a set, with classes to begin with.
func serve(t *testing.T, set *dataset.Dataset, classes ...string) *service {
	t.Helper()
	return serveIn(t, t.TempDir(), set, classes...)
}

// serveIn is serve with the store in a folder.
func serveIn(t *testing.T, folder string, set *dataset.Dataset, classes ...string) *service {
	t.Helper()
	content := labelpage.NewContent(set, nil, nil)
	hashes, err := content.Hashes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "labels.db")
	kept, err := store.Open(t.Context(), path, store.Data{Name: "digits", Hashes: hashes})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := kept.Close(); err != nil {
			t.Error(err)
		}
	})
	var events []store.Event
	for _, name := range classes {
		events = append(events, store.Event{Person: "setup", Kind: store.ClassAdd, Name: name, Key: "class " + name})
	}
	if _, err := kept.Append(t.Context(), events); err != nil {
		t.Fatal(err)
	}
	s := &service{t: t, set: set, content: content, store: kept, relay: newRelay(t)}
	s.start()
	return s
}

// start runs a server on the store, with a token of its own.
func (s *service) start() {
	s.t.Helper()
	trainer := lapsvm.Trainer{}
	trainer.RulesOfThumb = true
	learns := labelpage.Learning(s.set, trainer)
	opener := func(ctx context.Context, labels []int, classes []string, stage func(string, float64)) (labelpage.Machine, error) {
		m, err := learns(ctx, labels, classes, stage)
		if err == nil && s.machine != nil {
			m = s.machine(m)
		}
		return m, err
	}
	server := labelpage.New(labelpage.Config{Name: "digits", Content: s.content, Store: s.store, Open: opener, Audits: -1, Exports: exportsBy(trainer)})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		s.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(s.t.Context()))
	done := make(chan error, 1)
	go func() { done <- server.Serve(ctx, l) }()
	s.end = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			s.t.Error(err)
		}
	})
	s.t.Cleanup(s.end)
	s.relay.lead(l.Addr().String())
	s.url = "http://" + s.relay.address + "/?token=" + server.Token()
}

// exportsBy makes models by a trainer, and a report that only says so.
func exportsBy(trainer lapsvm.Trainer) labelpage.Exports {
	return labelpage.Exports{
		Model: func(ctx context.Context, labelled *dataset.Dataset, _ *train.Recipe, _ func(part string, done, of int), w io.Writer) error {
			m, err := trainer.Fit(ctx, labelled)
			if err != nil {
				return err
			}
			return m.Write(w)
		},
		Report: func(_ context.Context, labelled *dataset.Dataset, _ *train.Recipe, _ func(part string, done, of int), w io.Writer) error {
			_, err := fmt.Fprintf(w, "<title>%d classes</title>", len(labelled.Classes))
			return err
		},
	}
}

// settled returns the classes' names of the rows that have one, by row from 1.
func (s *service) settled() map[int]string {
	all := make(map[int]string)
	s.store.View(func(st *store.State) {
		for row, class := range st.Settled() {
			all[row+1] = st.ClassName(class)
		}
	})
	return all
}

// tab is a page in a browser.
type tab struct {
	t   *testing.T
	ctx context.Context
}

// browser starts chromium, or skips the test where there is none.
func browser(t *testing.T) context.Context {
	t.Helper()
	var path string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Skip("needs chromium: apt-get install chromium")
	}
	options := []chromedp.ExecAllocatorOption{chromedp.Headless, chromedp.NoFirstRun, chromedp.ExecPath(path), chromedp.WindowSize(1280, 800)}
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	ctx, cancel := chromedp.NewExecAllocator(context.WithoutCancel(t.Context()), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	if _, err := chromedp.Run(ctx, chromedp.Title()); err != nil {
		t.Fatal(err)
	}
	return ctx
}

// TestPage drives the page in one browser, each part with a server of its own.
func TestPage(t *testing.T) {
	b := browser(t)
	for _, part := range []struct {
		name string
		test func(*testing.T, context.Context)
	}{
		{"wrong token", wrongToken},
		{"labelling", labelling},
		{"first classes", firstClasses},
		{"speaks and hides", speaksAndHides},
		{"network cut", networkCut},
		{"another server", anotherServer},
		{"full disk", fullDisk},
		{"two people", twoPeople},
		{"second opinions", secondOpinions},
		{"region", region},
		{"batch", batch},
		{"suspicious", suspicious},
		{"find", find},
		{"accessible", accessible},
	} {
		t.Run(part.name, func(t *testing.T) { part.test(t, b) })
	}
}

// open opens an address as somebody new: with cookies and a storage of its own.
func open(t *testing.T, browser context.Context, url string) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	p := &tab{t, ctx}
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
	p.do(chromedp.Navigate(url))
	return p
}

// enter opens the page and gives a name.
func enter(t *testing.T, browser context.Context, s *service, name string) *tab {
	t.Helper()
	p := open(t, browser, s.url)
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

// until waits for a condition, or fails with what the page says.
func (p *tab) until(condition string) {
	p.t.Helper()
	p.untilWithin(patience, condition)
}

func (p *tab) untilWithin(patience time.Duration, condition string) {
	p.t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(2 * time.Millisecond) {
		is, err := chromedp.Run(p.ctx, chromedp.Evaluate[bool]("Boolean("+condition+")"))
		if err == nil && is {
			return
		}
		if time.Now().After(end) {
			p.t.Fatalf("never came: %s (%v)\nThe page says:\n%s", condition, err, value[string](p, "document.body.innerText"))
		}
	}
}

// named are the keys that no rune stands for.
var named = map[string]string{
	"Enter": kb.Enter, "Escape": kb.Escape, "ArrowLeft": kb.ArrowLeft, "ArrowRight": kb.ArrowRight, "ArrowDown": kb.ArrowDown, "ArrowUp": kb.ArrowUp,
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

// row is that of the point on the page, from 1; 0 where there is none.
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

// choose has other points come.
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

// get asks the server as the page would.
func get(p *tab, path string) string {
	p.t.Helper()
	return value[string](p, fmt.Sprintf("(() => { const r = new XMLHttpRequest(); r.open('GET', %q, false); r.send(); return r.status + ' ' + r.responseText })()", path))
}
