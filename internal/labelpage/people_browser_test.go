package labelpage_test

import (
	"context"
	"strconv"
	"testing"

	"github.com/chromedp/chromedp"

	"lapsvm/label/store"
)

// A second opinion is asked of points that others labelled, blindly, and how far people
// agree shows as it comes. The third person labels in the browser of the second.
func secondOpinions(t *testing.T, browser context.Context) {
	set, truth := digits(80, 8)
	s := serve(t, set, tenDigits...)
	ada, ben := enter(t, browser, s, "Ada"), enter(t, browser, s, "Ben")
	given := make(map[int]bool)
	for range 6 {
		row := ada.row()
		given[row] = true
		ada.label(strconv.Itoa(truth[row-1]))
	}
	ada.saved()
	ada.see("P", "people")
	second := "document.querySelector('.reason').classList.contains('blind') && document.getElementById('stage').dataset.row > 0"
	ben.choose("second")
	for k := range 5 {
		ben.until(second)
		row := ben.row()
		if !given[row] {
			t.Errorf("row %d is asked a second time that Ada did not label", row)
		}
		class := truth[row-1]
		if k == 0 {
			class = (class + 1) % 10
		}
		ben.key("p")
		ben.label(strconv.Itoa(class))
		ben.key("p")
	}
	ben.saved()
	ada.until("document.querySelector('.people-tables').innerText.includes('80 %')")
	ada.until("document.querySelectorAll('.suspect').length === 1")
	last := ben.row()
	ben.key(strconv.Itoa(truth[last-1]))
	ben.until("document.getElementById('stage').innerText.includes('Nobody else has labelled a point that you have not')")
	ben.saved()
	ben.do(chromedp.Click("#person"))
	ben.until("document.querySelector('dialog input') === document.activeElement")
	ben.do(chromedp.Evaluate[chromedp.Void]("document.activeElement.select()"))
	ben.types("Chi")
	ben.key("Enter")
	ben.until("document.getElementById('person').textContent === 'Chi'")
	ben.until(second)
	for range 2 {
		row := ben.row()
		ben.label(strconv.Itoa(truth[row-1]))
	}
	ben.saved()
	ada.until("document.querySelector('.people-tables').innerText.includes('Ada and Chi') && document.querySelector('.people-tables').innerText.includes('Ben and Chi')")
	s.store.View(func(st *store.State) {
		if n := len(st.Audits()); n != 0 {
			t.Errorf("%d second opinions count as audits", n)
		}
	})
}
