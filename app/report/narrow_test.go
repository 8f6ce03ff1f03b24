package report

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"lapsvm/internal/testing/chromium"
)

// A page never scrolls sideways, its pictures fill the width there is, and none of their words are cut off or lie over others.
func TestNarrowScreens(t *testing.T) {
	ctx := chromium.Start(t)
	var b bytes.Buffer
	if err := glance().WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	count := func(script string) int {
		t.Helper()
		n, err := chromedp.Run(ctx, chromedp.Evaluate[int](script))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if _, err := chromedp.Run(ctx, chromedp.Navigate("file://"+path)); err != nil {
		t.Fatal(err)
	}
	for _, width := range []int64{360, 800, 1200} {
		if _, err := chromedp.Run(ctx, chromedp.EmulateViewport(width, 800)); err != nil {
			t.Fatal(err)
		}
		wide := count("document.documentElement.scrollWidth - innerWidth")
		cut := count("[...document.querySelectorAll('.inked text')].filter(e => { const a = e.getBoundingClientRect(), b = e.ownerSVGElement.getBoundingClientRect(); return a.right > b.right + 2 || a.left < b.left - 2 }).length")
		narrow := count("[...document.querySelectorAll('.inked svg')].filter(e => e.getBoundingClientRect().width < 280).length")
		over := count(`[...document.querySelectorAll('.inked svg')].map(s => { const all = [...s.querySelectorAll('text:not(.name)')].map(e => e.getBoundingClientRect());
			return all.filter((a, i) => all.some((b, j) => j > i && a.left < b.right && b.left < a.right && a.top + 3 < b.bottom && b.top + 3 < a.bottom)).length }).reduce((a, b) => a + b, 0)`)
		if wide > 0 || cut > 0 || narrow > 0 || over > 0 {
			t.Errorf("%d wide: %d dots to the right of the screen, %d texts cut off, %d pictures too narrow to read, %d texts over others", width, wide, cut, narrow, over)
		}
	}
}
