package files

import (
	"bytes"
	"html"
	"io"
	"strings"
	"unicode/utf8"

	"lapsvm/dataset/internal/quote"
)

// beginsGML reports whether a text, behind its comments, begins as GML does.
func beginsGML(head []byte) bool {
	for bytes.HasPrefix(head, []byte("#")) {
		_, rest, _ := bytes.Cut(head, []byte("\n"))
		head = bytes.TrimLeft(rest, " \t\r\n")
	}
	fields := bytes.Fields(head[:min(len(head), 1<<10)])
	return len(fields) > 1 && (bytes.Equal(fields[0], []byte("graph")) && fields[1][0] == '[' || string(fields[0]) == "graph[" ||
		bytes.EqualFold(fields[0], []byte("creator")) && fields[1][0] == '"')
}

// readGML reads the first graph of a GML file. Nodes are told by their labels, as networkx has them, by names, as igraph has them, or by their ids.
// Source: Himsolt, "GML: A portable Graph File Format", 1997.
func readGML(src *source, _ ends) (*network, error) {
	g := gml{src: src, network: newNetwork(&src.Origin, "id", "label", "name", "id"), row: 1}
	graphs := 0
	err := g.each(false, func(key string, v gmlValue) error {
		if !v.list || !strings.EqualFold(key, "graph") {
			return g.skip(v)
		}
		if graphs++; graphs > 1 {
			g.leaveOut("further graphs")
			return g.skip(v)
		}
		return g.graph()
	})
	if err == nil && graphs == 0 {
		err = src.Errorf(0, 0, "there is no graph in the file; check how it was made")
	}
	return g.network, err
}

type gml struct {
	src *source
	*network
	row      int
	token    []byte
	directed bool
}

// gmlValue is what stands behind a key: a text, or the beginning of a list.
type gmlValue struct {
	text string
	list bool
}

// graph reads the list of a graph.
func (g *gml) graph() error {
	err := g.each(true, func(key string, v gmlValue) error {
		switch strings.ToLower(key) {
		case "directed":
			g.directed = v.text == "1"
		case "node":
			if v.list {
				return g.nodeOf()
			}
		case "edge":
			if v.list {
				return g.edge()
			}
		}
		return g.skip(v)
	})
	if !g.directed {
		g.undirect(0)
	}
	return err
}

// nodeOf reads the list of a node.
func (g *gml) nodeOf() error {
	row := g.row
	texts := map[string]string{}
	err := g.each(true, func(key string, v gmlValue) error {
		name := strings.ToLower(key)
		if name == "graph" && v.list {
			return g.src.Errorf(g.row, 0, "a graph is within a node; write one graph of all nodes")
		}
		if v.list || name != "id" && name != "label" && name != "name" {
			g.leaveOut(key + " of nodes")
			return g.skip(v)
		}
		if before, twice := texts[name]; twice && before != v.text {
			return g.src.Errorf(g.row, 0, "a node has the %s %s and %s; give it one", name, quote.Field([]byte(before)), quote.Field([]byte(v.text)))
		}
		texts[name] = v.text
		return nil
	})
	if err != nil {
		return err
	}
	if texts["id"] == "" {
		return g.src.Errorf(row, 0, "a node has no id; give it one")
	}
	node, err := g.list(texts["id"], row)
	if err == nil {
		err = g.set(node, "label", strings.TrimSpace(texts["label"]))
	}
	if err == nil {
		err = g.set(node, "name", strings.TrimSpace(texts["name"]))
	}
	return err
}

// edge reads the list of an edge.
func (g *gml) edge() error {
	row := g.row
	ends, weights := map[string]string{}, weighing{}
	err := g.each(true, func(key string, v gmlValue) error {
		switch name := strings.ToLower(key); {
		case !v.list && (name == "source" || name == "target"):
			if before, twice := ends[name]; twice {
				return g.src.Errorf(g.row, 0, "an edge has the %s %s and %s; give it one", name, quote.Field([]byte(before)), quote.Field([]byte(v.text)))
			}
			ends[name] = v.text
			return nil
		case !v.list && isWeight(key):
			return g.at(g.row, weights.add(v.text))
		}
		g.leaveOut(key + " of edges")
		return g.skip(v)
	})
	if err != nil {
		return err
	}
	var end [2]int32
	for k, name := range []string{"source", "target"} {
		if ends[name] == "" {
			return g.src.Errorf(row, 0, "an edge has no %s; give it one", name)
		}
		if end[k], err = g.node(ends[name], row); err != nil {
			return err
		}
	}
	weight, err := weights.value()
	if err != nil {
		return g.src.Errorf(row, 0, "%s", err)
	}
	return g.link(end[0], end[1], weight)
}

// each calls f for the keys of a list, or of the whole file, up to its end. f leaves out lists that it does not read.
func (g *gml) each(list bool, f func(key string, v gmlValue) error) error {
	for {
		key, err := g.next()
		switch {
		case err == io.EOF && !list:
			return nil
		case err == io.EOF:
			return g.src.Errorf(g.row, 0, "the file ends within a list; fetch or write it again")
		case err != nil:
			return err
		case key == "]" && list:
			return nil
		case key == "[" || key == "]" || key[0] == '"':
			return g.src.Errorf(g.row, 0, "there is %s where a key should be; write the file again", quote.Field([]byte(key)))
		}
		value, err := g.next()
		switch {
		case err == io.EOF || err == nil && value == "]":
			return g.src.Errorf(g.row, 0, "there is no value behind the key %s; write the file again", quote.Field([]byte(key)))
		case err != nil:
			return err
		}
		v := gmlValue{text: value, list: value == "["}
		if value[0] == '"' {
			v.text = html.UnescapeString(value[1:])
		}
		if err := f(key, v); err != nil {
			return err
		}
	}
}

// skip leaves out a list.
func (g *gml) skip(v gmlValue) error {
	for depth := 0; v.list; {
		token, err := g.next()
		switch {
		case err == io.EOF:
			return g.src.Errorf(g.row, 0, "the file ends within a list; fetch or write it again")
		case err != nil:
			return err
		case token == "[":
			depth++
		case token == "]" && depth == 0:
			return nil
		case token == "]":
			depth--
		}
	}
	return nil
}

// next returns the next word, bracket, or string behind a quote that begins it.
func (g *gml) next() (string, error) {
	g.token = g.token[:0]
	start := true // of a line
	for {
		c, err := g.src.ReadByte()
		if err != nil {
			return "", err
		}
		switch c {
		case '\n':
			g.row++
			start = true
			continue
		case ' ', '\t', '\r', 0xef, 0xbb, 0xbf: // blanks, and a byte-order mark
			continue
		case '#':
			if start || g.row == 1 {
				if err := g.until('\n', false); err != nil {
					return "", err
				}
				g.row++
				continue
			}
		case '[', ']':
			return string(c), nil
		case '"':
			g.token = append(g.token, '"')
			if err := g.until('"', true); err != nil {
				if err == io.EOF {
					err = g.src.Errorf(g.row, 0, "a quote is not closed; fetch or write the file again")
				}
				return "", err
			}
			return g.text()
		}
		g.token = append(g.token, c)
		break
	}
	for {
		c, err := g.src.ReadByte()
		if err == io.EOF {
			return g.text()
		}
		if err != nil {
			return "", err
		}
		if bytes.IndexByte([]byte(" \t\r\n[]\""), c) >= 0 {
			if err := g.src.UnreadByte(); err != nil {
				return "", err
			}
			return g.text()
		}
		if err := g.keep(c); err != nil {
			return "", err
		}
	}
}

// until reads up to a byte, and keeps what is before it if wanted.
func (g *gml) until(end byte, kept bool) error {
	for {
		c, err := g.src.ReadByte()
		if err != nil || c == end {
			return err
		}
		if !kept {
			continue
		}
		if c == '\n' {
			g.row++
		}
		if err := g.keep(c); err != nil {
			return err
		}
	}
}

func (g *gml) keep(c byte) error {
	if len(g.token) >= longestPiece {
		return g.src.Errorf(g.row, 0, "a text is longer than %d MiB; check how the file was made", longestPiece>>20)
	}
	g.token = append(g.token, c)
	return nil
}

// text returns the token, which is UTF-8.
func (g *gml) text() (string, error) {
	if !utf8.Valid(g.token) {
		return "", g.src.Errorf(g.row, 0, "%s is not UTF-8; save the file as UTF-8", quote.Field(g.token))
	}
	return string(g.token), nil
}
