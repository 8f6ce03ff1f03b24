// Package chromium starts a browser for tests of pages.
package chromium

import (
	"context"
	"os"
	"os/exec"
	"testing"

	"github.com/chromedp/chromedp"
)

// Start starts chromium with a window of 1280×800, until the test ends, or skips the test
// where there is none.
func Start(t *testing.T) context.Context {
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
