package lapsvm

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"

	"lapsvm/dataset"
	"lapsvm/internal/machines/credit"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/system/fault"
	"lapsvm/points"
)

// Explanation says why a point has its decision value: by what is unusual about it. The usual row has the median of numbers and dates in every column, the
// commonest value of a category, the more frequent of two words, the mean of vectors, and no word of a text. All rows of the training count. What a column
// of the point has in place of that is a reason:
//
//	Value = Usual + ΣReasons + Rest
//
// Columns change one after another from what is usual to what the point has. An effect is the change of the decision value by one, in the mean over orders: a
// Shapley value. Of up to seven columns that differ it is exact. Of more it is the mean over drawn orders.
//
// Of texts every known word is a reason. Pictures are cut into parts, and the usual one is of the median colour of its dots. Of rows with edges every row that
// they lead to is a reason, and the usual row has no edge.
//
// The decision value is that of the predicted class, or the number. Of several classes at once there is an explanation for every class of a point.
type Explanation struct {
	Point   int     // the point explained, from 0
	Class   int     // index of the class that Value belongs to; 0 of numbers
	Limit   float64 // of several classes at once: the point has the class where Value is above it
	Value   float64 // the decision value of the point
	Usual   float64 // that of the usual row
	Reasons []Reason
	Rest    float64 // what many columns add together, of which none does much: Reasons lacks them
}

// Reason is what a column, a word, a part of a picture or a neighbour does to a decision value. Reasons are ordered by the magnitude of their effects, the largest first.
type Reason struct {
	What   What
	Column string // its name, or its number from 1; "part" of a picture, "neighbour" of an edge
	Value  string // what the point has: of a text a word, of a picture the part, of an edge the row that it leads to; "" of a vector, and of a category that is missing or was not seen in training
	Usual  string // what the usual row has; "" of texts, pictures, edges and vectors
	Class  int    // the class that it speaks for, by the decision values; dataset.Unlabelled for none, as of numbers
	Effect float64
	Part   *Part // of a picture
}

// What is what a reason is of.
type What int

// What reasons are of.
const (
	OfColumn What = iota
	OfWord
	OfPart
	OfNeighbour
)

// Part is a rectangle of dots, counted from 0 at the top left.
type Part struct {
	Top, Left, Height, Width int
}

// mostAsked is how many rows in place of a point are predicted to explain it, with the point itself.
const mostAsked = 200

// Explain says which columns decide about every point, see [Explanation]. What it draws depends on the seed of the recipe and on the number of columns, and not on
// other points. It fails where [Model.Scores] does, and with [ErrData] for a model that knows nothing usual: with a precomputed kernel, of graphs alone, or from
// an older program. Cost: at most 200 predictions of a point.
func (m *Model) Explain(ctx context.Context, p *points.Points) ([]Explanation, error) {
	if m.featureless {
		return nil, train.OfKind(ErrData, fault.Lacks.Errorf("the model was trained on edges alone, and no feature of a row decides: explain rows by their edges"))
	}
	return m.ExplainByEdges(ctx, p, nil)
}

// ExplainByEdges is [Model.Explain] of rows that are decided as by [Model.ScoresByEdges].
func (m *Model) ExplainByEdges(ctx context.Context, p *points.Points, arcs []dataset.Arc) ([]Explanation, error) {
	scores, err := m.scoresBy(ctx, p, arcs)
	if err != nil {
		return nil, err
	}
	if p.Dim() < m.Dim() { // sparse
		p = p.Widen(m.Dim())
	}
	of := m.toExplain(scores)
	all := make([]Explanation, 0, len(of))
	made, err := m.newPlayers(p.Sparse())
	if err != nil {
		return nil, err
	}
	names, _ := m.JoinedRows()
	var s *players
	var divided credit.Divided
	for k, x := range of {
		if k == 0 || x.point != of[k-1].point {
			s = made(p, x.point)
			s.addNeighbours(arcs, x.point, names)
			if divided, err = credit.Divide(len(s.reasons), mostAsked-1, m.recipe.Seed, func(sets [][]bool) ([][]float64, error) {
				rows, kept := s.rows(sets)
				return m.scoresBy(ctx, rows, kept)
			}); err != nil {
				return nil, err
			}
		}
		all = append(all, m.explanation(x, s.reasons, divided))
	}
	return all, ctx.Err()
}

// scoresBy returns decision values by features, and by edges where there are any.
func (m *Model) scoresBy(ctx context.Context, p *points.Points, arcs []dataset.Arc) ([][]float64, error) {
	if len(arcs) == 0 {
		return m.Scores(ctx, p)
	}
	return m.ScoresByEdges(ctx, p, arcs)
}

// explanation says what is divided among reasons.
func (m *Model) explanation(x explained, reasons []Reason, divided credit.Divided) Explanation {
	e := Explanation{Point: x.point, Class: x.class, Limit: x.limit, Value: divided.Everybody[x.class], Usual: divided.Nobody[x.class], Rest: divided.Rest[x.class]}
	for k, r := range reasons {
		if !divided.Told[k] {
			continue
		}
		r.Effect, r.Class = divided.Shares[k][e.Class], dataset.Unlabelled
		switch {
		case m.Regression():
		case r.Effect >= 0:
			r.Class = e.Class
		case !m.MultiLabel() && !m.OneClass():
			for c, v := range divided.Shares[k] { // the class that it raises most
				if c != e.Class && (r.Class < 0 || v > divided.Shares[k][r.Class]) {
					r.Class = c
				}
			}
		}
		e.Reasons = append(e.Reasons, r)
	}
	slices.SortStableFunc(e.Reasons, func(a, b Reason) int { return cmp.Compare(math.Abs(b.Effect), math.Abs(a.Effect)) })
	return e
}

// players are what differs between a point and the usual row, and how rows between the two are made.
type players struct {
	reasons []Reason
	entries []entry
	texts   [][2]int // groups of features that have length 1
	like    *points.Points
	arcs    []dataset.Arc
	of      []int // the reason that each arc is of
}

// entry is a feature of a row. It is as here if an owner is present, or it has no owner.
type entry struct {
	feature     int
	here, usual float64
	owners      []int
}

// addNeighbours adds the rows that point i has edges to.
func (s *players) addNeighbours(arcs []dataset.Arc, i int, names []string) {
	places := make(map[int]int)
	for _, a := range arcs {
		if a.From != i {
			continue
		}
		k, is := places[a.To]
		if !is {
			k = len(s.reasons)
			places[a.To] = k
			name := strconv.Itoa(a.To + 1)
			if names != nil {
				name = names[a.To]
			}
			s.reasons = append(s.reasons, Reason{What: OfNeighbour, Column: "neighbour", Value: name})
		}
		s.arcs, s.of = append(s.arcs, a), append(s.of, k)
	}
}

// rows returns a row for each set of reasons that are present, and its edges.
func (s *players) rows(sets [][]bool) (*points.Points, []dataset.Arc) {
	d := s.like.Dim()
	start, index, value := []int{0}, []int32(nil), []float64(nil)
	var dense []float64
	if !s.like.Sparse() {
		dense = make([]float64, len(sets)*d)
	}
	var arcs []dataset.Arc
	row := make([]float64, len(s.entries))
	for n, present := range sets {
		complete := !slices.Contains(present, false)
		for k, e := range s.entries {
			row[k] = e.usual
			if e.owners == nil || slices.ContainsFunc(e.owners, func(k int) bool { return present[k] }) {
				row[k] = e.here
			}
		}
		if !complete {
			s.shorten(row)
		}
		for k, e := range s.entries {
			switch {
			case dense != nil:
				dense[n*d+e.feature] = row[k]
			case row[k] != 0:
				index, value = append(index, int32(e.feature)), append(value, row[k])
			}
		}
		start = append(start, len(index))
		for k, a := range s.arcs {
			if present[s.of[k]] {
				a.From = n
				arcs = append(arcs, a)
			}
		}
	}
	if dense != nil {
		return points.Dense(len(sets), d, dense), arcs
	}
	return points.CSR(d, start, index, value), arcs
}

// shorten gives texts the length 1 that they have, of the words that are left.
func (s *players) shorten(row []float64) {
	for _, group := range s.texts {
		from, _ := slices.BinarySearchFunc(s.entries, group[0], func(e entry, j int) int { return cmp.Compare(e.feature, j) })
		to, _ := slices.BinarySearchFunc(s.entries, group[1], func(e entry, j int) int { return cmp.Compare(e.feature, j) })
		square := 0.0
		for _, v := range row[from:to] {
			square += v * v
		}
		if square > 0 {
			for k := from; k < to; k++ {
				row[k] /= math.Sqrt(square)
			}
		}
	}
}

// newPlayers returns what makes the players of a point. Of rows without features there are no columns.
func (m *Model) newPlayers(sparse bool) (func(p *points.Points, i int) *players, error) {
	if m.featureless {
		return func(p *points.Points, i int) *players {
			s := &players{like: p}
			for j, v := range dense(p, i) {
				if v != 0 {
					s.entries = append(s.entries, entry{feature: j, here: v})
				}
			}
			return s
		}, nil
	}
	if shape := m.image; !shape.None() && m.Dim() == shape.Height*shape.Width*channels(shape) {
		return func(p *points.Points, i int) *players { return partsOf(shape, p, i) }, nil
	}
	columns, typical, err := m.typical(sparse)
	if err != nil {
		return nil, err
	}
	return func(p *points.Points, i int) *players {
		s := &players{like: p}
		if m.encoding.Learnt() {
			s.texts = m.encoding.Texts()
		}
		row := dense(p, i)
		for _, c := range columns {
			s.addColumn(m.encoding, c, row, typical)
		}
		return s
	}, nil
}

// addColumn adds the features of a column, and what differs in it.
func (s *players) addColumn(e *dataset.Encoding, c column, row, typical []float64) {
	if c.of != nil && c.of.Kind == dataset.Text {
		s.addWords(c, row)
		return
	}
	var owners []int
	if !slices.Equal(row[c.from:c.to], typical[c.from:c.to]) {
		owners = []int{len(s.reasons)}
		s.reasons = append(s.reasons, Reason{Column: c.name, Value: c.field(e, row), Usual: c.field(e, typical)})
	}
	for j := c.from; j < c.to; j++ {
		if row[j] != 0 || typical[j] != 0 {
			s.entries = append(s.entries, entry{j, row[j], typical[j], owners})
		}
	}
}

// addWords adds the words of a text. Pairs and triples of characters are there with any word that has them; those of words that are not known are a reason of their own.
func (s *players) addWords(c column, row []float64) {
	grams, from := make(map[int][]int), c.from+len(c.of.Words)
	for k, word := range c.of.Words {
		if v := row[c.from+k]; v != 0 {
			player := len(s.reasons)
			s.reasons = append(s.reasons, Reason{What: OfWord, Column: c.name, Value: word})
			s.entries = append(s.entries, entry{c.from + k, v, 0, []int{player}})
			for _, g := range c.of.GramsOf(word) {
				if !slices.Contains(grams[g], player) {
					grams[g] = append(grams[g], player)
				}
			}
		}
	}
	others := -1
	for k := range c.of.Grams {
		v := row[from+k]
		if v == 0 {
			continue
		}
		owners := grams[k]
		if owners == nil {
			if others < 0 {
				others = len(s.reasons)
				s.reasons = append(s.reasons, Reason{What: OfWord, Column: c.name, Value: OtherWords})
			}
			owners = []int{others}
		}
		s.entries = append(s.entries, entry{from + k, v, 0, owners})
	}
}

// OtherWords stands in a [Reason] for the words of a text that the model does not know, of which it sees pairs and triples of characters.
const OtherWords = "(other words)"

// dense returns row i of p as features of its model, which sparse rows may have fewer of.
func dense(p *points.Points, i int) []float64 {
	row := make([]float64, p.Dim())
	p.CopyRow(row, i)
	return row
}
