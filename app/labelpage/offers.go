package labelpage

import (
	"sync"
	"time"

	"lapsvm/app/labelpage/store"
)

// offers remembers for a while to whom each row was given: two people who label at once
// get different rows. It also remembers which rows are asked blindly.
type offers struct {
	mu    sync.Mutex
	row   map[int]offer
	blind map[string][]int // rows that the page of a person has yet to show, or shows
}

type offer struct {
	person string
	until  time.Time
}

const (
	offerTime  = 2 * time.Minute
	mostOffers = 1000 // kept before those that are over are forgotten
)

// elsewhere reports whether a row is with another person, else offers it to this one.
func (o *offers) elsewhere(row int, person string, now time.Time) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.row == nil {
		o.row = make(map[int]offer)
	}
	if old, is := o.row[row]; is && old.person != person && now.Before(old.until) {
		return true
	}
	if len(o.row) > mostOffers {
		for row, old := range o.row {
			if now.After(old.until) {
				delete(o.row, row)
			}
		}
	}
	o.row[row] = offer{person, now.Add(offerTime)}
	return false
}

// keepBlind remembers the points that were just given to a person blindly. Of earlier
// blind points it keeps those that the page still has, and forgets the others.
func (o *offers) keepBlind(person string, given []nextPoint, has map[int]bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	var rows []int
	for _, row := range o.blind[person] {
		if has[row] {
			rows = append(rows, row)
		}
	}
	for _, p := range given {
		if p.Blind {
			rows = append(rows, p.Row-1)
		}
	}
	if o.blind == nil {
		o.blind = make(map[string][]int)
	}
	if o.blind[person] = rows; len(rows) == 0 {
		delete(o.blind, person)
	}
}

// awaited returns the rows that a person is asked blindly and has said nothing of. Their
// predictions must not be shown.
func (o *offers) awaited(st *store.State) map[int]bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	all := make(map[int]bool)
	for person, rows := range o.blind {
		for _, row := range rows {
			if _, said := st.Annotation(row, person); !said {
				all[row] = true
			}
		}
	}
	return all
}
