package files

import (
	"io"

	"lapsvm/dataset/internal/xml"
)

// readGEXF reads the graph of a GEXF file, as Gephi writes it. Nodes are told by their ids or labels. Nodes within nodes are refused, and times are
// left out.
// Source: https://gexf.net.
func readGEXF(src *source, _ ends) (*network, error) {
	m, w := newMarkup(src), newNetwork(&src.Origin, "id", "id", "label")
	graphs, directed := 0, false
	for {
		kind, err := m.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if kind != xml.Start {
			continue
		}
		switch name := m.Name().Local; name {
		case "gexf", "nodes", "edges":
			if m.Depth() > 4 || name == "nodes" && m.within("node") {
				return nil, src.Errorf(m.Line(), 0, "nodes are within nodes; write one list of all nodes")
			}
		case "graph":
			if graphs++; graphs > 1 {
				w.leaveOut("further graphs")
				err = m.skip()
				break
			}
			directed = m.attr("defaultedgetype") == "directed"
			if m.attr("mode") == "dynamic" {
				w.leaveOut("times of edges and nodes")
			}
		case "node":
			err = gexfNode(m, w)
		case "edge":
			err = gexfEdge(m, w, directed)
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

func gexfNode(m *markup, w *network) error {
	id := m.attr("id")
	if id == "" {
		return m.src.Errorf(m.Line(), 0, "a node has no id; give it one")
	}
	node, err := w.list(id, m.Line())
	if err != nil {
		return err
	}
	if err := w.set(node, "label", m.attr("label")); err != nil {
		return err
	}
	return gexfInside(m, w, "attributes of nodes")
}

// gexfInside leaves out what is in a node or an edge.
func gexfInside(m *markup, w *network, attributes string) error {
	for depth := m.Depth(); m.Depth() >= depth; {
		kind, err := m.tag()
		if err != nil {
			return err
		}
		if kind != xml.Start {
			continue
		}
		switch m.Name().Local {
		case "nodes", "edges":
			return m.src.Errorf(m.Line(), 0, "nodes are within nodes; write one list of all nodes")
		case "attvalue":
			w.leaveOut(attributes)
		case "spell":
			w.leaveOut("times of edges and nodes")
		}
	}
	return nil
}

func gexfEdge(m *markup, w *network, directed bool) error {
	line := m.Line()
	var end [2]int32
	for k, name := range []string{"source", "target"} {
		id := m.attr(name)
		if id == "" {
			return m.src.Errorf(line, 0, "an edge has no %s; give it one", name)
		}
		var err error
		if end[k], err = w.node(id, line); err != nil {
			return err
		}
	}
	weight, err := weightOf(m.attr("weight"))
	if err != nil {
		return m.src.Errorf(line, 0, "%s", err)
	}
	before := len(w.links)
	if err := w.link(end[0], end[1], weight); err != nil {
		return err
	}
	if kind := m.attr("type"); kind != "" {
		directed = kind == "directed"
	}
	if !directed {
		w.undirect(before)
	}
	return gexfInside(m, w, "attributes of edges")
}
