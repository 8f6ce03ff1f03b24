package report

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"lapsvm/internal/testing/chromium"
)

// A page never scrolls sideways, its pictures fill the width there is, and nothing of them is cut off.
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
		if wide > 0 || cut > 0 || narrow > 0 {
			t.Errorf("%d wide: %d dots to the right of the screen, %d texts cut off, %d pictures too narrow to read", width, wide, cut, narrow)
		}
	}
}
