package labelpage_test

import (
	"context"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"lapsvm/app/labelpage"
)

// Images that arrive while somebody labels are announced briefly, counted and placed on the map.
// They are asked for once no others are left. Nothing is reloaded, and keys work all the while.
func rowsCome(t *testing.T, browser context.Context) {
	const before, after = 40, 52
	all, truth := digits(after, 9)
	first := make([]int, before)
	for i := range first {
		first[i] = i
	}
	s := serve(t, all.Subset(first), tenDigits...)
	s.truth = truth
	s.end()
	var came atomic.Bool
	s.source = labelpage.Source{Called: "digits", Every: time.Millisecond, Mark: "first",
		Look: func() (string, bool, error) {
			if came.Load() {
				return "more", false, nil
			}
			return "first", false, nil
		},
		Read: func(context.Context, *labelpage.Content) (*labelpage.Content, []int, error) {
			return labelpage.NewContent(all, nil, nil), nil, nil
		}}
	s.start()
	p := enter(t, browser, s, "Ada")
	p.learned(20)
	p.see("M", "map")
	p.until("document.querySelector('.map-canvas').getAttribute('aria-label') === 'Map of 40 images, 20 of them labelled'")
	came.Store(true)
	p.until("document.querySelector('.map-canvas').getAttribute('aria-label') === 'Map of 52 images, 20 of them labelled'")
	p.until("document.getElementById('toast').textContent === '12 new images'")
	p.until("document.getElementById('set-size').textContent === '52 images' && /of 52/.test(document.querySelector('.overview').innerText)")
	p.see("L", "label")
	var rows []int
	for range after - 21 {
		rows = append(rows, p.label(p.digit(p.row())))
	}
	rows = append(rows, p.row())
	p.key(p.digit(p.row()))
	p.saved()
	if slices.Max(rows) <= before {
		t.Errorf("of the rows that came none was asked for: %v", rows)
	}
	p.until("/Nothing is left to label/.test(document.getElementById('stage').innerText)")
	p.until("document.querySelector('.machine').textContent === 'The model has all " + strconv.Itoa(after) + " labels'")
}
