//go:build unix

package command

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"lapsvm/app/command/cli"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/internal/testing/golden"
)

// servedSet is a set of rows whose served answers are held against those of predict.
type servedSet struct {
	name, data string
	table      bool // has words or gaps: a tensor for each column
	flags      []string
}

// Over 10⁵ requests, by tensors and by rows, in every format, of a few rows each, every label,
// decision value and probability has the bits that predict prints.
func TestServedBits(t *testing.T) {
	if os.Getenv("LAPSVM_LONG") == "" {
		t.Skip("set LAPSVM_LONG=1 for 100,000 requests")
	}
	const requests, chunks, clients = 100_000, 12, 8
	folder := t.TempDir()
	sets := []servedSet{
		{"g50c", golden.External(t, "data/g50c/g50c.svm.gz"), false, []string{"--sigma", "17.5", "--neighbours", "50"}},
		{"uspst", golden.External(t, "data/uspst/uspst.svm.gz"), false, []string{"--sigma", "9.4", "--neighbours", "10"}},
		{"mnist38", golden.External(t, "data/mnist/t10k-images-idx3-ubyte.gz"), false, []string{"--select", "3,8", "--kernel", "poly", "--degree", "9", "--standardise", "unit-norm", "--neighbours", "20"}},
		{"pixels", golden.External(t, "data/mnist/t10k-images-idx3-ubyte.gz"), false, []string{"--select", "3,8", "--standardise", "none", "--sigma", "1500", "--neighbours", "20"}},
		{"posts", wordsOf(t, golden.External(t, "data/pcmac/pcmac.svm.gz"), filepath.Join(folder, "posts.csv")), true, []string{"--text", "text", "--neighbours", "10"}},
		{"customers", customersOf(t, filepath.Join(folder, "customers.csv")), true, []string{"--sigma", "2", "--neighbours", "10"}},
	}
	sets = append(sets, describedSets(t, folder)...)
	models := filepath.Join(folder, "models")
	if err := os.Mkdir(models, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, set := range sets {
		trainOn(t, set.data, filepath.Join(models, set.name+".lapsvm"), set.flags...)
	}
	s := startServing(t, models)
	var all []servedChunk
	for _, set := range sets {
		all = append(all, chunksOf(t, set, filepath.Join(models, set.name+".lapsvm"), chunks)...)
	}
	s.client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients}}
	defer s.client.CloseIdleConnections()
	var asking sync.WaitGroup
	failed := make(chan error, clients)
	for c := range clients {
		asking.Go(func() {
			random := rand.New(rand.NewPCG(uint64(c), 1))
			for range requests / clients {
				if err := all[random.IntN(len(all))].ask(s); err != nil {
					failed <- err
					return
				}
			}
		})
	}
	asking.Wait()
	close(failed)
	for err := range failed {
		t.Error(err)
	}
	s.end(t)
}

// servedChunk is a request, and the answer that predict gives its rows: a line of names, and
// the lines of the rows.
type servedChunk struct {
	model, media string
	header       string // Inference-Header-Content-Length
	body         []byte
	want         [][]string
}

// ask sends the request and compares the answer.
func (c *servedChunk) ask(s *serving) error {
	path := "/predict?scores=1&proba=1"
	if c.tensors() {
		path = "/infer"
	}
	r, err := http.NewRequest("POST", s.url+"/v2/models/"+c.model+path, bytes.NewReader(c.body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", strings.TrimPrefix(c.media, "tensors as "))
	if r.Header.Set("Accept", "text/csv"); c.header != "" {
		r.Header.Set("Inference-Header-Content-Length", c.header)
	}
	answer, err := s.client.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = errors.New(answer.Status)
	}
	if err != nil {
		return fmt.Errorf("%s, %s: %w: %s", c.model, c.media, err, text)
	}
	var got [][]string
	if c.tensors() {
		got, err = tensorRows(text, answer.Header.Get("Inference-Header-Content-Length"))
	} else {
		got, err = csv.NewReader(bytes.NewReader(text)).ReadAll()
		got = got[min(1, len(got)):]
	}
	if err != nil || !slices.EqualFunc(got, c.want, slices.Equal[[]string]) {
		return fmt.Errorf("%s, %s: %v, want %v (%v)", c.model, c.media, got, c.want, err)
	}
	return nil
}

func (c *servedChunk) tensors() bool { return strings.HasPrefix(c.media, "tensors as ") }

// tensorRows reads the outputs of an inference as lines of label, scores and probabilities.
func tensorRows(text []byte, header string) ([][]string, error) {
	behind := []byte(nil)
	if n, err := strconv.Atoi(header); err == nil {
		text, behind = text[:n], text[n:]
	}
	var answer struct {
		Outputs []struct {
			Shape      []int
			Parameters struct {
				Size *int `json:"binary_data_size"`
			}
			Data []any
		}
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&answer); err != nil {
		return nil, err
	}
	var rows [][]string
	for _, o := range answer.Outputs {
		if rows == nil {
			rows = make([][]string, o.Shape[0])
		}
		width := 1
		if len(o.Shape) == 2 {
			width = o.Shape[1]
		}
		for k := range o.Shape[0] * width {
			var cell string
			switch isText := len(o.Shape) == 1; {
			case o.Parameters.Size == nil && isText:
				cell = o.Data[k].(string)
			case o.Parameters.Size == nil:
				v, err := strconv.ParseFloat(string(o.Data[k].(json.Number)), 64)
				if err != nil {
					return nil, err
				}
				cell = strconv.FormatFloat(v, 'g', -1, 64)
			case isText:
				n := 4 + binary.LittleEndian.Uint32(behind)
				cell, behind = string(behind[4:n]), behind[n:]
			default:
				cell, behind = strconv.FormatFloat(math.Float64frombits(binary.LittleEndian.Uint64(behind)), 'g', -1, 64), behind[8:]
			}
			rows[k/width] = append(rows[k/width], cell)
		}
	}
	return rows, nil
}

// chunksOf cuts rows of a set into requests of every kind.
func chunksOf(t *testing.T, set servedSet, model string, chunks int) []servedChunk {
	t.Helper()
	folder := t.TempDir()
	run := func(args ...string) string {
		t.Helper()
		code, stdout, stderr := lapsvmRun(t, t.Context(), "", append(args, "--quiet")...)
		if code != cli.ExitDone {
			t.Fatal(stderr)
		}
		return stdout
	}
	read := func(text string) [][]string {
		t.Helper()
		lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		return lines
	}
	path := set.data
	if !set.table {
		path = filepath.Join(folder, "rows.csv")
		run("convert", set.data, path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines, said := read(string(text)), read(run("predict", model, path, "--scores", "--proba"))
	var all []servedChunk
	random := rand.New(rand.NewPCG(7, 7))
	for range chunks {
		from := 1 + random.IntN(len(lines)-10)
		rows := lines[from : from+1+random.IntN(8)]
		want := said[from : from+len(rows)]
		for media, format := range map[string]string{"text/csv; header=present": files.CSV, "application/json": files.JSON, "application/jsonl": files.JSONL, "application/vnd.apache.parquet": files.Parquet} {
			var b bytes.Buffer
			if columns := columnsOf(lines[0], rows); !set.table && strings.HasPrefix(media, "application/json") {
				vectors(&b, columns)
			} else if err := files.WriteSeries(&b, format, columns); err != nil {
				t.Fatal(err)
			}
			all = append(all, servedChunk{set.name, media, "", b.Bytes(), want})
		}
		all = append(all, tensorsOf(t, set, lines[0], rows, want, false), tensorsOf(t, set, lines[0], rows, want, true))
	}
	return all
}

// columnsOf has rows as columns but for the label, of numbers where all cells are.
func columnsOf(names []string, rows [][]string) []dataset.Series {
	var columns []dataset.Series
	for c, name := range names {
		if name == "label" {
			continue
		}
		text, numbers := dataset.Series{Name: name}, dataset.Series{Name: name}
		for _, row := range rows {
			text.Text = append(text.Text, row[c])
			if v, err := strconv.ParseFloat(row[c], 64); err == nil {
				numbers.Numbers = append(numbers.Numbers, v)
			}
		}
		if len(numbers.Numbers) == len(rows) {
			text = numbers
		}
		columns = append(columns, text)
	}
	return columns
}

// vectors writes rows of numbers as an object a line: features without names have an order,
// and keys have none.
func vectors(b *bytes.Buffer, columns []dataset.Series) {
	for i := range columns[0].Numbers {
		b.WriteString(`{"vector":[`)
		for c := range columns {
			if c > 0 {
				b.WriteByte(',')
			}
			b.WriteString(strconv.FormatFloat(columns[c].Numbers[i], 'g', -1, 64))
		}
		b.WriteString("]}\n")
	}
}

// tensorsOf has rows as tensors, in JSON or in binary.
func tensorsOf(t *testing.T, set servedSet, names []string, rows, want [][]string, inBinary bool) servedChunk {
	t.Helper()
	type object = map[string]any
	var inputs []object
	var behind []byte
	put := func(name, datatype string, shape []int, data any, packed []byte) {
		o := object{"name": name, "datatype": datatype, "shape": shape}
		if inBinary {
			o["parameters"], behind = object{"binary_data_size": len(packed)}, append(behind, packed...)
		} else {
			o["data"] = data
		}
		inputs = append(inputs, o)
	}
	var matrix []float64
	var packed []byte
	for c, name := range names {
		if name == "label" || !set.table {
			continue
		}
		var column []string
		var packed []byte
		for _, row := range rows {
			column = append(column, row[c])
			packed = append(binary.LittleEndian.AppendUint32(packed, uint32(len(row[c]))), row[c]...)
		}
		put(name, "BYTES", []int{len(rows)}, column, packed)
	}
	if !set.table {
		for _, row := range rows {
			for c, name := range names {
				if name == "label" {
					continue
				}
				v, err := strconv.ParseFloat(row[c], 64)
				if err != nil {
					t.Fatal(err)
				}
				matrix, packed = append(matrix, v), binary.LittleEndian.AppendUint64(packed, math.Float64bits(v))
			}
		}
		put("points", "FP64", []int{len(rows), len(matrix) / len(rows)}, matrix, packed)
	}
	head, err := json.Marshal(object{"inputs": inputs, "parameters": object{"binary_data_output": inBinary}})
	if err != nil {
		t.Fatal(err)
	}
	if !inBinary {
		return servedChunk{set.name, "tensors as application/json", "", head, want}
	}
	return servedChunk{set.name, "tensors as application/octet-stream", strconv.Itoa(len(head)), append(head, behind...), want}
}

// wordsOf writes the posts of a file of LIBSVM's text as words, a name in letters for every
// feature that is not 0, with labels for every fortieth.
func wordsOf(t *testing.T, from, to string) string {
	t.Helper()
	f, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	b := bytes.NewBufferString("text,label\n")
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	for k := 0; lines.Scan(); k++ {
		fields := strings.Fields(lines.Text())
		for _, f := range fields[1:] {
			index, _, _ := strings.Cut(f, ":")
			for _, digit := range index {
				b.WriteByte(byte(digit-'0') + 'a')
			}
			b.WriteByte(' ')
		}
		label := ""
		if k%40 == 0 {
			label = map[string]string{"1": "pc", "-1": "mac"}[strings.TrimPrefix(fields[0], "+")]
		}
		fmt.Fprintf(b, ",%s\n", label)
	}
	return file(t, filepath.Dir(to), filepath.Base(to), b.String())
}

// customersOf writes a table of numbers, categories, dates and answers of yes or no, with
// gaps, and labels for the first 60.
func customersOf(t *testing.T, path string) string {
	t.Helper()
	random := rand.New(rand.NewPCG(3, 3))
	b := bytes.NewBufferString("age,plan,since,pays,label\n")
	for k := range 1000 {
		class := k % 2
		row := []string{fmt.Sprintf("%.1f", 30+20*float64(class)+8*random.NormFloat64()), []string{"free", "gold", "silver", "bronze"}[(2*class+random.IntN(3))%4],
			fmt.Sprintf("20%02d-%02d-%02d", 10+random.IntN(15), 1+random.IntN(12), 1+random.IntN(28)), []string{"no", "yes"}[min(1, class+random.IntN(2))]}
		if gap := random.IntN(12); gap < len(row) {
			row[gap] = ""
		}
		label := ""
		if k < 60 {
			label = []string{"leaves", "stays"}[class]
		}
		fmt.Fprintf(b, "%s,%s\n", strings.Join(row, ","), label)
	}
	return file(t, filepath.Dir(path), filepath.Base(path), b.String())
}
