package files

import (
	"strings"
	"testing"
)

// A whole table that pandas has written as one object is refused, with the way to write its rows.
func TestTableAsOneObject(t *testing.T) {
	for way, text := range map[string]string{
		"columns": `{"x":{"0":1.5,"1":2},"kind":{"0":"a","1":"b"}}`,
		"index":   `{"0":{"x":1.5,"kind":"a"},"1":{"x":2,"kind":"b"}}`,
		"split":   `{"columns":["x","kind"],"index":[0,1],"data":[[1.5,"a"],[2,"b"]]}`,
		"table":   `{"schema":{"fields":[{"name":"index","type":"integer"}],"primaryKey":["index"]},"data":[{"index":0,"x":1.5,"kind":"a"}]}`,
	} {
		for _, name := range []string{"t.json", "t.jsonl"} {
			_, err := Read(strings.NewReader(text), name, Options{})
			if err == nil || !strings.Contains(err.Error(), `orient="`+way+`"; write an object for each row`) {
				t.Errorf("%s as %s: %v", way, name, err)
			}
		}
	}
	d, err := Read(strings.NewReader(`{"x":{"a":1.5},"label":"a"}`+"\n"+`{"x":{"a":2},"label":"b"}`), "t.jsonl", Options{})
	if err != nil || d.Points.Dim() != 1 {
		t.Errorf("an object inside: %v", err)
	}
}
