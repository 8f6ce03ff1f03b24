package files

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"lapsvm/dataset/internal/quote"
	"lapsvm/dataset/internal/xml"
)

// graphKey declares an attribute of nodes or edges in GraphML.
type graphKey struct{ of, name, preset string }

// readGraphML reads the first graph of a GraphML file. Nodes are told by their ids, as networkx has them, or by an attribute called name, as igraph has it, or label.
// The weight of an edge is its attribute weight: networkx declares one for each type of numbers that it has. Ports are left out, hyperedges and
// graphs in nodes are refused.
// Source: http://graphml.graphdrawing.org/primer/graphml-primer.html.
func readGraphML(src *source, _ ends) (*network, error) {
	m, w := newMarkup(src), newNetwork(&src.Origin, "id", "id", "name", "label")
	g := graphML{markup: m, network: w, keys: make(map[string]graphKey)}
	for {
		kind, err := m.next()
		if err == io.EOF {
			break
		}
		if err == nil && kind == xml.Start {
			err = g.element()
		}
		if err != nil {
			return nil, err
		}
	}
	if g.graphs == 0 {
		return nil, src.Errorf(0, 0, "there is no graph in the file; check how it was made")
	}
	w.keys[w.id].place = w.listed > 0
	for node, place := range w.place { // as igraph calls nodes: n0, n1, …
		if w.keys[w.id].of[node] != "n"+strconv.Itoa(place) {
			w.keys[w.id].place = false
		}
	}
	return w, nil
}

type graphML struct {
	*markup
	*network
	keys     map[string]graphKey
	graphs   int
	directed bool
}

// element reads an element that stands in no node and no edge.
func (g *graphML) element() error {
	switch g.Name().Local {
	case "graphml":
		return nil
	case "graph":
		if g.graphs++; g.graphs > 1 {
			g.leaveOut("further graphs")
			return g.skip()
		}
		g.directed = g.attr("edgedefault") == "directed"
		return nil
	case "key":
		return g.key()
	case "node":
		return g.nodeOf()
	case "edge":
		return g.edge()
	case "hyperedge":
		return g.src.Errorf(g.markup.Line(), 0, "a hyperedge joins any number of nodes; write an edge for each two of them")
	}
	return g.skip()
}

// key reads a declaration.
func (g *graphML) key() error {
	k := graphKey{of: g.attr("for"), name: g.attr("attr.name")}
	id := g.attr("id")
	if k.name == "" {
		k.name = id
	}
	for depth := g.Depth(); g.Depth() >= depth; {
		kind, err := g.tag()
		if err == nil && kind == xml.Start && g.Name().Local == "default" {
			k.preset, err = g.content()
		}
		if err != nil {
			return err
		}
	}
	if len(g.keys) >= 1<<16 {
		return g.src.Errorf(g.markup.Line(), 0, "there are more than %d keys; check how the file was made", 1<<16)
	}
	if k.of == "edge" || k.of == "all" || k.of == "" {
		if _, twice := g.keys[id]; twice && k.of == "edge" {
			return g.src.Errorf(g.markup.Line(), 0, "there are two keys of the id %s; give each an id of its own", quote.Field([]byte(id)))
		}
	}
	g.keys[id] = k
	return nil
}

// values calls f for the attributes of a node or an edge that has begun, up to its end.
func (g *graphML) values(f func(k graphKey, text string) error) error {
	for depth := g.Depth(); g.Depth() >= depth; {
		kind, err := g.tag()
		if err != nil {
			return err
		}
		if kind != xml.Start {
			continue
		}
		switch g.Name().Local {
		case "graph":
			return g.src.Errorf(g.markup.Line(), 0, "a graph is within a node or an edge; write one graph of all nodes")
		case "port":
			g.leaveOut("ports")
			err = g.skip()
		case "data":
			key := g.attr("key")
			k, known := g.keys[key]
			if !known {
				k.name = key
			}
			var text string
			if text, err = g.content(); err == nil {
				err = f(k, text)
			}
		default:
			err = g.skip()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// nodeOf reads a node.
func (g *graphML) nodeOf() error {
	id := g.attr("id")
	if id == "" {
		return g.src.Errorf(g.markup.Line(), 0, "a node has no id; give it one")
	}
	node, err := g.list(id, g.markup.Line())
	if err != nil {
		return err
	}
	return g.values(func(k graphKey, text string) error {
		if name := strings.ToLower(k.name); slices.Contains([]string{"name", "label"}, name) {
			return g.set(node, name, text)
		}
		g.leaveOut(k.name + " of nodes")
		return nil
	})
}

// edge reads an edge.
func (g *graphML) edge() error {
	line := g.markup.Line()
	var end [2]int32
	for k, name := range []string{"source", "target"} {
		id := g.attr(name)
		if id == "" {
			return g.src.Errorf(line, 0, "an edge has no %s; give it one", name)
		}
		var err error
		if end[k], err = g.node(id, line); err != nil {
			return err
		}
		if g.attr(name+"port") != "" {
			g.leaveOut("ports")
		}
	}
	directed := g.directed
	if own := g.attr("directed"); own != "" {
		directed = own == "true" || own == "1"
	}
	weights := weighing{}
	for _, k := range g.keys {
		if k.preset != "" && k.of != "node" && isWeight(k.name) {
			weights.preset = k.preset
		}
	}
	err := g.values(func(k graphKey, text string) error {
		if isWeight(k.name) {
			return weights.add(text)
		}
		g.leaveOut(k.name + " of edges")
		return nil
	})
	if err != nil {
		return g.at(line, err)
	}
	weight, err := weights.value()
	if err != nil {
		return g.src.Errorf(line, 0, "%s", err)
	}
	before := len(g.links)
	if err := g.link(end[0], end[1], weight); err != nil {
		return err
	}
	if !directed {
		g.undirect(before)
	}
	return nil
}
