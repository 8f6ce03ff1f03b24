package labelpage_test

import (
	"os"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
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

// TestPageSpeed prints how long the page takes from a key to the next point
// drawn, over 60 labels of 12,000 images, one every 0.3 seconds as a quick person
// gives them and then as fast as they come, and how many frames a second the map of
// 100,000 points has while it is panned and zoomed. It runs where LAPSVM_LONG is set.
func TestPageSpeed(t *testing.T) {
	if os.Getenv("LAPSVM_LONG") == "" {
		t.Skip("needs LAPSVM_LONG")
	}
	b := browser(t)
	t.Run("keys", func(t *testing.T) {
		s := serveDigits(t, 12000, 5)
		p := enter(t, b, s, "Ada")
		for _, pause := range []time.Duration{300 * time.Millisecond, 0} {
			p.do(chromedp.Evaluate[chromedp.Void](watchKeys))
			for range 60 {
				time.Sleep(pause)
				p.labels(1)
			}
			p.until("drawn.length === 60")
			times := value[[]float64](p, "drawn")
			slices.Sort(times)
			t.Logf("key to next point drawn, 60 labels of 12,000 images, %v between them: median %.0f ms, 95 %% under %.0f ms, longest %.0f ms",
				pause, times[30], times[56], times[59])
		}
		p.saved()
		if n := len(s.settled()); n != 120 {
			t.Errorf("%d labels of 120 are on disk", n)
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
