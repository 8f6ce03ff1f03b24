package files

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"lapsvm/dataset/internal/quote"
)

// nodeOfLGL returns the node of a line such as "# ann", behind which stand those that it is joined to.
func nodeOfLGL(line string) (name string, is bool) {
	name, is = strings.CutPrefix(line, "#")
	name = strings.TrimSpace(name)
	return name, is && name != "" && !strings.ContainsAny(name, " \t")
}

// beginsLGL reports whether lines of nodes are among other lines, and the first line is one: the others have one word, and perhaps a weight. A list of edges may have a comment
// above it alone.
func beginsLGL(head []byte) bool {
	lines, joined := 0, false
	for len(head) > 0 {
		line, rest, _ := bytes.Cut(head, []byte("\n"))
		head = rest
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		_, node := nodeOfLGL(string(line))
		switch {
		case lines == 0 && !node:
			return false
		case !node:
			if fields := bytes.Fields(line); len(fields) > 2 || len(fields) == 2 && !isNumber(fields[1]) {
				return false
			}
			joined = true
		case joined:
			return true
		}
		lines++
	}
	return false
}

// readLGL reads a graph as igraph and LGL write it: a line "# node", and behind it a line for each node that it is joined to, with a weight or
// without.
func readLGL(src *source, rows ends) (*network, error) {
	w := newNetwork(&src.Origin, "id", "id")
	from, begun := int32(0), false
	err := eachLine(src, false, func(n int, line string) (err error) {
		if name, is := nodeOfLGL(line); is {
			begun = true
			from, err = w.node(name, n)
			return err
		}
		fields, weight := strings.Fields(line), 1.0
		if !begun || len(fields) > 2 {
			return src.Errorf(n, 0, "%s is neither a node (# name) nor one that it is joined to, with its weight", quote.Field([]byte(line)))
		}
		if len(fields) == 2 {
			if weight, err = strconv.ParseFloat(fields[1], 64); err != nil || math.IsNaN(weight) || math.IsInf(weight, 0) {
				return src.Errorf(n, 0, "the weight %s is no number; write the file again", quote.Field([]byte(fields[1])))
			}
		}
		to, err := w.node(fields[0], n)
		if err != nil {
			return err
		}
		return w.link(from, to, weight)
	})
	if err == nil && !begun {
		err = src.noRows()
	}
	return w, err
}
