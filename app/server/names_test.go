package server

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/internal/system/fault"
	"lapsvm/kernel"
	"lapsvm/points"
)

// Every named error comes in Go from a small input, by HTTP where a request can have that fault, and
// in Python as a class. Their texts name no flag.
func TestNames(t *testing.T) {
	const table = "a,b,label\n1,2,x\n2,1,x\n5,6,y\n6,5,y\n3,3,\n"
	read := func(text string, o files.Options) (*dataset.Dataset, error) {
		return files.Read(strings.NewReader(text), "table.csv", o)
	}
	fit := func(text string, r lapsvm.Recipe, run lapsvm.Run) error {
		d, err := read(text, files.Options{Format: files.CSV, Label: "label"})
		if err != nil {
			t.Fatal(err)
		}
		_, err = lapsvm.Trainer{Recipe: r, Run: run}.Fit(t.Context(), d)
		return err
	}
	m := trained(t, table, files.Options{})
	bare, err := read(table, files.Options{Format: files.CSV, Label: "label"})
	if err != nil {
		t.Fatal(err)
	}
	bareModel, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{RulesOfThumb: true}}.Fit(t.Context(), bare)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	save(t, m, filepath.Join(folder, "m"+Ending))
	save(t, bareModel, filepath.Join(folder, "bare"+Ending))
	whole, err := os.ReadFile(filepath.Join(folder, "m"+Ending))
	if err != nil {
		t.Fatal(err)
	}
	load := func(data []byte) error {
		_, err := lapsvm.Read(strings.NewReader(string(data)))
		return err
	}
	newer := append([]byte(nil), whole...)
	newer[len("lapsvm\x00\x00")] = 250
	predict := func(values ...float64) error {
		_, err := m.Predict(t.Context(), points.Dense(1, len(values), values))
		return err
	}
	small := serve(t, folder, func(c *Config) { c.Limits.Body = 100 })
	s := serve(t, folder, nil)
	python, err := os.ReadFile("../../python/lapsvm/errors.py")
	if err != nil {
		t.Fatal(err)
	}
	thumb := lapsvm.Recipe{RulesOfThumb: true}
	for _, c := range []struct {
		name       error
		code       fault.Name
		err        func() error
		at         *served // asked for the path with the body; nil where no request can have the fault
		path, body string
	}{
		{lapsvm.ErrMemory, "memory", func() error { return fit(table, thumb, lapsvm.Run{Memory: 1}) }, small, "/v2/models/m/predict", "a,b\n" + strings.Repeat("1,2\n", 100)},
		{lapsvm.ErrMemory, "memory", func() error {
			_, err := read(strings.Repeat(table, 5000), files.Options{Format: files.CSV, Memory: 1000})
			return err
		}, nil, "", ""},
		{lapsvm.ErrNoLabels, "no_labels", func() error { return fit("a,b,label\n1,2,\n2,1,\n", thumb, lapsvm.Run{}) }, nil, "", ""},
		{lapsvm.ErrOneClass, "one_class", func() error { return fit("a,b,label\n1,2,x\n2,1,\n", thumb, lapsvm.Run{}) }, nil, "", ""},
		{lapsvm.ErrFewLabels, "few_labels", func() error {
			_, err := m.Sets(t.Context(), points.Dense(1, 2, []float64{1, 2}), 0.99)
			return err
		}, s, "/v2/models/m/predict?set=0.99", "a,b\n1,2\n"},
		{lapsvm.ErrColumns, "columns", func() error { return predict(1, 2, 3) }, s, "/v2/models/m/predict", "a\n1\n"},
		{lapsvm.ErrValue, "value", func() error { return predict(1, math.Inf(1)) }, s, "/v2/models/m/predict", "a,b\n1,word\n"},
		{lapsvm.ErrDamaged, "damaged", func() error { return load(whole[:len(whole)-9]) }, nil, "", ""},
		{lapsvm.ErrFormat, "format", func() error { return load([]byte(table)) }, s, "/v2/models/m/predict", "%PDF-1.7\n1,2\n"},
		{lapsvm.ErrVersion, "version", func() error { return load(newer) }, nil, "", ""},
		{lapsvm.ErrLacks, "lacks", func() error {
			_, err := bareModel.Probabilities(t.Context(), points.Dense(1, 2, []float64{1, 2}))
			return err
		}, s, "/v2/models/bare/predict?proba=true", "a,b\n1,2\n"},
		{lapsvm.ErrExcluded, "excluded", func() error {
			return fit(table, lapsvm.Recipe{Solver: lapsvm.PCG, Landmarks: 7}, lapsvm.Run{})
		}, nil, "", ""},
		{lapsvm.ErrRounding, "rounding", func() error {
			return fit(blobs(400, 2, 2, 1), lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 50}, GammaA: 1e-25, GammaI: 1e6, Precision: lapsvm.Single, Solver: lapsvm.Landmarks, Landmarks: 100, Graph: lapsvm.Graph{Neighbours: 5, Degree: 3}}, lapsvm.Run{})
		}, nil, "", ""},
		{lapsvm.ErrParameter, "parameter", func() error { return fit(table, lapsvm.Recipe{Solver: "magic"}, lapsvm.Run{}) }, nil, "", ""},
		{lapsvm.ErrData, "data", func() error {
			_, err := lapsvm.Trainer{Recipe: thumb}.Fit(t.Context(), &dataset.Dataset{Points: points.Dense(0, 2, nil)})
			return err
		}, s, "/v2/models/m/predict?proba=perhaps", "a,b\n1,2\n"},
	} {
		err := c.err()
		if !errors.Is(err, c.name) || fault.Apart(err, fault.Option.String).Code != c.code {
			t.Errorf("%s in Go: %v", c.code, err)
			continue
		}
		if wrong, advice := lapsvm.Advice(err); !strings.HasPrefix(err.Error(), wrong) || !strings.HasSuffix(err.Error(), advice) || strings.Contains(err.Error(), "--") {
			t.Errorf("%s in Go: %q, with the advice %q, of %q", c.code, wrong, advice, err)
		}
		if !strings.Contains(string(python), `code="`+string(c.code)+`"`) {
			t.Errorf("%s has no class in Python", c.code)
		}
		if c.at == nil {
			continue
		}
		answer, text := c.at.do("POST", c.path, c.body, "Content-Type", "text/csv")
		var said errorBody
		if err := json.Unmarshal([]byte(text), &said); err != nil || said.Code != c.code || answer.StatusCode < 400 {
			t.Errorf("%s by HTTP: %d %s", c.code, answer.StatusCode, text)
		}
		if !strings.HasPrefix(said.Error, said.Fault) || said.Advice == "" || !strings.HasSuffix(said.Error, said.Advice) || strings.Contains(said.Error, "--") {
			t.Errorf("%s by HTTP: %s", c.code, text)
		}
	}
}
