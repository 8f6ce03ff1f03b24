package server

import (
	"fmt"
	"math"
	"net/http"
	"strings"
	"testing"

	"lapsvm/dataset/files"
)

// Thresholds, the likeliest classes and the name of the column of answers are as the command has them.
func TestLikeliestOverHTTP(t *testing.T) {
	folder := t.TempDir()
	if err := trained(t, blobs(60, 2, 2, 1), files.Options{}).Save(folder + "/m.lapsvm"); err != nil {
		t.Fatal(err)
	}
	if err := topics(t, true).Save(folder + "/posts.lapsvm"); err != nil {
		t.Fatal(err)
	}
	s := serve(t, folder, nil)
	ask := func(query, accept string) (int, string) {
		status, text := s.do("POST", "/v2/models/"+query, "x1,x2\n0.4,0.3\n", "Content-Type", "text/csv", "Accept", accept)
		return status.StatusCode, text
	}
	_, text := ask("m/predict?proba=true", "text/csv")
	if _, bare := ask("m/predict?proba", "text/csv"); bare != text {
		t.Errorf("by its name alone proba gives %s, want %s", bare, text)
	}
	var label string
	var p0, p1 float64
	if _, err := fmt.Sscanf(strings.ReplaceAll(text, ",", " "), "label proba_c0 proba_c1\n%s %g %g", &label, &p0, &p1); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	likelier, other := "c0", "c1"
	if p1 > p0 {
		likelier, other = "c1", "c0"
	}
	for query, want := range map[string]string{
		"m/predict?top=2": fmt.Sprintf("label,top_1,top_1_proba,top_2,top_2_proba\n%s,%s,%v,%s,%v\n", label, likelier, max(p0, p1), other, min(p0, p1)),
		fmt.Sprintf("m/predict?threshold=c1=%v", p1):                     "label\nc1\n",
		fmt.Sprintf("m/predict?threshold=c1=%v", math.Nextafter(p1, 1)):  "label\nc0\n",
		fmt.Sprintf("m/predict?threshold=c0=%v&answer-column=Churn", p0): "Churn\nc0\n",
	} {
		if status, text := ask(query, "text/csv"); status != http.StatusOK || text != want {
			t.Errorf("%s: %d %s, want %s", query, status, text, want)
		}
	}
	if _, text := ask("m/predict?top=1", "application/json"); !strings.Contains(text, fmt.Sprintf(`"top":[[{"class":"%s","proba":%v}]]`, likelier, max(p0, p1))) {
		t.Error(text)
	}
	for query, want := range map[string]string{
		"m/predict?threshold=2=0.5":                     `the model has no class \"2\"`,
		"m/predict?threshold=c1=0.5&threshold=c0=0.1":   "a row has one class",
		"m/predict?threshold=1":                         "give CLASS=P",
		"m/predict?top=a":                               "give a number of classes",
		"m/predict?answer-column=a":                     "ask for text/csv",
		"m/predict?threshold=c1=0.5&explain=1":          "leave one of them out",
		"m/predict?threshold=c;1=0.5":                   "write signs of values as %3B for ;",
		"m/predict?top=1&threshold=50%":                 "cannot be read",
		"m/predict?top=1&top=2":                         "top is given 2 times: give it once",
		"posts/predict?threshold=sport=1&threshold=x=1": `no class \"x\"`,
	} {
		if status, text := ask(query, "application/json"); status != http.StatusBadRequest || !strings.Contains(text, want) {
			t.Errorf("%s: %d %s", query, status, text)
		}
	}
}
