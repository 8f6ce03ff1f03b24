package embed

import (
	"encoding/binary"
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// message writes the fields of a protocol buffer.
type message []byte

func (m *message) number(field int, v int64) {
	*m = binary.AppendUvarint(binary.AppendUvarint(*m, uint64(field)<<3), uint64(v))
}

func (m *message) bytes(field int, b []byte) {
	*m = binary.AppendUvarint(binary.AppendUvarint(*m, uint64(field)<<3|2), uint64(len(b)))
	*m = append(*m, b...)
}

func (m *message) text(field int, s string) { m.bytes(field, []byte(s)) }

// value describes an input or output; a dimension of −1 may be any.
func value(name string, element int64, dims ...int64) []byte {
	var shape, tensor, kind, v message
	for _, d := range dims {
		var dim message
		if d < 0 {
			dim.text(2, "any")
		} else {
			dim.number(1, d)
		}
		shape.bytes(1, dim)
	}
	tensor.number(1, element)
	tensor.bytes(2, shape)
	kind.bytes(1, tensor)
	v.text(1, name)
	v.bytes(2, kind)
	return v
}

// node is an operator with one output.
func node(op string, out string, inputs ...string) []byte {
	var n message
	for _, in := range inputs {
		n.text(1, in)
	}
	n.text(2, out)
	n.text(4, op)
	return n
}

// constant is an array of float32.
func constant(name string, values []float32, dims ...int64) []byte {
	var t message
	for _, d := range dims {
		t.number(1, d)
	}
	t.number(2, 1)
	t.text(8, name)
	raw := make([]byte, 0, 4*len(values))
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
	}
	t.bytes(9, raw)
	return t
}

// onnx writes a network of operators, and returns its file.
func onnx(t *testing.T, dir string, nodes, constants, inputs, outputs [][]byte, metadata map[string]string) string {
	t.Helper()
	var graph, model, opset message
	for _, n := range nodes {
		graph.bytes(1, n)
	}
	graph.text(2, "test")
	for _, c := range constants {
		graph.bytes(5, c)
	}
	for _, in := range inputs {
		graph.bytes(11, in)
	}
	for _, out := range outputs {
		graph.bytes(12, out)
	}
	model.number(1, 8)
	model.bytes(7, graph)
	opset.number(2, 13)
	model.bytes(8, opset)
	for key, value := range metadata {
		var entry message
		entry.text(1, key)
		entry.text(2, value)
		model.bytes(14, entry)
	}
	path := filepath.Join(dir, "network.onnx")
	if err := os.WriteFile(path, model, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// runtimeLibrary returns the library onnxruntime, and skips the test where there is none.
func runtimeLibrary(t *testing.T) string {
	t.Helper()
	path := os.Getenv("LAPSVM_ONNXRUNTIME")
	if path == "" {
		t.Skip("LAPSVM_ONNXRUNTIME names no library onnxruntime: npm install onnxruntime-node has one")
	}
	return path
}

// picture writes a picture of two colours side by side.
func picture(t *testing.T, path string, left, right color.Color) {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, 8, 4))
	for x := range 8 {
		for y := range 4 {
			img.Set(x, y, map[bool]color.Color{true: left, false: right}[x < 4])
		}
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, img); err != nil {
		t.Fatal(err)
	}
}

// A network of pictures gets (value − mean)/deviation in the order of dimensions that it takes, and its output has length 1.
func TestNetworkOfPictures(t *testing.T) {
	library := runtimeLibrary(t)
	for name, c := range map[string]struct {
		dims []int64
		at   func(c, y, x int) int
	}{
		"colours first": {[]int64{-1, 3, 2, 2}, func(c, y, x int) int { return 4*c + 2*y + x }},
		"colours last":  {[]int64{-1, 2, 2, 3}, func(c, y, x int) int { return 3*(2*y+x) + c }},
		"any size":      {[]int64{1, 3, -1, -1}, func(c, y, x int) int { return 4*c + 2*y + x }},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			weights := make([]float32, 24)
			for k := range weights {
				weights[k] = float32(math.Sin(float64(5*k + 1)))
			}
			network := onnx(t, dir, [][]byte{node("Flatten", "flat", "in"), node("MatMul", "out", "flat", "w")}, [][]byte{constant("w", weights, 12, 2)},
				[][]byte{value("in", 1, c.dims...)}, [][]byte{value("out", 1, -1, 2)}, map[string]string{"image_size": "2x2", "image_mean": "0.5, 0.25, 0", "image_std": "[0.5]"})
			e, err := Open(Options{Network: network, Runtime: library})
			if err != nil {
				t.Fatal(err)
			}
			paths := []string{filepath.Join(dir, "a.png"), filepath.Join(dir, "b.png")}
			picture(t, paths[0], color.RGBA{255, 0, 51, 255}, color.RGBA{0, 102, 0, 255})
			picture(t, paths[1], color.White, color.RGBA{0, 0, 255, 255})
			got, err := e.With(t.Context()).Embed(paths, true)
			if err != nil {
				t.Fatal(err)
			}
			dots := [][2][3]float64{{{1, 0, 0.2}, {0, 0.4, 0}}, {{1, 1, 1}, {0, 0, 1}}}
			mean := []float64{0.5, 0.25, 0}
			for i := range paths {
				var want [2]float64
				for colour := range 3 {
					for y := range 2 {
						for x := range 2 {
							v := (dots[i][x][colour] - mean[colour]) / 0.5
							for k := range want {
								want[k] += v * float64(weights[2*c.at(colour, y, x)+k])
							}
						}
					}
				}
				length := math.Hypot(want[0], want[1])
				for k := range want {
					if !(math.Abs(float64(got[i][k])-want[k]/length) < 1e-5) {
						t.Errorf("picture %d has %g, want %g of length %g", i, got[i], want, length)
					}
				}
			}
			if _, err := e.With(t.Context()).Embed([]string{"a text"}, false); err == nil || !strings.Contains(err.Error(), "a network of pictures, and these are texts") {
				t.Errorf("texts: error %v", err)
			}
			if _, err := Open(Options{Network: network, Runtime: library, Mean: []float64{1, 2}}); err == nil || !strings.Contains(err.Error(), "2 numbers for 3 colours") {
				t.Errorf("two means: error %v", err)
			}
			if _, err := Open(Options{Network: network, Runtime: library, Width: 5, Height: 5}); (err != nil) != (name != "any size") {
				t.Errorf("another size: error %v", err)
			}
		})
	}
}

// A network of texts gets the tokens, and the mean of what it says of these has length 1.
func TestNetworkOfTexts(t *testing.T) {
	library := runtimeLibrary(t)
	dir := t.TempDir()
	table := []float32{0, 0, 1, 0, 0, 1, 3, 4, 5, -2} // of each token two numbers
	network := onnx(t, dir, [][]byte{node("Gather", "out", "w", "input_ids")}, [][]byte{constant("w", table, 5, 2)},
		[][]byte{value("input_ids", 7, -1, -1)}, [][]byte{value("out", 1, -1, -1, 2)}, nil)
	if _, err := Open(Options{Network: network, Runtime: library}); err == nil || !strings.Contains(err.Error(), "tokenizer.json, which makes tokens of them, is not there") {
		t.Errorf("without a tokenizer: error %v", err)
	}
	tokenizer, err := json.Marshal(map[string]any{
		"model":         map[string]any{"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "vocab": map[string]int{"[UNK]": 0, "[CLS]": 1, "cat": 2, "##s": 3, "dog": 4}},
		"normalizer":    map[string]any{"type": "BertNormalizer", "lowercase": true},
		"pre_tokenizer": map[string]any{"type": "BertPreTokenizer"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "tokenizer.json"), tokenizer, 0o666); err != nil {
		t.Fatal(err)
	}
	e, err := Open(Options{Network: network, Runtime: library})
	if err != nil {
		t.Fatal(err)
	}
	got, err := e.With(t.Context()).Embed([]string{"Cats dog", "cat", "Cats dog"}, false)
	if err != nil {
		t.Fatal(err)
	}
	length := math.Hypot(0+3+5, 1+4-2)
	for i, want := range [][2]float64{{8 / length, 3 / length}, {0, 1}, {8 / length, 3 / length}} {
		for k := range want {
			if !(math.Abs(float64(got[i][k])-want[k]) < 1e-6) {
				t.Errorf("text %d has %g, want %g", i, got[i], want)
			}
		}
	}
}

func TestNetworkErrors(t *testing.T) {
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.onnx")
	if err := os.WriteFile(bad, []byte("no network"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(Options{Network: bad}); err == nil || !strings.Contains(err.Error(), "bad.onnx: it is no network of ONNX") {
		t.Errorf("no network: error %v", err)
	}
	var empty message
	empty.bytes(modelGraph, nil)
	if err := os.WriteFile(bad, empty, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(Options{Network: filepath.Join(dir, "none.onnx")}); err == nil || !strings.Contains(err.Error(), "none.onnx") {
		t.Errorf("no file: error %v", err)
	}
	if _, err := Open(Options{Network: bad, Runtime: filepath.Join(dir, "lib.so")}); err == nil || !strings.Contains(err.Error(), "lib.so cannot be loaded") {
		t.Errorf("no library: error %v", err)
	}
	if _, err := Open(Options{Network: bad, Command: "cat"}); err == nil || !strings.Contains(err.Error(), "not by both") {
		t.Errorf("both: error %v", err)
	}
	library := runtimeLibrary(t)
	if _, err := Open(Options{Network: bad, Runtime: library}); err == nil || !strings.Contains(err.Error(), "bad.onnx cannot be run by onnxruntime") {
		t.Errorf("a file that is no network: error %v", err)
	}
}

// Vectors are kept for one size, number of colours, mean and deviation.
func TestVectorsAreOfOneInput(t *testing.T) {
	known := make(map[string]int)
	for k, n := range []network{
		{width: 4, height: 6, colours: 3, mean: []float64{0, 0, 0}, deviation: []float64{1, 1, 1}},
		{width: 6, height: 4, colours: 3, mean: []float64{0, 0, 0}, deviation: []float64{1, 1, 1}},
		{width: 4, height: 6, colours: 1, mean: []float64{0}, deviation: []float64{1}},
		{width: 4, height: 6, colours: 3, mean: []float64{0, 0, 0.5}, deviation: []float64{1, 1, 1}},
		{width: 4, height: 6, colours: 3, mean: []float64{0, 0, 0}, deviation: []float64{1, 1, 0.5}},
		{width: 4, height: 6, colours: 3, mean: []float64{1, 1, 1}, deviation: []float64{1, 1, 1}},
	} {
		if other, same := known[n.input()]; same {
			t.Errorf("networks %d and %d share the vectors of %q", k, other, n.input())
		}
		known[n.input()] = k
	}
	if got := (&network{width: 224, height: 192, colours: 1, mean: []float64{0.5}, deviation: []float64{0.25}}).input(); got != "224 192 1 [0.5] [0.25]" {
		t.Errorf("vectors that were kept before are lost: %q", got) // the text is in the names of folders
	}
}
