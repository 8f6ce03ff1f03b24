package labelpage_test

import (
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"lapsvm/internal/testing/chromium"
)

// watchKeys notes, for every key pressed, the time in milliseconds from its
// event until the frame with the next point has been handed on to be drawn.
const watchKeys = `{
	if (window.watching) watching.disconnect();
	window.drawn = [];
	let pressed = 0;
	addEventListener('keydown', (e) => { pressed = e.timeStamp; }, true);
	window.watching = new MutationObserver(() => {
		if (!document.getElementById('stage').dataset.row) return;
		const from = pressed;
		requestAnimationFrame(() => {
			const channel = new MessageChannel();
			channel.port1.onmessage = () => drawn.push(performance.now() - from);
			channel.port2.postMessage(0);
		});
	});
	watching.observe(document.getElementById('stage'), { attributes: true, attributeFilter: ['data-row'] });
}`

// TestPageSpeed prints how long the page takes from a key to the next point drawn. It labels 60 of
// 12,000 images, one every 0.3 seconds as a quick person does, and then 60 without a pause. Next it
// labels 6,000 images for half a minute, at six labels a second, while the first machine opens and
// others are chosen. Last it prints the frames a second of a map of 100,000 points that is panned
// and zoomed. It runs where LAPSVM_LONG is set.
func TestPageSpeed(t *testing.T) {
	if os.Getenv("LAPSVM_LONG") == "" {
		t.Skip("needs LAPSVM_LONG")
	}
	b := chromium.Start(t)
	t.Run("keys", func(t *testing.T) {
		s := serveDigits(t, 12000, 5)
		p := enter(t, b, s, "Ada")
		for _, pause := range []time.Duration{300 * time.Millisecond, 0} {
			p.do(chromedp.Evaluate[chromedp.Void](watchKeys))
			for range 60 {
				time.Sleep(pause)
				p.labels(1)
			}
			p.tellDrawn(60, fmt.Sprintf("12,000 images, %v between them", pause))
		}
		p.saved()
		if n := len(s.settled()); n != 120 {
			t.Errorf("%d labels of 120 are on disk", n)
		}
	})
	t.Run("first keys", func(t *testing.T) {
		s := serveDigits(t, 6000, 7)
		s.end()
		s.trainer.Recipe.RulesOfThumb = false
		s.start()
		p := enter(t, b, s, "Ada")
		p.do(chromedp.Evaluate[chromedp.Void](watchKeys))
		const labels = 180
		for from, k := time.Now(), 0; k < labels; k++ {
			time.Sleep(time.Until(from.Add(time.Duration(k) * time.Second / 6)))
			p.labels(1)
		}
		p.tellDrawn(labels, "6,000 images, six a second from the start")
		p.saved()
		if n := len(s.settled()); n != labels {
			t.Errorf("%d labels of %d are on disk", n, labels)
		}
	})
	t.Run("map", func(t *testing.T) {
		p := enter(t, b, serveDigits(t, 100_000, 6), "Ada")
		p.see("M", "map")
		p.untilWithin(5*time.Minute, "document.querySelector('.legend').children.length > 0")
		frames := awaited[float64](p, `new Promise((resolve) => {
			const canvas = document.querySelector('.map-canvas');
			const from = performance.now();
			let frames = 0;
			(function step() {
				const at = performance.now() - from;
				if (at > 4000) return resolve(frames / at * 1000);
				frames++;
				canvas.dispatchEvent(new WheelEvent('wheel', { deltaY: Math.sin(at / 500) * 40, clientX: 500, clientY: 400, cancelable: true }));
				requestAnimationFrame(step);
			})();
		})`)
		t.Logf("map of 100,000 points while it is zoomed: %.0f frames a second", frames)
	})
}

// tellDrawn logs the times of the watched keys.
func (p *tab) tellDrawn(keys int, of string) {
	p.t.Helper()
	p.until(fmt.Sprintf("drawn.length === %d", keys))
	times := value[[]float64](p, "drawn")
	slices.Sort(times)
	p.t.Logf("key to next point drawn, %d labels of %s: median %.0f ms, 95 %% under %.0f ms, longest %.0f ms",
		keys, of, times[keys/2], times[keys*95/100-1], times[keys-1])
}
