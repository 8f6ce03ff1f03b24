package server

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"lapsvm"
	"lapsvm/dataset/files"
)

// A vector beside other columns is an array of a JSON row, brackets in CSV, a matrix of numbers or
// texts of a tensor, and all of them get one answer.
func TestVectors(t *testing.T) {
	var rows strings.Builder
	rows.WriteString("size,v,label\n")
	for i := range 30 {
		fmt.Fprintf(&rows, "%d,\"[%d, %d.5, %d]\",%s\n", i%7, i%2*3, i%5, i%2*2, []string{"a", "b"}[i%2])
	}
	d, err := files.Read(strings.NewReader(rows.String()), "table.csv", files.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{RulesOfThumb: true, Calibrate: true}}.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	save(t, m, filepath.Join(folder, "m"+Ending))
	s := serve(t, folder, nil)
	if _, text := s.do("GET", "/v2/models/m", ""); !strings.Contains(text, `{"name":"v","datatype":"FP64","shape":[-1,3]}`) {
		t.Error(text)
	}
	want := ""
	for _, ask := range [][2]string{{"text/csv", "size,v\n3,\"[3, 1.5, 2]\"\n4,\n"}, {"application/json", `[{"size":3,"v":[3,1.5,2]},{"v":null,"size":4}]`}, {"application/json", `[{"size":3,"v":"[3 1.5 2]"},{"size":4,"v":[]}]`}} {
		answer, got := s.do("POST", "/v2/models/m/predict?scores=true", ask[1], "Content-Type", ask[0], "Accept", "text/csv")
		if want == "" {
			want = got
		}
		if answer.StatusCode != http.StatusOK || got != want {
			t.Errorf("%s: %d %s, want %s", ask[1], answer.StatusCode, got, want)
		}
	}
	infer := func(tensor string) (int, string) {
		answer, got := s.do("POST", "/v2/models/m/infer", `{"inputs":[{"name":"size","shape":[2],"datatype":"INT64","data":[3,4]},{"name":"v",`+tensor+`}]}`)
		return answer.StatusCode, got
	}
	want = ""
	for _, tensor := range []string{`"shape":[2],"datatype":"BYTES","data":["[3, 1.5, 2]",""]`, `"shape":[2,3],"datatype":"FP64","data":[[3,1.5,2],[null,null,null]]`, `"shape":[2,3],"datatype":"FP32","data":[3,1.5,2,null,null,null]`} {
		status, got := infer(tensor)
		if want == "" {
			want = got
		}
		if status != http.StatusOK || got != want {
			t.Errorf("%s: %d %s, want %s", tensor, status, got, want)
		}
	}
	for tensor, want := range map[string]string{
		`"shape":[2,2],"datatype":"FP64","data":[1,2,3,4]`:                 `a vector has [rows, 3], or [rows] of texts (BYTES)`,
		`"shape":[2],"datatype":"BYTES","data":["[1, 2]",""]`:              `the vector has 2 numbers, but the training's had 3; make them equal`,
		`"shape":[2,3],"datatype":"FP64","data":[1,2,null,null,null,null]`: `number 3 of the vector is`,
	} {
		if status, got := infer(tensor); status != http.StatusBadRequest || !strings.Contains(got, want) {
			t.Errorf("%s: %d %s", tensor, status, got)
		}
	}
}
