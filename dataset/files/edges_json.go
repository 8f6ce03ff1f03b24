package files

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/transform"

	"lapsvm/dataset/internal/quote"
)

// graphLists are the keys of a JSON object that hold a graph, and those that stand beside them.
var graphLists = []string{"nodes", "links", "edges", "elements", "adjacency"}

// beginsJSONGraph reports whether a text begins with a JSON object that has the list of the nodes or edges of a graph.
func beginsJSONGraph(head []byte) bool {
	if len(head) == 0 || head[0] != '{' {
		return false
	}
	dec := json.NewDecoder(bytes.NewReader(head))
	if _, err := dec.Token(); err != nil {
		return false
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return false
		}
		value, err := dec.Token()
		if err != nil {
			return false
		}
		open, is := value.(json.Delim)
		if name, _ := key.(string); is && slices.Contains(graphLists, name) {
			return true
		}
		for depth := 1; is && depth > 0; {
			inner, err := dec.Token()
			if err != nil {
				return false
			}
			if d, is := inner.(json.Delim); is && (d == '{' || d == '[') {
				depth++
			} else if is {
				depth--
			}
		}
		_ = open
	}
	return false
}

// readJSONGraph reads a JSON object of nodes and links, as networkx (node_link_data), D3 and vis.js have it, or of elements, as Cytoscape has it. Nodes are told
// by ids, names or labels. Where they have no ids, edges tell them by their places, from 0 on.
func readJSONGraph(src *source, _ ends) (*network, error) {
	j := jsonGraph{pieces: pieces{src: src}, network: newNetwork(&src.Origin, "id", "id", "name", "label")}
	j.dec = json.NewDecoder(transform.NewReader(&j.pieces, encoding.UTF8Validator)) // else letters become U+FFFD
	j.dec.UseNumber()
	if err := j.object(j.entry); err != nil {
		return nil, err
	}
	if _, err := j.token(); err != io.EOF {
		return nil, cmpErr(err, src.Errorf(0, 0, "the file goes on behind its graph; check how it was made"))
	}
	if j.linked == "" {
		return nil, src.Errorf(0, 0, "there are no links of the nodes; check how the file was made")
	}
	j.keys[j.id].place = j.indexed
	if !j.directed {
		j.undirect(0)
	}
	return j.network, nil
}

type jsonGraph struct {
	pieces
	*network
	dec      *json.Decoder
	directed bool
	indexed  bool   // nodes have no ids
	linked   string // the key that the edges are under
}

// token returns the next token of the text.
func (j *jsonGraph) token() (json.Token, error) {
	j.pieces.next()
	token, err := j.dec.Token()
	return token, j.wrong(err)
}

// wrong words an error of the decoder.
func (j *jsonGraph) wrong(err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case err == nil || err == io.EOF:
		return err
	case errors.Is(err, encoding.ErrInvalidUTF8):
		return j.src.Errorf(0, 0, "the text is not UTF-8; save the file as UTF-8")
	case errors.As(err, &syntax), errors.As(err, &kind), err == io.ErrUnexpectedEOF:
		return j.src.Damagedf("the JSON is damaged or cut off behind byte %d (%v); write the file again", j.dec.InputOffset(), err)
	}
	return checkedReader{src: j.src, message: unreadable}.wrap(err)
}

// cut words the end of the text where more is expected.
func (j *jsonGraph) cut(err error) error {
	if err == io.EOF {
		return j.src.Damagedf("the JSON is cut off; fetch or write the file again")
	}
	return err
}

// object reads an object, and calls f behind each of its keys.
func (j *jsonGraph) object(f func(key string) error) error {
	if err := j.open('{'); err != nil {
		return err
	}
	for j.dec.More() {
		key, err := j.token()
		if err != nil {
			return j.cut(err)
		}
		name, _ := key.(string)
		if err := f(name); err != nil {
			return err
		}
	}
	_, err := j.token()
	return j.cut(err)
}

// array reads an array, and calls f before each of its values.
func (j *jsonGraph) array(f func() error) error {
	if err := j.open('['); err != nil {
		return err
	}
	for j.dec.More() {
		if err := f(); err != nil {
			return err
		}
	}
	_, err := j.token()
	return j.cut(err)
}

func (j *jsonGraph) open(bracket json.Delim) error {
	token, err := j.token()
	if err != nil {
		return j.cut(err)
	}
	if token != bracket {
		return j.src.Errorf(0, 0, "there is %s in front of byte %d, where %q is expected; check how the file was made", quote.Field(fmt.Append(nil, token)), j.dec.InputOffset(), string(rune(bracket)))
	}
	return nil
}

// skip leaves out a value.
func (j *jsonGraph) skip() error {
	for depth := 0; ; {
		token, err := j.token()
		if err != nil {
			return j.cut(err)
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth == 0 {
			return nil
		}
	}
}

// entry reads a value of the object of the graph.
func (j *jsonGraph) entry(key string) error {
	switch key {
	case "directed":
		token, err := j.token()
		if directed, is := token.(bool); is {
			j.directed = directed
		}
		return j.cut(err)
	case "nodes":
		return j.array(j.nodeOf)
	case "links", "edges":
		if j.linked != "" && j.linked != key {
			return j.src.Errorf(0, 0, "there are both links and edges; keep one of them")
		}
		j.linked = key
		return j.array(j.edge)
	case "elements":
		return j.elements()
	case "adjacency":
		return j.src.Errorf(0, 0, "the graph is written as an adjacency; write it by nodes and links (networkx.node_link_data)")
	}
	return j.skip()
}

// elements reads the elements of Cytoscape: an object of nodes and edges, or an array of both.
func (j *jsonGraph) elements() error {
	j.linked = "edges"
	j.pieces.next()
	var raw json.RawMessage
	if !j.dec.More() {
		return j.cut(io.EOF)
	}
	_ = raw
	return j.object(func(key string) error {
		switch key {
		case "nodes":
			return j.array(j.nodeOf)
		case "edges":
			return j.array(j.edge)
		}
		return j.skip()
	})
}

// value decodes an object, of Cytoscape its data.
func (j *jsonGraph) value(what string) (map[string]any, error) {
	j.pieces.next()
	var v any
	if err := j.dec.Decode(&v); err != nil {
		return nil, j.cut(j.wrong(err))
	}
	object, is := v.(map[string]any)
	if !is {
		return nil, j.src.Errorf(0, 0, "%s in front of byte %d is no object; check how the file was made", what, j.dec.InputOffset())
	}
	if data, is := object["data"].(map[string]any); is && object["source"] == nil && object["id"] == nil {
		object = data
	}
	return object, nil
}

// text returns a value that tells a node, "" for none.
func (j *jsonGraph) text(key string, v any) (string, error) {
	switch x := v.(type) {
	case nil:
		return "", nil
	case string:
		return strings.TrimSpace(x), nil
	case json.Number:
		return x.String(), nil
	case bool:
		return strconv.FormatBool(x), nil
	}
	return "", j.src.Errorf(0, 0, "the %s in front of byte %d is a list or an object; write a word or a number", key, j.dec.InputOffset())
}

// nodeOf reads a node.
func (j *jsonGraph) nodeOf() error {
	object, err := j.value("the node")
	if err != nil {
		return err
	}
	id, err := j.text("id", object["id"])
	if err != nil {
		return err
	}
	if j.listed > 0 && j.indexed != (id == "") {
		return j.src.Errorf(0, 0, "some nodes have an id, but that in front of byte %d has none, or the other way round; give each one", j.dec.InputOffset())
	}
	if j.indexed = id == ""; j.indexed {
		id = strconv.Itoa(j.listed)
	}
	node, err := j.list(id, 0)
	if err != nil {
		return err
	}
	for key, v := range object {
		switch key {
		case "id":
		case "name", "label":
			var text string
			if text, err = j.text(key, v); err == nil {
				err = j.set(node, key, text)
			}
			if err != nil {
				return err
			}
		default:
			j.leaveOut(key + " of nodes")
		}
	}
	return nil
}

// edge reads an edge.
func (j *jsonGraph) edge() error {
	object, err := j.value("the edge")
	if err != nil {
		return err
	}
	var end [2]int32
	used := map[string]bool{"id": true, "key": true}
	for k := range end {
		key := ""
		for _, name := range edgeColumns[k] {
			if _, has := object[name]; has && key != "" {
				return j.src.Errorf(0, 0, "the edge in front of byte %d has a %s and a %s; give it one", j.dec.InputOffset(), key, name)
			} else if has {
				key = name
			}
		}
		id, err := j.text(key, object[key])
		if err != nil {
			return err
		}
		if id == "" {
			return j.src.Errorf(0, 0, "the edge in front of byte %d has no %s; give it one", j.dec.InputOffset(), edgeColumns[k][1])
		}
		if end[k], err = j.node(id, 0); err != nil {
			return err
		}
		used[key] = true
	}
	weights := weighing{}
	for _, name := range edgeColumns[2] {
		if v, has := object[name]; has && !weights.is && v != nil {
			used[name] = true
			text, err := j.text("weight", v)
			if err == nil {
				err = weights.add(text)
			}
			if err != nil {
				return err
			}
		}
	}
	for key := range object {
		if !used[key] {
			j.leaveOut(key + " of edges")
		}
	}
	weight, err := weights.value()
	if err != nil {
		return j.src.Errorf(0, 0, "of the edge in front of byte %d %s", j.dec.InputOffset(), err)
	}
	return j.link(end[0], end[1], weight)
}

// cmpErr returns the first error that is none of the end of the text.
func cmpErr(err, other error) error {
	if err != nil && err != io.EOF {
		return err
	}
	return other
}
