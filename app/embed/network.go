package embed

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"lapsvm/app/embed/onnxruntime"
	"lapsvm/app/embed/tokens"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/system/fault"
	"lapsvm/internal/system/regular"
	"lapsvm/internal/system/size"
)

// network is an ONNX file of pictures, or, with tokenizer.json beside it, of texts. Inputs are run one by one, so that a
// vector has the same bits whatever stands beside it.
type network struct {
	path    string
	hash    string // of its files and what belongs to them
	files   string // of its files alone
	session *onnxruntime.Session
	threads int

	tokens *tokens.Tokenizer // nil for pictures

	// Of pictures.
	width, height, colours int
	last                   bool // colours are the last dimension
	mean, deviation        []float64
}

// What networks say of themselves in their metadata.
const (
	sizeKey      = "image_size" // such as 224x224
	meanKey      = "image_mean" // such as 0.485,0.456,0.406
	deviationKey = "image_std"
)

// openNetwork loads a network and what belongs to it. Its files are hashed before anything reads what they say. Models may tell the hashes of
// their network: the files then have to be those of one model.
func openNetwork(o Options) (*network, error) {
	data, err := readNetwork(o.Network, o.Memory)
	if err != nil {
		return nil, err
	}
	getenv := o.Getenv
	if getenv == nil {
		getenv = func(string) string { return "" }
	}
	n := &network{path: o.Network, threads: o.Threads}
	names, err := externalFiles(data)
	sum := sha256.New()
	sum.Write(data)
	if err == nil {
		err = writeExternal(sum, filepath.Dir(o.Network), names)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.Network, err)
	}
	n.files = hex.EncodeToString(sum.Sum(nil))
	if err := n.expected(o.Expected, n.files, func(by dataset.EmbeddedBy) string { return by.Files }); err != nil {
		return nil, err
	}
	if names != nil {
		data = nil // the library looks for the others beside the file
	}
	if n.session, err = onnxruntime.Open(o.Runtime, o.Network, data, getenv); err != nil {
		return nil, err
	}
	inputs := n.session.Inputs()
	if len(inputs) == 1 && inputs[0].Type == onnxruntime.Float32 && len(inputs[0].Shape) == 4 {
		if err := n.ofPictures(o, inputs[0]); err != nil {
			return nil, fmt.Errorf("%s: %w", o.Network, err)
		}
		io.WriteString(sum, n.input())
		n.hash = hex.EncodeToString(sum.Sum(nil))
		return n, nil
	}
	text, err := n.ofTexts(inputs, o.Memory)
	if err != nil {
		return nil, err
	}
	sum.Write(text)
	if bytes.Contains(text, []byte(`"Left"`)) { // older programs took the first tokens where a file asks for the last ones
		sum.Write([]byte("the last tokens"))
	}
	n.hash = hex.EncodeToString(sum.Sum(nil))
	if err := n.expected(o.Expected, n.hash, func(by dataset.EmbeddedBy) string { return by.Hash }); err != nil {
		return nil, err
	}
	if n.tokens, err = tokens.Read(text); err != nil {
		return nil, fmt.Errorf("%s: %w", tokenizerOf(n.path), err)
	}
	return n, nil
}

// expected fails where none of what made vectors of models has a hash, and all tell theirs.
func (n *network) expected(all []dataset.EmbeddedBy, hash string, of func(dataset.EmbeddedBy) string) error {
	if len(all) == 0 {
		return nil
	}
	for _, by := range all {
		if own := of(by); own == "" || own == hash {
			return nil
		}
	}
	return fault.Errorf("%s (%.12s) is not the network of the training (%.12s, called %s there), and is not opened: give that one", n.path, hash, of(all[0]), all[0].Name)
}

// largestNetwork is what one message of ONNX can have.
const largestNetwork = 1<<31 - 1

// readNetwork reads the file of a network, which may take so much memory; 0 is no limit.
func readNetwork(path string, memory int64) ([]byte, error) {
	f, length, err := regular.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if length > largestNetwork || memory > 0 && length > memory {
		return nil, fmt.Errorf("%s has %s: a network may have %s, and as much as there is memory for", path, size.Text(length), size.Text(largestNetwork))
	}
	data := make([]byte, length)
	_, err = io.ReadFull(f, data)
	return data, err
}

// tokenizerOf returns where the tokenizer of a network of texts is.
func tokenizerOf(network string) string {
	return filepath.Join(filepath.Dir(network), "tokenizer.json")
}

// ofTexts returns the text of the tokenizer of a network of texts.
func (n *network) ofTexts(inputs []onnxruntime.Input, memory int64) ([]byte, error) {
	for _, in := range inputs {
		switch {
		case in.Name != "input_ids" && in.Name != "attention_mask" && in.Name != "token_type_ids":
			return nil, fault.Errorf("%s takes %q: a network of pictures takes one array of float32 with four dimensions, and one of texts input_ids, attention_mask and token_type_ids; run others by a command", n.path, in.Name)
		case in.Type != onnxruntime.Int64 || len(in.Shape) != 2 || in.Shape[0] > 1 || in.Shape[1] > 0:
			return nil, fault.Errorf("%s takes %s of the shape %v: it is to take int64 of any number of texts and tokens; export it so", n.path, in.Name, in.Shape)
		}
	}
	const most = 256 << 20 // bytes
	path := tokenizerOf(n.path)
	const grown = 10 // times its text that a tokenizer takes
	if memory /= grown; memory <= 0 || memory > most {
		memory = most
	}
	text, err := readNetwork(path, memory)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fault.Errorf("%s is a network of texts, and %s, which makes tokens of them, is not there: put it there", n.path, path)
	}
	return text, err
}

// ofPictures settles the size of the pictures, and how their values are scaled.
func (n *network) ofPictures(o Options, in onnxruntime.Input) error {
	s := in.Shape
	if s[0] > 1 {
		return fault.Errorf("it takes %d pictures at a time: export it with any number of them", s[0])
	}
	height, width := s[2], s[3]
	switch {
	case s[1] == 1 || s[1] == 3:
		n.colours = int(s[1])
	case s[3] == 1 || s[3] == 3:
		n.colours, n.last, height, width = int(s[3]), true, s[1], s[2]
	default:
		return fmt.Errorf("it takes arrays of the shape %v, and not of 1 or 3 colours before or behind height and width", s)
	}
	size, err := n.session.Metadata(sizeKey)
	if err != nil {
		return err
	}
	across, down, _ := strings.Cut(size, "x")
	said := func(text string) int {
		side, _ := strconv.Atoi(text)
		return side
	}
	n.width, n.height = o.Width, o.Height
	if n.width == 0 {
		n.width, n.height = int(max(width, 0)), int(max(height, 0))
	}
	if n.width == 0 || n.height == 0 {
		n.width, n.height = said(across), said(down)
	}
	switch {
	case n.width < 1 || n.height < 1 || max(n.width, n.height) > dataset.MaxImageSide:
		return fault.Errorf("it does not say the size of its pictures: give width and height (embed-size)")
	case width > 0 && int(width) != n.width || height > 0 && int(height) != n.height:
		return fmt.Errorf("it takes pictures of %d×%d dots, not of %d×%d", width, height, n.width, n.height)
	}
	if n.mean, err = n.perColour(o.Mean, meanKey, 0); err != nil {
		return err
	}
	n.deviation, err = n.perColour(o.Deviation, deviationKey, 1)
	return err
}

// perColour returns a number for each colour: those given, or those of the metadata, or else all alike.
func (n *network) perColour(given []float64, key string, otherwise float64) ([]float64, error) {
	if given == nil {
		text, err := n.session.Metadata(key)
		if err != nil {
			return nil, err
		}
		for _, field := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' || r == '[' || r == ']' }) {
			v, err := strconv.ParseFloat(field, 64)
			if err != nil {
				return nil, fmt.Errorf("its metadata %s is %q, and not a number for each colour", key, text)
			}
			given = append(given, v)
		}
	}
	switch len(given) {
	case 0:
		given = []float64{otherwise}
		fallthrough
	case 1:
		for len(given) < n.colours {
			given = append(given, given[0])
		}
	}
	if len(given) != n.colours {
		return nil, fmt.Errorf("%d numbers for %d colours (%s)", len(given), n.colours, key)
	}
	for _, v := range given {
		if v-v != 0 || key == deviationKey && v <= 0 {
			return nil, fmt.Errorf("a colour has %g for %s", v, key)
		}
	}
	return given, nil
}

// vectors implements source.
func (n *network) vectors(ctx context.Context, inputs []string, pictures bool) ([][]float32, error) {
	if pictures != (n.tokens == nil) {
		return nil, fmt.Errorf("%s is a network of %s, and these are %s", n.path, kindOf(n.tokens == nil), kindOf(pictures))
	}
	vectors, failures := make([][]float32, len(inputs)), make([]error, len(inputs))
	err := parallel.Run(parallel.WithLimit(ctx, cmp.Or(n.threads, parallel.Threads(ctx))), len(inputs), func(_, i int) {
		vectors[i], failures[i] = n.vector(ctx, inputs[i])
	})
	if err != nil {
		return nil, err
	}
	unmade := make(dataset.Unmade)
	for i, err := range failures {
		if err != nil && !(pictures && isUnread(err)) {
			return nil, err
		}
		if err != nil {
			unmade[i] = err
		}
	}
	if len(unmade) > 0 {
		return vectors, unmade
	}
	return vectors, nil
}

func kindOf(pictures bool) string {
	if pictures {
		return "pictures"
	}
	return "texts"
}

// vector runs the network on an input. Its output is pooled, and brought to length 1.
func (n *network) vector(ctx context.Context, input string) ([]float32, error) {
	run := n.ofText
	if n.tokens == nil {
		run = n.ofPicture
	}
	in, err := run(input)
	if err != nil {
		return nil, err
	}
	out, err := n.session.Run(ctx, in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", n.path, err)
	}
	vector, err := pooled(out)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", n.path, err)
	}
	return vector, nil
}

// ofText returns the inputs for a text.
func (n *network) ofText(text string) ([]onnxruntime.Tensor, error) {
	ids := n.tokens.Encode(text)
	if len(ids) == 0 {
		return nil, fmt.Errorf("the text %.40q has no token", text)
	}
	shape := []int64{1, int64(len(ids))}
	var all []onnxruntime.Tensor
	for _, in := range n.session.Inputs() {
		numbers := make([]int64, len(ids))
		for k := range numbers {
			switch in.Name {
			case "input_ids":
				numbers[k] = int64(ids[k])
			case "attention_mask":
				numbers[k] = 1
			}
		}
		all = append(all, onnxruntime.Tensor{Shape: shape, Whole: numbers})
	}
	return all, nil
}

// input says what a picture becomes. Where it differs kept vectors are of another network.
func (n *network) input() string {
	return fmt.Sprintf("%d %d %d %v %v", n.width, n.height, n.colours, n.mean, n.deviation)
}

// ofPicture returns the input for the picture at a path: (value − mean) / deviation, with values from 0 to 1.
func (n *network) ofPicture(path string) ([]onnxruntime.Tensor, error) {
	d, err := files.ReadImages([]string{path}, files.Options{Image: dataset.Image{Width: n.width, Height: n.height, Colour: n.colours == 3}, Threads: 1})
	if err != nil {
		return nil, err
	}
	row, dots := d.Points.Row(0, nil), n.width*n.height
	t := onnxruntime.Tensor{Shape: []int64{1, int64(n.colours), int64(n.height), int64(n.width)}, Singles: make([]float32, len(row))}
	if n.last {
		t.Shape = []int64{1, int64(n.height), int64(n.width), int64(n.colours)}
	}
	for k, v := range row {
		dot, c := k/n.colours, k%n.colours
		at := c*dots + dot
		if n.last {
			at = k
		}
		t.Singles[at] = float32((v/d.Image.Brightest() - n.mean[c]) / n.deviation[c])
	}
	return []onnxruntime.Tensor{t}, nil
}

// pooled returns the vector that an output of one input is: of a row for each token their mean, and of maps the mean of each,
// at length 1.
func pooled(out onnxruntime.Tensor) ([]float32, error) {
	s := out.Shape
	if len(s) < 2 || len(s) > 4 || s[0] != 1 || len(out.Singles) == 0 {
		return nil, fmt.Errorf("its first output has the shape %v, and not a vector for each input, one for each token, or maps", s)
	}
	count, width := 1, int(s[1])
	at := func(k, c int) int { return c } // of number c in the k-th of count vectors
	switch len(s) {
	case 3:
		count, width = int(s[1]), int(s[2])
		at = func(k, c int) int { return k*width + c }
	case 4:
		count = int(s[2] * s[3])
		at = func(k, c int) int { return c*count + k }
	}
	sum, square := make([]float64, width), 0.0
	for c := range sum {
		for k := range count {
			sum[c] += float64(out.Singles[at(k, c)])
		}
		sum[c] /= float64(count)
		square += sum[c] * sum[c]
	}
	vector := make([]float32, width)
	for c := range vector {
		if square > 0 {
			vector[c] = float32(sum[c] / math.Sqrt(square))
		}
		if square-square != 0 {
			return nil, errors.New("its output is not finite")
		}
	}
	return vector, nil
}
