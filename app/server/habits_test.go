package server

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lapsvm"
	"lapsvm/dataset/files"
)

// Requests in the style of other servers' clients, pandas and Excel are accepted where their
// meaning is clear: the answer is that of the plain request.
func TestHabitsOfClients(t *testing.T) {
	s := serve(t, theTwo(t), nil)
	tensor := func(shape, datatype, data, more string) string {
		return fmt.Sprintf(`{"inputs":[{"name":"points","shape":%s,"datatype":%q,"data":%s%s}],"outputs":[{"name":"scores"}]%s}`, shape, datatype, data, more, more)
	}
	for _, c := range []struct{ name, path, media, plain, habit string }{
		{"whole numbers", "infer", "application/json", tensor("[1,2]", "FP64", "[1,2]", ""), tensor("[1,2]", "INT64", "[1,2]", "")},
		{"bytes", "infer", "application/json", tensor("[1,2]", "FP64", "[1,2]", ""), tensor("[1,2]", "UINT8", "[[1,2]]", "")},
		{"a channel", "infer", "application/json", tensor("[1,2]", "FP64", "[1,2]", ""), tensor("[1,2,1]", "FP64", "[[[1],[2]]]", "")},
		{"parameters of other servers", "infer", "application/json", tensor("[1,2]", "FP64", "[1,2]", ""), tensor("[1,2]", "FP64", "[1,2]", `,"parameters":{"content_type":"np","priority":1}`)},
		{"a charset", "infer", "application/json; charset=utf-8", tensor("[1,2]", "FP64", "[1,2]", ""), tensor("[1,2]", "FP64", "[1.0,2e0]", "")},
		{"columns in another order", "predict", "text/csv", "x,y\n1,2\n", "y,x\n2,1\n"},
		{"an index and other columns", "predict", "text/csv", "x,y\n1,2\n", ",z,x,y\n0,word,1,2\n"},
		{"Excel's mark and line ends", "predict", "text/csv; charset=utf-8", "x,y\n1,2\n", "\ufeffx,y\r\n1,2\r\n"},
		{"semicolons", "predict", "text/csv", "x,y\n1,2\n", "x;y\n1;2\n"},
		{"blanks", "predict", "text/csv", "x,y\n1,2\n", " x, y\n1, 2\n"},
		{"no header", "predict", "text/csv", "x,y\n1,2\n", "1,2\n"},
		{"records of pandas", "predict", "application/json", `{"x":1,"y":2}`, `[{"index":0,"y":2,"x":1}]`},
		{"numbers as text", "predict", "application/json", `{"x":1,"y":2}`, `[{"y":"2","x":"1.0"}]`},
	} {
		_, plain := s.do("POST", "/v2/models/moons/"+c.path, c.plain, "Content-Type", c.media)
		answer, text := s.do("POST", "/v2/models/moons/"+c.path, c.habit, "Content-Type", c.media)
		if answer.StatusCode != http.StatusOK || text != plain {
			t.Errorf("%s: %d %s, want %s", c.name, answer.StatusCode, text, plain)
		}
	}
}

// Rows are UTF-8, or UTF-16 that says so: what is not is refused, and not taken for another encoding.
func TestRowsOfOtherEncodings(t *testing.T) {
	s := serve(t, theTwo(t), nil)
	for body, want := range map[string]string{
		"x,y\n1,\x002\n": "zero byte", "x\x00,\x00y\x00\n\x001\x00,\x002\x00\n\x00": "or the text as UTF-8", "x,y\n1,\xe4\n": "\\xe4",
	} {
		if answer, text := s.do("POST", "/v2/models/moons/predict", body, "Content-Type", "text/csv"); answer.StatusCode != http.StatusBadRequest || !strings.Contains(text, want) {
			t.Errorf("%q: %d %s, want %s", body, answer.StatusCode, text, want)
		}
	}
}

// Of a model without names a column more than its features is told to be labels by its name, or by its place where no column has a name.
func TestColumnThatMayBeLabels(t *testing.T) {
	folder := t.TempDir()
	_, rows, _ := strings.Cut(blobs(40, 2, 2, 1), "\n")
	d, err := files.Read(strings.NewReader(rows), "table.csv", files.Options{Label: "3"})
	if err != nil {
		t.Fatal(err)
	}
	m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{RulesOfThumb: true}}.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	save(t, m, filepath.Join(folder, "bare"+Ending))
	s := serve(t, folder, nil)
	for rows, want := range map[string]int{"1,2\n": 200, "1,2,c0\n": 200, "a,b,label\n1,2,c0\n": 200, "a,b,c\n1,2,3\n": 400} {
		if answer, text := s.do("POST", "/v2/models/bare/predict", rows, "Content-Type", "text/csv"); answer.StatusCode != want {
			t.Errorf("%q: %d %s, want %d", rows, answer.StatusCode, text, want)
		}
	}
}

// Requests may come in chunks, and several before the first is answered.
func TestChunksAndPipelines(t *testing.T) {
	s := serve(t, theTwo(t), nil)
	_, want := s.do("POST", "/v2/models/moons/predict", "x,y\n1,2\n", "Content-Type", "text/csv")
	host := strings.TrimPrefix(s.url, "http://")
	conn, err := net.Dial("tcp", host)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	one := "POST /v2/models/moons/predict HTTP/1.1\r\nHost: " + host + "\r\nContent-Type: text/csv\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nx,y\n1\r\n3\r\n,2\n\r\n0\r\n\r\n"
	if _, err := io.WriteString(conn, one+one); err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(conn)
	for range 2 {
		answer, err := http.ReadResponse(in, nil)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(answer.Body)
		if err != nil || answer.StatusCode != http.StatusOK || string(text) != want {
			t.Errorf("%d %s %v, want %s", answer.StatusCode, text, err, want)
		}
	}
}

// A model may be called as a part of an address, with dots, blanks and any letters.
func TestStrangeNamesOfModels(t *testing.T) {
	folder := theTwo(t)
	moons, err := os.ReadFile(filepath.Join(folder, "moons"+Ending))
	if err != nil {
		t.Fatal(err)
	}
	for name, escaped := range map[string]string{"infer": "infer", "versions": "versions", "my.model v2": "my.model%20v2", "größe%": "gr%C3%B6%C3%9Fe%25"} {
		if err := os.WriteFile(filepath.Join(folder, name+Ending), moons, 0o666); err != nil {
			t.Fatal(err)
		}
		s := serve(t, folder, nil)
		for _, path := range []string{escaped, escaped + "/versions/1"} {
			answer, text := s.do("POST", "/v2/models/"+path+"/predict", "x,y\n1,2\n", "Content-Type", "text/csv")
			if answer.StatusCode != http.StatusOK || !strings.Contains(text, fmt.Sprintf("%q", name)) {
				t.Errorf("%s: %d %s", name, answer.StatusCode, text)
			}
		}
	}
}
