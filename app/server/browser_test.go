package server

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"lapsvm/internal/testing/chromium"
)

// The page asks for the token, describes the models and tries each: its answers are those of the
// address. It shows errors, fits a telephone, and is dark for people who prefer that.
func TestPage(t *testing.T) {
	b := chromium.Start(t)
	s := serve(t, theTwo(t), func(c *Config) { c.Token = "secret" })
	do := func(a chromedp.Action[chromedp.Void]) {
		t.Helper()
		ctx, cancel := context.WithTimeout(b, time.Minute)
		defer cancel()
		if _, err := chromedp.Run(ctx, a); err != nil {
			t.Fatal(err)
		}
	}
	script := func(text string) { t.Helper(); do(chromedp.Evaluate[chromedp.Void](text)) }
	until := func(condition string) {
		t.Helper()
		for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
			is, err := chromedp.Run(b, chromedp.Evaluate[bool]("!!("+condition+")"))
			if err != nil {
				t.Fatal(err)
			}
			if is {
				return
			}
			if time.Now().After(end) {
				all, _ := chromedp.Run(b, chromedp.Evaluate[string]("document.body.innerText"))
				t.Fatalf("%s does not come to be:\n%s", condition, all)
			}
		}
	}
	do(chromedp.Navigate(s.url))
	until("!document.getElementById('key').hidden && document.getElementById('trouble').innerText.includes('token')")
	enter := func(token string) {
		t.Helper()
		script("document.getElementById('token').value = '" + token + "'; document.getElementById('enter').click()")
	}
	enter("wrong")
	until("document.getElementById('trouble').innerText.includes('wrong')")
	enter("secret")
	until("document.getElementById('trouble').innerText === '' && document.getElementById('facts').innerText.includes('gaussian')")
	shown := func(name string) string {
		t.Helper()
		text, err := chromedp.Run(b, chromedp.Evaluate[string](name))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	// The first one shown is customers: so each is one that the page changes to.
	for _, c := range []struct{ model, facts, names, rows string }{
		{"moons", "2 features", "x,y\n", "0.5,1\n-3,2e0\n"},
		{"customers", "plan (category)", "age,plan,since,pays\n", "31,gold,2020-01-05,yes\n,free,2021-03-01,no\n"},
	} {
		v, err := s.s.serving.Load().find(c.model, "")
		if err != nil {
			t.Fatal(err)
		}
		c.names += strings.Join(v.example(), ",") + "\n" // a row to try is there

		script("document.getElementById('model').value = '" + c.model + "'; document.getElementById('model').dispatchEvent(new Event('change'))")
		until("document.getElementById('rows').value === " + quotedJSON(c.names))
		if facts := shown("document.getElementById('facts').innerText"); !strings.Contains(facts, c.facts) {
			t.Errorf("%s: %s", c.model, facts)
		}
		script("document.getElementById('rows').value += " + quotedJSON(c.rows) + "; document.getElementById('ask').click()")
		until("document.querySelectorAll('#answer td').length > 0")
		_, text := s.do("POST", "/v2/models/"+c.model+"/predict", c.names+c.rows, "Content-Type", "text/csv", "Authorization", "Bearer secret")
		var want predictResponse
		if err := json.Unmarshal([]byte(text), &want); err != nil {
			t.Fatal(err, text)
		}
		if got := strings.Fields(shown("[...document.querySelectorAll('#answer td:nth-child(2)')].map((c) => c.innerText).join(' ')")); !slices.Equal(got, want.Labels) {
			t.Errorf("%s: labels %q, want %q", c.model, got, want.Labels)
		}
		if line := shown("document.getElementById('shell').innerText"); !strings.Contains(line, s.url+"/v2/models/"+c.model+"/predict?proba=true") || strings.Contains(line, "secret") {
			t.Error(line)
		}
		script("document.getElementById('rows').value += '1,two\\n'; document.getElementById('ask').click()")
		until("document.getElementById('trouble').innerText.startsWith('rows:5') && document.querySelectorAll('#answer td').length === 0")
	}
	// Of two models that are chosen after each other the last is described, whichever answers first.
	script(`{
		const { fetch } = window;
		const model = document.getElementById('model');
		const choose = (name) => { model.value = name; model.dispatchEvent(new Event('change')); };
		window.first = new Promise((resolve) => {
			window.fetch = async (path, options) => {
				window.fetch = fetch;
				const answer = await fetch(path, { ...options, signal: undefined });
				while (!document.getElementById('facts').innerText.includes('2 features')) await new Promise((r) => setTimeout(r, 5));
				setTimeout(resolve, 100);
				return answer;
			};
		});
		choose('customers');
		choose('moons');
	}`)
	until("first.then(() => { window.late = true; }) && window.late")
	if facts := shown("document.getElementById('facts').innerText"); !strings.Contains(facts, "2 features") {
		t.Errorf("moons is chosen, and described is %s", facts)
	}
	for _, width := range []int64{1280, 390} {
		do(chromedp.EmulateViewport(width, 800))
		until("document.documentElement.scrollWidth <= innerWidth")
		picture(t, b, fmt.Sprintf("page-%d", width))
	}
	if _, err := chromedp.Call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}}); err != nil {
		t.Fatal(err)
	}
	until("getComputedStyle(document.getElementById('trouble')).color === 'rgb(245, 145, 138)'")
	picture(t, b, "page-dark")
}

// quotedJSON is a text as JavaScript has it.
func quotedJSON(text string) string {
	quoted, _ := json.Marshal(text) // of any text
	return string(quoted)
}

// picture keeps a screenshot beside the other artifacts of the test (-artifacts).
func picture(t *testing.T, b context.Context, name string) {
	t.Helper()
	image, err := chromedp.Run(b, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.WriteFile(filepath.Join(t.ArtifactDir(), name+".png"), image, 0o600)
	}
	if err != nil {
		t.Error(err)
	}
}
