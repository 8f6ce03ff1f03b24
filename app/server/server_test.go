package server

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"lapsvm"
	"lapsvm/app/answer"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
)

// trained returns a model of a table, made quickly.
func trained(t testing.TB, table string, o files.Options) *lapsvm.Model {
	t.Helper()
	o.Format, o.Label = "csv", "label"
	d, err := files.Read(strings.NewReader(table), "table.csv", o)
	if err != nil {
		t.Fatal(err)
	}
	m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{RulesOfThumb: true, Calibrate: true}}.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// blobs is a table of points around as many centres as there are classes.
func blobs(rows, features, classes int, seed uint64) string {
	random := rand.New(rand.NewPCG(seed, 0))
	var b strings.Builder
	for j := range features {
		fmt.Fprintf(&b, "x%d,", j+1)
	}
	b.WriteString("label\n")
	for i := range rows {
		c := i % classes
		for j := range features {
			fmt.Fprintf(&b, "%.6g,", random.NormFloat64()+float64((c+j)%classes)*2)
		}
		if i < 4*classes {
			fmt.Fprintf(&b, "c%d", c)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

const (
	customers = "age,plan,since,pays,label\n31,free,2020-01-05,yes,stays\n,gold,2021-03-01,no,leaves\n45.5,free,2019-07-30,yes,stays\n22,gold,2022-11-11,no,leaves\n38,free,2018-02-02,yes,\n29,gold,2023-05-06,,\n52,silver,2017-09-09,yes,\n25,gold,2022-01-20,no,\n"
	posts     = "text,label\nthe rocket reached its orbit,space\nthe goalkeeper saved a penalty,sport\nan orbit around the moon,space\na penalty in the last minute,sport\nthe moon and the rocket,\nthe last minute of the match,\na match with a late penalty,\nrocket engines for the moon,\n"
)

// orders has amounts, times of day, moments and booleans, with gaps.
const orders = "paid,at,placed,gift,off,label\n\"$1,200.50\",07:45,2024-01-05T10:00:00Z,true,5%,ann\n$12.00,19:30:15,2024-02-05T11:30:00Z,false,10%,ben\n($3.00),08:00,,true,0%,ann\n,22:15,2024-04-01T00:00:00Z,,12%,ben\n$7.25,,2024-05-09T23:59:59Z,false,,\n$900,06:10,2024-06-30T12:00:00Z,true,7%,\n"

// counts is a table of numbers of which few are not 0, with an element below 0.
func counts(n, d int) string {
	var b strings.Builder
	for j := range d {
		fmt.Fprintf(&b, "w%03d,", j)
	}
	b.WriteString("label\n")
	for i := range n {
		for j := range d {
			v := 0
			if (7*i+j)%23 == 0 && j%2 == i%2 {
				v = 1 + (i+j)%3
			}
			if i == 5 && j == 9 {
				v = -2
			}
			fmt.Fprintf(&b, "%d,", v)
		}
		fmt.Fprintf(&b, "%s\n", []string{"even", "odd"}[i%2])
	}
	return b.String()
}

// served is a server under test.
type served struct {
	t   testing.TB
	s   *Server
	url string
}

// serve serves a folder until the test ends.
func serve(t testing.TB, folder string, change func(*Config)) *served {
	t.Helper()
	c := Config{Paths: []string{folder}, Poll: -1, Version: "test"}
	if change != nil {
		change(&c)
	}
	s := New(c)
	if err := s.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return &served{t, s, "http://" + l.Addr().String()}
}

// do sends a request and returns the answer with its body.
func (s *served) do(method, path, body string, headers ...string) (*http.Response, string) {
	s.t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	for k := 0; k+1 < len(headers); k += 2 {
		if r.Header.Set(headers[k], headers[k+1]); headers[k] == "Host" {
			r.Host = headers[k+1]
		}
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer, string(text)
}

// save writes a model into a folder, which it makes.
func save(t testing.TB, m *lapsvm.Model, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := m.Save(path); err != nil {
		t.Fatal(err)
	}
}

// command is what lapsvm predict --scores --proba --set 0.7 says of rows, as CSV.
func command(t testing.TB, m *lapsvm.Model, rows []byte, format string) string {
	t.Helper()
	o := answer.Options(m)
	o.Format = format
	d, err := files.Read(bytes.NewReader(rows), "rows", o)
	if err != nil {
		t.Fatal(err)
	}
	_, scores, err := m.Drift(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	p := answer.Predictions{Classes: m.Classes(), Labels: m.Decide(scores), Scores: scores, Proba: answer.Probabilities(m, scores), Kept: d.Kept}
	if p.Sets, err = m.Sets(t.Context(), d.Points, 0.7); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := files.WriteSeries(&b, files.CSV, p.Series()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// inFormat writes rows of a table with words in another format.
func inFormat(t testing.TB, table, format string) []byte {
	t.Helper()
	d, err := files.Read(strings.NewReader(table), "table.csv", files.Options{Format: "csv", Label: "label", Keep: true})
	if err != nil {
		t.Fatal(err)
	}
	var columns []dataset.Series
	for _, s := range d.Kept.Series() {
		if s.Name == "label" {
			continue
		}
		numbers := make([]float64, len(s.Text))
		for i, text := range s.Text {
			if numbers[i], err = strconv.ParseFloat(text, 64); err != nil {
				break
			}
		}
		if err == nil {
			s = dataset.Series{Name: s.Name, Numbers: numbers}
		}
		columns = append(columns, s)
	}
	var b bytes.Buffer
	if err := files.WriteSeries(&b, format, columns); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Rows in every format get the labels, decision values, probabilities and sets that the command
// gives them, to the last digit, alone and in company.
func TestServedAnswersAreThoseOfPredict(t *testing.T) {
	folder := t.TempDir()
	tables := map[string]string{"two": blobs(60, 3, 2, 1), "ten": blobs(150, 8, 10, 2), "posts": posts, "customers": customers, "orders": orders, "counts": counts(40, 120)}
	models := make(map[string]*lapsvm.Model)
	for name, table := range tables {
		models[name] = trained(t, table, files.Options{})
		save(t, models[name], filepath.Join(folder, name+Ending))
	}
	s := serve(t, folder, nil)
	for name, m := range models {
		first := ""
		for _, f := range rowTypes() {
			rows := inFormat(t, tables[name], f.format)
			want := command(t, m, rows, f.format)
			if first == "" {
				first = want
			} else if want != first {
				t.Errorf("%s: predict says of %s\n%.300s\nand of CSV\n%.300s", name, f.format, want, first)
			}
			done := make(chan string)
			const company = 8
			for range company {
				go func() {
					answer, got := s.do("POST", "/v2/models/"+name+"/predict?scores=true&proba=true&set=0.7", string(rows), "Content-Type", f.media, "Accept", "text/csv")
					if answer.StatusCode == http.StatusOK && got == want {
						got = ""
					}
					done <- got
				}()
			}
			for range company {
				if got := <-done; got != "" {
					t.Errorf("%s as %s: %.300s\nwant %.300s", name, f.media, got, want)
				}
			}
		}
	}
}

// A model with unnamed features takes JSON as vectors. JSON objects are refused, because
// their keys have no order.
func TestModelsWithoutNames(t *testing.T) {
	d, err := files.Read(strings.NewReader(blobs(40, 11, 2, 1)), "table.csv", files.Options{Label: "label", Encoding: new(dataset.Encoding)})
	if err != nil {
		t.Fatal(err)
	}
	d.Features = nil
	m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{RulesOfThumb: true, Calibrate: true}}.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	save(t, m, filepath.Join(folder, "m"+Ending))
	s := serve(t, folder, nil)
	ask := func(media, rows string) (int, string) {
		answer, text := s.do("POST", "/v2/models/m/predict?scores=true", rows, "Content-Type", media, "Accept", "text/csv")
		return answer.StatusCode, text
	}
	_, want := ask("text/csv; header=absent", "1,2,3,4,5,6,7,8,9,10,11\n")
	if status, got := ask("application/json", `{"vector":[1,2,3,4,5,6,7,8,9,10,11]}`); status != http.StatusOK || got != want {
		t.Errorf("%d %s, want %s", status, got, want)
	}
	for _, media := range []string{"application/json", "application/jsonl"} {
		if status, got := ask(media, `{"x1":1,"x2":2,"x3":3,"x4":4,"x5":5,"x6":6,"x7":7,"x8":8,"x9":9,"x10":10,"x11":11}`); status != http.StatusBadRequest || !strings.Contains(got, "vector") {
			t.Errorf("%s: %d %s", media, status, got)
		}
	}
}
