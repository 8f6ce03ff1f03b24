package files

import (
	"bytes"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"lapsvm/dataset/internal/quote"
)

// readPajek reads the first network of a Pajek file: vertices with their labels, and arcs and edges, each with its weight, as lists or as a matrix. Of
// several relations the first is read. Vertices without labels, as igraph writes them, are told by their places.
// Source: de Nooy, Mrvar and Batagelj, "Exploratory Social Network Analysis with Pajek"; the manual of Pajek.
func readPajek(src *source, _ ends) (*network, error) {
	p := pajek{src: src, network: newNetwork(&src.Origin, "number", "label", "number"), lines: linesOf(src)}
	p.keys[p.id].place = true
	for {
		line, err := p.lines.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if line = bytes.TrimSpace(line); len(line) == 0 || line[0] == '%' || bytes.HasPrefix(line, []byte("/*")) {
			continue
		}
		if !utf8.Valid(line) {
			return nil, src.Errorf(p.lines.n, 0, "%s is not UTF-8; save the file as UTF-8", quote.Field(line))
		}
		fields := quotedWords(string(line))
		if line[0] == '*' {
			if err = p.begin(fields); err == io.EOF {
				break
			}
		} else if p.section != nil {
			err = p.section(fields)
		} else {
			err = src.Errorf(p.lines.n, 0, "begins with %s, but a network begins with *Vertices and their number", quote.Field(line))
		}
		if err != nil {
			return nil, err
		}
	}
	switch {
	case !p.sized:
		return nil, src.Errorf(0, 0, "there are no *Vertices; check how the file was made")
	case p.cells != 0:
		return nil, src.Errorf(0, 0, "the *Matrix ends after %d of its rows; fetch or write the file again", p.cells)
	}
	p.listed = p.vertices
	return p.network, nil
}

type pajek struct {
	src *source
	*network
	lines    lines
	section  func(fields []string) error
	vertices int
	sized    bool
	relation string // that is read
	related  bool
	cells    int // rows of the matrix that were read, 0 after the last
}

// begin begins a section. The error is io.EOF before a further network.
func (p *pajek) begin(fields []string) error {
	name := strings.ToLower(fields[0])
	if !p.sized && name != "*vertices" && name != "*network" {
		return p.src.Errorf(p.lines.n, 0, "%s is before *Vertices; begin with these and their number", quote.Field([]byte(fields[0])))
	}
	switch name {
	case "*network":
		if p.sized {
			p.leaveOut("further networks")
			return io.EOF
		}
		p.section = nil
		return nil
	case "*vertices":
		if p.sized {
			p.leaveOut("further networks")
			return io.EOF
		}
		n := 0
		if len(fields) > 1 {
			n, _ = strconv.Atoi(fields[1])
		}
		if n < 1 || n > maxSide {
			return p.src.Errorf(p.lines.n, 0, "behind *Vertices there is no number of vertices; write it there")
		}
		p.vertices, p.sized, p.section = n, true, p.vertex
		return nil
	case "*arcs", "*edges", "*arcslist", "*edgeslist", "*matrix":
		if len(fields) > 1 {
			relation := strings.Join(fields[1:], " ")
			if p.related && relation != p.relation {
				p.leaveOut("the relation " + relation)
				p.section = func([]string) error { return nil }
				return nil
			}
			p.relation, p.related = relation, true
		}
	default:
		p.leaveOut(fields[0])
		p.section = func([]string) error { return nil }
		return nil
	}
	undirected := name == "*edges" || name == "*edgeslist"
	switch name {
	case "*matrix":
		p.section = p.matrix
	case "*arcslist", "*edgeslist":
		p.section = func(fields []string) error { return p.neighbours(fields, undirected) }
	default:
		p.section = func(fields []string) error { return p.line(fields, undirected) }
	}
	return nil
}

// number returns the vertex of a number, counted from 1.
func (p *pajek) number(text string) (int32, error) {
	k, err := strconv.Atoi(text)
	if err != nil || k < 1 || k > p.vertices {
		return 0, p.src.Errorf(p.lines.n, 0, "%s is no vertex: they are from 1 to %d", quote.Field([]byte(text)), p.vertices)
	}
	node, err := p.node(strconv.Itoa(k), p.lines.n)
	if err == nil {
		p.place[node] = k - 1
	}
	return node, err
}

// vertex reads the number of a vertex, and its label.
func (p *pajek) vertex(fields []string) error {
	node, err := p.number(fields[0])
	if err != nil || len(fields) < 2 {
		return err
	}
	return p.set(node, "label", fields[1])
}

// line reads an arc or an edge.
func (p *pajek) line(fields []string, undirected bool) error {
	if len(fields) < 2 {
		return p.src.Errorf(p.lines.n, 0, "there is one number; an edge has those of its two vertices")
	}
	from, err := p.number(fields[0])
	if err != nil {
		return err
	}
	to, err := p.number(fields[1])
	if err != nil {
		return err
	}
	weight := 1.0
	if len(fields) > 2 {
		if weight, err = weightOf(fields[2]); err != nil {
			return p.src.Errorf(p.lines.n, 0, "%s", err)
		}
	}
	if len(fields) > 3 {
		p.leaveOut("attributes of edges")
	}
	return p.join(from, to, weight, undirected)
}

func (p *pajek) join(from, to int32, weight float64, undirected bool) error {
	before := len(p.links)
	err := p.link(from, to, weight)
	if undirected {
		p.undirect(before)
	}
	return err
}

// neighbours reads a vertex and those that it is joined to.
func (p *pajek) neighbours(fields []string, undirected bool) error {
	from, err := p.number(fields[0])
	if err != nil {
		return err
	}
	for _, field := range fields[1:] {
		to, err := p.number(field)
		if err != nil {
			return err
		}
		if err := p.join(from, to, 1, undirected); err != nil {
			return err
		}
	}
	return nil
}

// matrix reads a row of the matrix of all weights.
func (p *pajek) matrix(fields []string) error {
	if len(fields) != p.vertices {
		return p.src.Errorf(p.lines.n, 0, "there are %d numbers in the row of a matrix of %d vertices", len(fields), p.vertices)
	}
	if p.section == nil || p.cells == p.vertices {
		return p.src.Errorf(p.lines.n, 0, "the matrix has more rows than %d", p.vertices)
	}
	p.cells++
	from, err := p.number(strconv.Itoa(p.cells))
	if err != nil {
		return err
	}
	for j, field := range fields {
		weight, err := weightOf(field)
		if err != nil {
			return p.src.Errorf(p.lines.n, 0, "%s", err)
		}
		if weight == 0 {
			continue
		}
		to, err := p.number(strconv.Itoa(j + 1))
		if err == nil {
			err = p.link(from, to, weight)
		}
		if err != nil {
			return err
		}
	}
	if p.cells == p.vertices {
		p.cells = 0
		p.section = func([]string) error {
			return p.src.Errorf(p.lines.n, 0, "the matrix has more rows than %d", p.vertices)
		}
	}
	return nil
}

// quotedWords cuts a line at its blanks, except those in quotes.
func quotedWords(line string) []string {
	var fields []string
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimLeft(line, " \t\r\n") {
		if line[0] == '"' {
			text, rest, _ := strings.Cut(line[1:], `"`)
			fields, line = append(fields, strings.TrimSpace(text)), rest
			continue
		}
		end := strings.IndexAny(line, " \t")
		if end < 0 {
			end = len(line)
		}
		fields, line = append(fields, line[:end]), line[end:]
	}
	return fields
}
