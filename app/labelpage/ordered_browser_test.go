package labelpage_test

import (
	"context"
	"fmt"
	"maps"
	"testing"

	"lapsvm/internal/machines/task"
)

// Ordered classes have the keys 1, 2, 3 and their places from the lowest to the highest, whichever is used first. No class is added, renamed or
// merged. People who differ are told by how many ranks.
func orderedClasses(t *testing.T, browser context.Context) {
	s := serveTable(t, numbersOfRows(60), task.Ordered("low", "mid", "high"))
	p := enter(t, browser, s, "Ada")
	list := "[...document.querySelectorAll('.class-list button')].map((b) => b.querySelector('kbd').textContent + b.querySelector('.name').textContent).join(' ')"
	for k := range 12 {
		if got := value[string](p, list); got != "1low 2mid 3high" {
			t.Fatalf("after %d labels the classes are %s", k, got)
		}
		key := 3 - (p.row()-1)/20 // the highest first
		p.given[p.label(fmt.Sprint(key))] = []string{"low", "mid", "high"}[key-1]
	}
	p.same()
	p.key("p")
	p.until("document.querySelector('.bars .chip')")
	if got := value[string](p, "[...document.querySelectorAll('.bars .chip')].map((c) => c.textContent).join(' ')"); got != "low mid high" {
		t.Errorf("the bars are of %s", got)
	}
	if value[bool](p, "document.querySelector('.classes header').innerText.includes('Edit')") {
		t.Error("classes can be edited")
	}
	p.key(".")
	p.until("document.querySelector('dialog input')")
	p.types("middling")
	if found := value[string](p, "document.getElementById('found').innerText"); found != "" {
		t.Errorf("%q is offered", found)
	}
	p.key("Escape")

	ben := enter(t, browser, s, "Ben")
	ben.choose("second")
	ben.until("document.querySelector('.reason').classList.contains('blind')")
	ben.given = maps.Clone(p.given)
	for range 12 {
		key := map[string]string{"low": "3", "mid": "2", "high": "3"}[p.given[ben.row()]]
		row := ben.row()
		ben.key(key)
		ben.until(fmt.Sprintf("document.getElementById('stage').dataset.row != %d", row))
		if key == "3" && p.given[row] == "low" {
			delete(ben.given, row) // a tie
		}
	}
	ben.same()
	ben.see("P", "people")
	ben.until("document.querySelector('.people-view').innerText.includes('2 ranks apart') && document.querySelector('.people-view').innerText.includes('Weighted κ')")
	ben.until(fmt.Sprintf("document.querySelectorAll('.people-view .suspect').length === %d", len(p.given)-len(ben.given)))
}
