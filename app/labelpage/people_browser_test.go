package labelpage_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/chromedp/chromedp"

	"lapsvm/app/labelpage/store"
)

// Three people in three browsers label the same points with keys that contradict each
// other. Agreement of two people settles one point, and adjudication by one of the
// three settles the other.
func threePeople(t *testing.T, browser context.Context) {
	s := serveDigits(t, 80, 7)
	ada, ben, chi := enter(t, browser, s, "Ada"), enter(t, browser, s, "Ben"), enter(t, browser, s, "Chi")
	said := func(p *tab, row int) int { // Ben and Chi err, Chi in another way and only once
		switch {
		case p == ben && row >= 5:
			return (s.truth[row-1] + 1) % 10
		case p == chi && row == 6:
			return (s.truth[row-1] + 2) % 10
		}
		return s.truth[row-1]
	}
	for _, p := range []*tab{ada, ben, chi} {
		p.see("F", "find")
		p.until("document.querySelectorAll('.find-view .tile').length === 60")
		p.do(chromedp.Evaluate[chromedp.Void]("document.querySelector('.find-view .tile').focus()"))
		for row := 1; row <= 6; row++ {
			p.key(strconv.Itoa(said(p, row)), "ArrowRight")
			ada.given[row] = ada.digit(row)
		}
	}
	ben.saved()
	chi.saved()
	delete(ada.given, 6) // of which everybody says something else
	ada.same()
	ada.see("P", "people")
	ada.until("document.querySelectorAll('.suspect').length === 2")
	ada.until("/Ada and Ben.*67 %[^]*Ada and Chi.*83 %/.test(document.querySelector('.people-tables').innerText)")
	ada.until("document.activeElement.classList.contains('suspect')")
	for range 2 {
		row := value[int](ada, "Number(document.activeElement.dataset.row)")
		ada.given[row] = ada.digit(row)
		ada.key(ada.digit(row))
		ada.until(fmt.Sprintf("!document.querySelector('.suspect[data-row=\"%d\"]')", row))
	}
	ada.same()
	s.store.View(func(st *store.State) {
		var adjudicated []int
		for _, d := range st.Differences() {
			if d.Adjudicated {
				adjudicated = append(adjudicated, d.Row+1)
			}
		}
		if !slices.Equal(adjudicated, []int{5, 6}) {
			t.Errorf("the rows %v were adjudicated", adjudicated)
		}
	})
	ben.until("document.querySelector('.overview .line .figure').textContent === '6'")
}

// Second opinions are asked blindly, of points that others labelled, and the agreement
// is shown as it grows. The third person labels in the browser of the second.
func secondOpinions(t *testing.T, browser context.Context) {
	s := serveDigits(t, 80, 8)
	ada, ben := enter(t, browser, s, "Ada"), enter(t, browser, s, "Ben")
	ada.labels(6)
	ada.saved()
	ada.see("P", "people")
	second := "document.querySelector('.reason').classList.contains('blind') && document.getElementById('stage').dataset.row > 0"
	ben.choose("second")
	for k := range 5 {
		ben.until(second)
		row := ben.row()
		if ada.given[row] == "" {
			t.Errorf("row %d is asked a second time that Ada did not label", row)
		}
		class := s.truth[row-1]
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
	ben.key(ben.digit(last))
	ben.until("document.getElementById('stage').innerText.includes('Nobody else has labelled a point that you have not')")
	ben.saved()
	ben.become("Chi")
	ben.until(second)
	ben.labels(2)
	ben.saved()
	ada.until("document.querySelector('.people-tables').innerText.includes('Ada and Chi') && document.querySelector('.people-tables').innerText.includes('Ben and Chi')")
	s.store.View(func(st *store.State) {
		if n := len(st.Audits()); n != 0 {
			t.Errorf("%d second opinions count as audits", n)
		}
	})
}
