package labelpage_test

import (
	"context"
	"testing"

	"github.com/chromedp/chromedp"

	"lapsvm/internal/machines/task"
)

// Why a point is predicted as it is stands under its prediction when it is asked for, and goes with the point.
func why(t *testing.T, browser context.Context) {
	s := serveTable(t, numbersOfRows(80), task.Kind{}, "narrow", "wide")
	p := enter(t, browser, s, "Ada")
	for range 12 {
		p.label(map[bool]string{true: "1", false: "2"}[p.row() <= 40])
	}
	p.saved()
	p.until("document.querySelector('.machine').textContent === 'The model has all 12 labels' && !document.querySelector('.doing')")
	const reasons, button = "document.querySelector('.reasons')", "[...document.querySelectorAll('.predicted button')].find((b) => b.innerText === 'Why?')"
	if !value[bool](p, button+" === undefined || "+button+".hidden") {
		t.Error("reasons are offered without a prediction")
	}
	p.key("p")
	p.until(button + "?.hidden === false")
	p.do(chromedp.Evaluate[chromedp.Void](button + ".click()"))
	p.until("/^(narrow|wide), .*width = \\d+ \\(usual \\d+\\)/.test(" + reasons + ".innerText)")
	p.label("u")
	p.until(reasons + ".innerText === '' && " + button + "?.hidden === false")
}
