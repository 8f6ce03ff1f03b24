package server

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"lapsvm/dataset/files"
)

const manualPage = "../../docs/manual/serving.md"

// badRequest is a row of the manual's table.
type badRequest struct {
	line                      int
	method, path, media, body string
	status                    int
	words                     string
}

// badRequests reads the table.
func badRequests(t testing.TB) []badRequest {
	t.Helper()
	text, err := os.ReadFile(manualPage)
	if err != nil {
		t.Fatal(err)
	}
	var all []badRequest
	for k, line := range strings.Split(string(text), "\n") {
		cells := strings.Split(line, "|")
		if len(cells) != 7 {
			continue
		}
		for c := range cells {
			cells[c] = strings.TrimSpace(cells[c])
		}
		status, err := strconv.Atoi(cells[4])
		if err != nil {
			continue
		}
		method, path, _ := strings.Cut(cells[1], " ")
		body := strings.ReplaceAll(strings.Trim(cells[3], "`"), `\n`, "\n")
		all = append(all, badRequest{k + 1, method, path, cells[2], body, status, cells[5]})
	}
	if len(all) < 50 {
		t.Fatalf("only %d bad requests in %s", len(all), manualPage)
	}
	return all
}

// theTwo are the models that the manual's table asks.
func theTwo(t testing.TB) string {
	t.Helper()
	folder := t.TempDir()
	moons := trained(t, strings.ReplaceAll(blobs(40, 2, 2, 1), "x1,x2", "x,y"), files.Options{})
	save(t, moons, filepath.Join(folder, "moons"+Ending))
	save(t, trained(t, customers, files.Options{}), filepath.Join(folder, "customers"+Ending))
	return folder
}

// Bad requests are answered as the manual's table says, in words, and the server goes on.
func TestManualBadRequests(t *testing.T) {
	s := serve(t, theTwo(t), nil)
	for _, c := range badRequests(t) {
		var headers []string
		if c.media != "" {
			headers = []string{"Content-Type", c.media}
		}
		answer, text := s.do(c.method, c.path, c.body, headers...)
		var said errorBody
		if err := json.Unmarshal([]byte(text), &said); answer.StatusCode != c.status || err != nil || !strings.Contains(said.Error, c.words) || said.Error == "" || strings.Contains(strings.ReplaceAll(said.Error, "--data-binary", ""), "--") {
			t.Errorf("%s:%d: %d %s", manualPage, c.line, answer.StatusCode, text)
		}
	}
	if answer, _ := s.do("GET", "/v2/health/ready", ""); answer.StatusCode != http.StatusOK {
		t.Error(answer.Status)
	}
}
