package xml

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// cells returns the attribute v and the texts of each c that are not empty, by a pattern where one is learnt. like counts those by it.
func cells(t *testing.T, text string, learns bool) (all []string, like int) {
	t.Helper()
	s := NewScanner(strings.NewReader(text), Bounds{Token: 1 << 20, Depth: 10})
	var p Pattern
	for {
		if s.Like(&p) {
			like++
			all = append(all, filled(p.Values))
			continue
		}
		begin := s.Offset()
		kind, err := s.Next()
		if err != nil {
			return append(all, err.Error()), like
		}
		if kind != Start || s.Name().Local != "c" {
			continue
		}
		var values [][]byte
		var varies *Name
		for _, a := range s.Attrs() {
			if a.Name.Local == "v" {
				values, varies = append(values, bytes.Clone(a.Value)), a.Name
			}
		}
		for depth := s.Depth(); s.Depth() >= depth; {
			if kind, err = s.Next(); err != nil {
				return append(all, err.Error()), like
			}
			if kind == Text {
				values = append(values, bytes.Clone(s.Text()))
			}
		}
		all = append(all, filled(values))
		if learns {
			s.Learn(&p, begin, varies)
		}
	}
}

func filled(values [][]byte) string {
	return fmt.Sprintf("%q", slices.DeleteFunc(slices.Clone(values), func(v []byte) bool { return len(v) == 0 }))
}

func TestPattern(t *testing.T) {
	for _, test := range []struct {
		text string
		like int
	}{
		{`<r><c v="1"><p>a</p></c><c v="2"><p>b</p></c><c v="33"><p></p></c></r>`, 2},
		{`<r><c k='v="1"' v="2"/><c k='v="1"' v="3"/><c k='v="2"' v="3"/></r>`, 1},
		{`<r><c k=' v=' v="1"/><c k=' v=' v="2"/></r>`, 1},
		{`<r><c  v="1">a</c><c  v="2">b</c></r>`, 1},
		{`<r><c v = "1">a</c><c v = "2">b</c></r>`, 0},
		{`<r><c v="">a</c><c v="2">b</c><c v="3">b</c></r>`, 1},
		{`<r><c><q v="1"/>a</c><c><q v="2"/>a</c><c><q v="2"/>b</c></r>`, 1},
		{`<r><c>a</c><d><c>b</c></d><c>c</c><c>d</c></r>`, 1},
		{`<r xmlns:a="1"><a:c>x</a:c><d xmlns:a="2"><a:c>y</a:c></d></r>`, 0},
		{`<r><c v="1">a&lt;</c><c v="2">b</c><c v="&lt;">c</c><c v="3">c]</c><c v="4">é</c></r>`, 0},
		{`<r><c>a<!-- b --></c><c>c<!-- d --></c><c><![CDATA[e]]></c></r>`, 0},
		{`<r><c v="1">a</c><c v="2">a"b</c><c v="3">'</c><c v="4">></c></r>`, 1},
		{`<r><c v="1">a</c><c v="2<">b</c></r>`, 0},
		{"<r><c v=\"1\">a</c><c v=\"2\">\x01</c></r>", 0},
		{`<r><c v="1">a</c><c v="2">b</d></r>`, 0},
		{`<r><c v="1">a</c><c v="2">b</c`, 0},
		{`<c v="1">a</c><c v="2">b</c>`, 0},
		{"<r><c\nv=\"1\">a</c><c\nv=\"2\">b</c></r>", 0},
	} {
		plain, _ := cells(t, test.text, false)
		got, like := cells(t, test.text, true)
		if !slices.Equal(got, plain) || like != test.like {
			t.Errorf("%s: %d like, %s; by tags %s", test.text, like, got, plain)
		}
	}
}

// FuzzPattern reads documents whole and by tags.
func FuzzPattern(f *testing.F) {
	f.Add(`<r><c v="1"><p>a</p></c><c v="2"><p>b</p></c></r>`)
	f.Add(`<r><c k='v="1"' v="2"/><c k='v="1"' v="3"/></r>`)
	f.Fuzz(func(t *testing.T, text string) {
		plain, _ := cells(t, text, false)
		got, _ := cells(t, text, true)
		if !slices.Equal(got, plain) {
			t.Errorf("%q: %s; by tags %s", text, got, plain)
		}
	})
}
