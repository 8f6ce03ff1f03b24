package files

import (
	"encoding/xml"
	"io"
)

// readGEXF reads the graph of a GEXF file, as Gephi writes it. Nodes are told by their ids or labels. Nodes within nodes are refused, and times are
// left out.
// Source: https://gexf.net.
func readGEXF(src *source, _ ends) (*network, error) {
	m, w := newMarkup(src), newNetwork(&src.Origin, "id", "id", "label")
	graphs, directed := 0, false
	for {
		token, err := m.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		e, is := token.(xml.StartElement)
		if !is {
			continue
		}
		switch e.Name.Local {
		case "gexf", "nodes", "edges":
			if len(m.path) > 4 || e.Name.Local == "nodes" && m.within("node") {
				return nil, src.Errorf(m.line(), 0, "nodes are within nodes; write one list of all nodes")
			}
		case "graph":
			if graphs++; graphs > 1 {
				w.leaveOut("further graphs")
				err = m.skip()
				break
			}
			directed = attribute(e, "defaultedgetype") == "directed"
			if attribute(e, "mode") == "dynamic" {
				w.leaveOut("times of edges and nodes")
			}
		case "node":
			err = gexfNode(m, w, e)
		case "edge":
			err = gexfEdge(m, w, e, directed)
		default:
			err = m.skip()
		}
		if err != nil {
			return nil, err
		}
	}
	if graphs == 0 {
		return nil, src.Errorf(0, 0, "there is no graph in the file; check how it was made")
	}
	return w, nil
}

func gexfNode(m *markup, w *network, e xml.StartElement) error {
	id := attribute(e, "id")
	if id == "" {
		return m.src.Errorf(m.line(), 0, "a node has no id; give it one")
	}
	node, err := w.list(id, m.line())
	if err != nil {
		return err
	}
	if err := w.set(node, "label", attribute(e, "label")); err != nil {
		return err
	}
	return gexfInside(m, w, "attributes of nodes")
}

// gexfInside leaves out what is in a node or an edge.
func gexfInside(m *markup, w *network, attributes string) error {
	for depth := len(m.path); len(m.path) >= depth; {
		token, err := m.next()
		if err != nil {
			return m.ended(err)
		}
		e, is := token.(xml.StartElement)
		if !is {
			continue
		}
		switch e.Name.Local {
		case "nodes", "edges":
			return m.src.Errorf(m.line(), 0, "nodes are within nodes; write one list of all nodes")
		case "attvalue":
			w.leaveOut(attributes)
		case "spell":
			w.leaveOut("times of edges and nodes")
		}
	}
	return nil
}

func gexfEdge(m *markup, w *network, e xml.StartElement, directed bool) error {
	line := m.line()
	var end [2]int32
	for k, name := range []string{"source", "target"} {
		id := attribute(e, name)
		if id == "" {
			return m.src.Errorf(line, 0, "an edge has no %s; give it one", name)
		}
		var err error
		if end[k], err = w.node(id, line); err != nil {
			return err
		}
	}
	weight, err := weightOf(attribute(e, "weight"))
	if err != nil {
		return m.src.Errorf(line, 0, "%s", err)
	}
	before := len(w.links)
	if err := w.link(end[0], end[1], weight); err != nil {
		return err
	}
	if kind := attribute(e, "type"); kind != "" {
		directed = kind == "directed"
	}
	if !directed {
		w.undirect(before)
	}
	return gexfInside(m, w, "attributes of edges")
}
