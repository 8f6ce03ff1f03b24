package server

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"lapsvm/dataset/files"
)

// utf16Of is a text in UTF-16 behind its mark.
func utf16Of(text string, little bool) string {
	var b strings.Builder
	for _, unit := range append([]uint16{0xfeff}, utf16.Encode([]rune(text))...) {
		if high, low := byte(unit>>8), byte(unit); little {
			b.Write([]byte{low, high})
		} else {
			b.Write([]byte{high, low})
		}
	}
	return b.String()
}

// Rows in a body are read as those of a file are: in UTF-16 behind its mark, and below lines of comments.
func TestTextsOfBodies(t *testing.T) {
	folder := t.TempDir()
	save(t, trained(t, customers, files.Options{}), filepath.Join(folder, "m.lapsvm"))
	save(t, trained(t, blobs(40, 2, 2, 1), files.Options{}), filepath.Join(folder, "numbers.lapsvm"))
	s := serve(t, folder, nil)
	const rows = "age,plan,since,pays\n31,free,2020-01-05,yes\n29,gold,2023-05-06,no\n"
	_, want := s.do("POST", "/v2/models/m/predict?scores=true", rows, "Content-Type", "text/csv")
	for _, c := range [][]string{
		{utf16Of(rows, true), "text/csv"}, {utf16Of(rows, false), "text/csv"}, {utf16Of(rows, true), "text/csv; charset=utf-16"}, {utf16Of(rows, true), "text/csv; charset=UTF-16LE"},
		{utf16Of(rows, true)[2:], "text/csv; charset=utf-16le"}, {utf16Of(rows, true), ""},
		{"# of a shop\n# of two days\n" + rows, "text/csv"}, {strings.ReplaceAll("# of a shop\n"+rows, "\n29", "\n# noon\n29"), "text/csv"},
		{utf16Of(`[{"age":31,"plan":"free","since":"2020-01-05","pays":"yes"},{"age":29,"plan":"gold","since":"2023-05-06","pays":"no"}]`, true), "application/json"},
		{utf16Of(`[{"age":31,"plan":"free","since":"2020-01-05","pays":"yes"},{"age":29,"plan":"gold","since":"2023-05-06","pays":"no"}]`, true), ""},
	} {
		if answer, text := s.do("POST", "/v2/models/m/predict?scores=true", c[0], "Content-Type", c[1]); answer.StatusCode != http.StatusOK || text != want {
			t.Errorf("%q as %s: %d %s, want %s", c[0], c[1], answer.StatusCode, text, want)
		}
	}
	for _, c := range [][]string{
		{"m", utf16Of(rows, true)[2:], "text/csv", "UTF-16 without a mark; for that give charset=utf-16le in the Content-Type, or the text as UTF-8"},
		{"m", rows, "text/csv; charset=nonsense", "charset=nonsense in the Content-Type: send the text as UTF-8"},
		{"m", strings.Replace(rows, "31", "old", 1), "text/csv", `\"old\" is not a number; correct or remove it"`},
		{"m", `{"age":"old","plan":"free","since":"2020-01-05","pays":"yes"}`, "application/json", `\"old\" is not a number; correct or remove it"`},
		{"numbers", "x1,x2\n1,red\n", "text/csv", `\"red\" is not a number; correct or remove it"`},
	} {
		if answer, text := s.do("POST", "/v2/models/"+c[0]+"/predict", c[1], "Content-Type", c[2]); answer.StatusCode/100 != 4 || !strings.Contains(text, c[3]) {
			t.Errorf("%q: %d %s, want %s", c[1], answer.StatusCode, text, c[3])
		}
	}
}
