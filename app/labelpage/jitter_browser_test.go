package labelpage_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"lapsvm/internal/testing/chromium"
)

// seedOfDelays is the key of the seed of delays in a browser's context, which is absent where
// nothing is delayed.
type seedOfDelays struct{}

// delayed delays every request and every answer of a tab at random, by up to 200 ms.
func (p *tab) delayed(browser context.Context) {
	p.t.Helper()
	seed, is := browser.Value(seedOfDelays{}).(int)
	if !is {
		return
	}
	// The generator is that of Numerical Recipes, modulo 2³².
	script := fmt.Sprintf(`{
		const { fetch } = window;
		let chance = %d;
		const late = () => new Promise((resolve) => {
			chance = (Math.imul(chance, 1664525) + 1013904223) >>> 0;
			setTimeout(resolve, 200 * chance / 2 ** 32);
		});
		window.fetch = async (...request) => {
			await late();
			const answer = await fetch(...request);
			await late();
			return answer;
		};
	}`, seed)
	p.do(chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script})
		return err
	}))
}

// The page does not depend on the order of requests and answers.
func TestPageWithDelays(t *testing.T) {
	if os.Getenv("LAPSVM_LONG") == "" {
		t.Skip("takes minutes: set LAPSVM_LONG")
	}
	b := chromium.Start(t)
	for seed := range 3 {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			for _, part := range parts {
				t.Run(part.name, func(t *testing.T) { part.test(t, context.WithValue(b, seedOfDelays{}, seed)) })
			}
		})
	}
}
