package xml

import "bytes"

// Pattern is how an element is written, all of it but some values: its texts, and one attribute. Most elements of a large document are written as one
// before them, and a scanner takes them whole by their pattern, which is much faster than by tags.
type Pattern struct {
	Values [][]byte // of the element that was taken last, in their order; valid until the next token

	parts           [][]byte // in front of each value, and behind the last; none where nothing was learnt
	depth, declared int      // of the scanner in front of the element
}

// Learn makes p the pattern of the element that has just ended, which began at an offset. An attribute of its first tag varies, or none where that is
// nil. It reports false where p is none, as the element is long or the first, has entities or comments, or is written in another way.
func (s *Scanner) Learn(p *Pattern, begin int64, varies *Name) bool {
	const longest = 1 << 10
	p.parts, p.Values, p.depth, p.declared = nil, nil, len(s.open), s.declared
	at := begin - s.before
	if at < 0 || len(s.open) == 0 || int64(s.at)-at > longest || bytes.ContainsAny(s.buf[at:s.at], "&!?\r") {
		return false
	}
	element, attr := bytes.Clone(s.buf[at:s.at]), []byte(nil)
	if varies != nil {
		attr = []byte(" " + varies.full + "=")
	}
	var parts [][]byte
	end := byte('<')      // of what is read: a tag, a text, or the value of an attribute
	from, opened := 0, -1 // where the part begins, and the value behind it
	found := varies == nil
	for k, c := range element {
		switch {
		case end == '>' && c == '>':
			if !found {
				return false
			}
			end, opened = '<', k+1
		case end == '>' && (c == '"' || c == '\''):
			end = c
			if !found && bytes.HasSuffix(element[:k], attr) {
				opened, found = k+1, element[k+1] != c
			}
		case end != '>' && c == end:
			if end = '>'; opened >= 0 && opened < k {
				parts, p.Values = append(parts, element[from:opened]), append(p.Values, element[opened:k])
				from = k
			}
			opened = -1
		}
	}
	if len(parts) == 0 {
		return false
	}
	p.parts = append(parts, element[from:])
	return true
}

// Like goes on behind the element that comes, and reports whether that is written by a pattern and its values stand for themselves.
func (s *Scanner) Like(p *Pattern) bool {
	if len(p.parts) == 0 || s.closing || len(s.open) != p.depth || s.declared != p.declared {
		return false
	}
	b := s.buf[s.at:]
	for k, part := range p.parts {
		if len(b) < len(part) || string(b[:len(part)]) != string(part) {
			return false
		}
		if b = b[len(part):]; k < len(p.Values) {
			n := 0
			for n < len(b) && class[b[n]]&special == 0 {
				n++
			}
			p.Values[k], b = b[:n], b[n:]
		}
	}
	s.at = len(s.buf) - len(b)
	return true
}
