package xml

import "bytes"

// endTag reads a tag such as </a>.
func (s *Scanner) endTag() (Kind, error) {
	b, p := s.buf, s.at+2
	if len(s.open) == 0 {
		return 0, s.errorf(Damaged, "a tag ends an element that has not begun")
	}
	full := s.open[len(s.open)-1].full
	if q := p + len(full); q < len(b) && b[q] == '>' && string(b[p:q]) == full { // nearly all
		s.at = q + 1
		s.end()
		return End, nil
	}
	if len(b)-p <= len(full) && !s.ends() {
		return 0, errShort
	}
	if !bytes.HasPrefix(b[p:], []byte(full)) {
		return 0, s.errorf(Damaged, "the element %q has not ended where another does", full)
	}
	for p += len(full); p < len(b); p++ {
		switch b[p] {
		case '>':
			s.at = p + 1
			s.end()
			return End, nil
		case ' ', '\t', '\r', '\n':
		default:
			return 0, s.errorf(Damaged, "the element %q has not ended where another does", full)
		}
	}
	return 0, errShort
}

// end ends the innermost element.
func (s *Scanner) end() {
	last := len(s.open) - 1
	s.name, s.open = s.open[last], s.open[:last]
	for k := len(s.spaces); k > 0 && s.spaces[k-1].depth > last; k-- {
		s.spaces = s.spaces[:k-1]
		s.declared++
	}
}

// startTag reads a tag such as <a b="c"> or <a/>.
func (s *Scanner) startTag() (Kind, error) {
	b := s.buf
	if len(s.open) == 0 && s.rooted {
		return 0, s.errorf(Damaged, "there is a second first element")
	}
	name, p, err := s.readName(s.at+1, s.last.tag)
	if err != nil {
		return 0, err
	}
	s.tags++
	s.last.tag = name
	before, declares := name, false
	s.attrs = s.attrs[:0]
	for {
		spaced := false
		for p < len(b) && class[b[p]]&blank != 0 {
			p, spaced = p+1, true
		}
		if p+1 >= len(b) && (p >= len(b) || b[p] != '>') {
			return 0, errShort
		}
		if b[p] == '>' {
			p++
			break
		}
		if b[p] == '/' && b[p+1] == '>' {
			p += 2
			s.closing = true
			break
		}
		if !spaced {
			return 0, s.errorf(Damaged, "something is in the tag of %q that is no attribute", name.full)
		}
		var attr *Name
		if attr, p, err = s.readName(p, before.attr); err != nil {
			return 0, err
		}
		before.attr = attr
		before = attr
		if attr.in == s.tags {
			return 0, s.errorf(Damaged, "the attribute %q is there twice", attr.full)
		}
		attr.in = s.tags
		if p+1 < len(b) && b[p] == '=' && (b[p+1] == '"' || b[p+1] == '\'') {
			p++ // nearly all
		} else if p, err = s.equals(p, attr); err != nil {
			return 0, err
		}
		q := p + 1
		for q < len(b) && class[b[q]]&special == 0 {
			q++
		}
		if q >= len(b) {
			return 0, errShort
		}
		value := b[p+1 : q]
		if b[q] != b[p] {
			if value, q, err = s.value(p+1, b[p]); err != nil {
				return 0, err
			}
		}
		p = q + 1 // behind the quote
		s.attrs = append(s.attrs, Attr{attr, value})
		declares = declares || attr.declares
	}
	if len(s.open) >= s.bounds.Depth {
		return 0, s.errorf(TooMuch, "more than %d elements are within each other", s.bounds.Depth)
	}
	s.at, s.name, s.last, s.rooted = p, name, name, true
	s.open = append(s.open, name)
	if declares {
		for _, a := range s.attrs {
			if a.Name.Prefix == "xmlns" {
				s.spaces = append(s.spaces, space{a.Name.Local, string(a.Value), len(s.open)})
			} else if a.Name.full == "xmlns" {
				s.spaces = append(s.spaces, space{"", string(a.Value), len(s.open)})
			}
		}
		s.declared++
	}
	return Start, nil
}

// equals reads the sign between an attribute and its value, up to the quote.
func (s *Scanner) equals(p int, attr *Name) (int, error) {
	b, sign := s.buf, false
	for ; p < len(b); p++ {
		switch c := b[p]; {
		case class[c]&blank != 0:
		case c == '=' && !sign:
			sign = true
		case (c == '"' || c == '\'') && sign:
			return p, nil
		default:
			return 0, s.errorf(Damaged, "the attribute %q has no value in quotes", attr.full)
		}
	}
	return 0, errShort
}

// readName reads the name at p, which may be the one that is guessed.
func (s *Scanner) readName(p int, guess *Name) (*Name, int, error) {
	b := s.buf
	if guess != nil {
		if q := p + len(guess.full); q < len(b) && string(b[p:q]) == guess.full && class[b[q]]&ofName == 0 {
			return guess, q, nil
		}
	}
	q := p
	for q < len(b) && class[b[q]]&ofName != 0 {
		q++
	}
	if q == len(b) {
		return nil, 0, errShort
	}
	if n := s.names[string(b[p:q])]; n != nil {
		return n, q, nil
	}
	const most = 1 << 22
	if s.taken += 200 + q - p; s.taken > most {
		return nil, 0, s.errorf(TooMuch, "the names of elements and attributes take more than %d MiB", most>>20)
	}
	n := &Name{full: string(b[p:q]), as: -1}
	prefix, local, cut := bytes.Cut(b[p:q], []byte{':'})
	if cut {
		n.Prefix, n.Local = string(prefix), string(local)
	} else {
		n.Local, local, prefix = n.full, prefix, nil
	}
	if !isName(local) || cut && !isName(prefix) {
		if q == p {
			return nil, 0, s.errorf(Damaged, "%q is where a name should begin", b[p:min(p+1, len(b))])
		}
		return nil, 0, s.errorf(Damaged, "%q is no name", n.full)
	}
	n.declares = n.Prefix == "xmlns" || n.full == "xmlns"
	s.names[n.full] = n
	return n, q, nil
}
