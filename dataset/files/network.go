package files

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"lapsvm/dataset"
	"lapsvm/dataset/internal/number"
	"lapsvm/dataset/internal/quote"
	"lapsvm/internal/system/fault"
)

// network is the edges of a file as its reader finds them. Their ends are nodes that the file names, or are rows already, told by their places.
type network struct {
	origin *dataset.Origin
	keys   []nodeKey // that tell nodes, the best first
	id     int       // which of the keys edges tell nodes by
	line   []int     // of the first mention of each node; 0 where there is none
	place  []int     // of each node among those of the file, from 0; −1 where the file does not say
	known  map[string]int32
	listed int // nodes that the file has, where it lists them in the order of their places

	records bool // lines are rows of a file that is no text
	placed  bool // ends are places of rows, those of the other end behind those of the first
	links   []link

	unread []string // what of the file is not read
	told   string   // how rows are told, for people
	notes  []dataset.Note
}

// nodeKey is a way to tell nodes: their id, or an attribute such as their label.
type nodeKey struct {
	name  string
	of    []string // by node; "" for none
	place bool     // it says no more than the place of the node in the file
}

// link is an edge between two nodes.
type link struct {
	from, to int32
	weight   float64
}

// newNetwork returns a network without edges, whose nodes are told by keys, and by one of these in edges.
func newNetwork(origin *dataset.Origin, id string, keys ...string) *network {
	w := &network{origin: origin, known: make(map[string]int32)}
	for k, name := range keys {
		w.keys = append(w.keys, nodeKey{name: name})
		if name == id {
			w.id = k
		}
	}
	return w
}

// node returns the node with an id, a new one where it was not mentioned before.
func (w *network) node(id string, line int) (int32, error) {
	if at, known := w.known[id]; known {
		return at, nil
	}
	const one = 120 // bytes of a node, with its place in a map
	if err := w.origin.Take(one+len(id)+16*len(w.keys), "the nodes"); err != nil {
		return 0, err
	}
	if len(w.line) > maxSide {
		return 0, w.origin.Errorf(line, 0, "there are more than %d nodes", maxSide)
	}
	at := int32(len(w.line))
	w.line, w.place = append(w.line, line), append(w.place, -1)
	for k := range w.keys {
		w.keys[k].of = append(w.keys[k].of, "")
	}
	w.keys[w.id].of[at] = id
	w.known[strings.Clone(id)] = at
	return at, nil
}

// list takes a node that the file lists behind those listed before. Each may be listed once.
func (w *network) list(id string, line int) (int32, error) {
	at, err := w.node(id, line)
	if err != nil {
		return 0, err
	}
	if w.place[at] >= 0 {
		return 0, w.origin.Errorf(line, 0, "there are two nodes of the id %s; give each an id of its own", quote.Field([]byte(id)))
	}
	w.place[at] = w.listed
	w.listed++
	return at, nil
}

// set gives a node the text of a key, which may not have another one already.
func (w *network) set(node int32, key, text string) error {
	k := slices.IndexFunc(w.keys, func(k nodeKey) bool { return k.name == key })
	if text == "" {
		return nil
	}
	if before := w.keys[k].of[node]; before != "" && before != text {
		return w.origin.Errorf(w.line[node], 0, "a node has the %s %s and %s; give it one", key, quote.Field([]byte(before)), quote.Field([]byte(text)))
	}
	if err := w.origin.Take(len(text), "the nodes"); err != nil {
		return err
	}
	w.keys[k].of[node] = strings.Clone(text)
	return nil
}

// link adds an edge between nodes or, where the network is placed, between places.
func (w *network) link(from, to int32, weight float64) error {
	const one = 16 + 24 // bytes of a link and of the arc that it becomes
	if err := w.origin.Take(one, "the edges"); err != nil {
		return err
	}
	w.links = append(w.links, link{from, to, weight})
	return nil
}

// undirect gives all edges from the k-th on one direction between the same nodes: they have none in the file.
func (w *network) undirect(k int) {
	for ; k < len(w.links); k++ {
		if l := &w.links[k]; l.from > l.to {
			l.from, l.to = l.to, l.from
		}
	}
}

// leaveOut says that something of the file is not read, once.
func (w *network) leaveOut(what string) {
	const most = 50
	if len(w.unread) < most && !slices.Contains(w.unread, what) {
		w.unread = append(w.unread, what)
	}
}

// furtherNotes are those of the reader, and what of the file is not read.
func (w *network) furtherNotes() []dataset.Note {
	if w.unread == nil {
		return w.notes
	}
	return append(w.notes, dataset.Note{Message: dataset.Messagef("%s: not read: %s", w.origin.File, quote.Names(w.unread))})
}

// lengthiest is the largest magnitude of a weight: that of sums of such weights is finite.
const lengthiest = 1e300

// weightOf reads the weight of an edge. Without one it is 1. A weight that was computed as NaN is an error.
func weightOf(text string) (float64, error) {
	if text = strings.TrimSpace(text); text == "" {
		return 1, nil
	}
	v, err := number.Parse(text)
	if err != nil {
		return 0, fmt.Errorf("the weight is %.60q, and no finite number", text)
	}
	return v, validWeight(v)
}

// validWeight refuses what is no weight of an edge.
func validWeight(v float64) error {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return fmt.Errorf("the weight is %v, and no finite number", v)
	case math.Abs(v) > lengthiest:
		return fault.Errorf("the weight is %v; divide all weights by the same number, as their unit does not count", v)
	}
	return nil
}

// edgeColumns are the names of the columns of edges, the best first.
var edgeColumns = [3][]string{{"from", "source", "src"}, {"to", "target", "dst"}, {"weight", "w", "value"}}

// isWeight reports whether an attribute of an edge of a graph is its weight.
func isWeight(name string) bool { return strings.EqualFold(strings.TrimSpace(name), "weight") }

// weighing finds the weight of an edge among its attributes.
type weighing struct {
	text, preset string
	is           bool
}

// add takes a weight, of which an edge may have one.
func (g *weighing) add(text string) error {
	if g.is {
		return fault.Errorf("an edge has the weights %.60q and %.60q; give it one", g.text, text)
	}
	g.text, g.is = text, true
	return nil
}

// value returns the weight, 1 where there is none.
func (g *weighing) value() (float64, error) {
	if g.is && strings.TrimSpace(g.text) == "" {
		return 0, fault.Errorf("the weight is empty; leave the attribute out, or give a number")
	}
	if g.is {
		return weightOf(g.text)
	}
	return weightOf(g.preset)
}

// at gives an error that is none of a file a place in it.
func (w *network) at(line int, err error) error {
	var placed *dataset.Error
	if err == nil || errors.As(err, &placed) {
		return err
	}
	return w.origin.Errorf(line, 0, "%s", err)
}
