package store

import (
	"slices"
	"testing"
)

// Two rows of the store had equal contents. One of the two is left in the data: it stays with the row
// of the store that was there, and the other is gone.
func TestARowIsGivenOnce(t *testing.T) {
	p := newPlaces()
	p.add(0, "equal", "first")
	p.add(1, "equal", "second")
	d := p.settle([]string{"equal", "other"})
	if p.row(1) != 0 || p.row(2) != NoRow || p.id(0) != 1 || p.id(1) != 0 {
		t.Errorf("the rows of the store are at %v, and the data have %v", p.rows, p.ids)
	}
	if !slices.Equal(d.Gone, []string{"second"}) || len(d.Moved)+len(d.Back) > 0 {
		t.Errorf("%+v", d)
	}
	// It comes back elsewhere, and each has its own again.
	d = p.settle([]string{"equal", "other", "equal"})
	if p.row(1) != 0 || p.row(2) != 2 || !slices.Equal(d.Back, []string{"second"}) {
		t.Errorf("back: the rows of the store are at %v, %+v", p.rows, d)
	}
}

// Two rows of equal contents have both moved: each is at another row of the data.
func TestEqualRowsThatMoveStayTwo(t *testing.T) {
	p := newPlaces()
	p.add(0, "equal", "first")
	p.add(1, "equal", "second")
	d := p.settle([]string{"other", "other", "equal", "equal"})
	if p.row(1) != 2 || p.row(2) != 3 || p.id(2) != 1 || p.id(3) != 2 || len(d.Moved) != 2 {
		t.Errorf("the rows of the store are at %v, and the data have %v: %+v", p.rows, p.ids, d)
	}
}
