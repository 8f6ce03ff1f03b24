package server

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
)

// slope is a picture that is light on one side: on the left, on the right, above or below.
func slope(side, k int) image.Image {
	img := image.NewRGBA(image.Rect(0, 0, 16, 16))
	for at := range 256 {
		x, y := at%16, at/16
		v := []int{255 - 16*x, 16 * x, 255 - 16*y, 16 * y}[side]
		img.SetRGBA(x, y, color.RGBA{uint8(max(0, v-5*k)), uint8(max(0, v-3*k)), uint8(v), 255})
	}
	return img
}

// turned is a JPEG file of a picture which its camera held upside down.
func turned(t testing.TB, img image.Image) []byte {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, nil); err != nil {
		t.Fatal(err)
	}
	exif := "Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x03\x00\x00\x00\x00\x00\x00"
	return []byte("\xff\xd8\xff\xe1" + string([]byte{0, byte(len(exif) + 2)}) + exif + b.String()[2:])
}

// pictureModel returns a model of pictures, light on the left or the right, and the bytes of new ones by the names of their files.
func pictureModel(t testing.TB) (*lapsvm.Model, string, map[string][]byte) {
	folder, other := t.TempDir(), t.TempDir()
	file := func(path string, content []byte) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	coded := func(img image.Image) []byte {
		var b bytes.Buffer
		if err := png.Encode(&b, img); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	for k := range 8 {
		file(filepath.Join(folder, "left", fmt.Sprintf("%d.png", k)), coded(slope(0, k)))
		file(filepath.Join(folder, "right", fmt.Sprintf("%d.png", k)), coded(slope(1, k)))
	}
	d, err := files.ReadFile(folder, files.Options{Image: dataset.Image{Width: 8, Height: 8, Colour: true}})
	if err != nil {
		t.Fatal(err)
	}
	m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{RulesOfThumb: true, Calibrate: true}}.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	webp, err := base64.StdEncoding.DecodeString(webpRight)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]byte{"a.png": coded(slope(0, 9)), "b.jpeg": turned(t, slope(0, 9)), "c.webp": webp}
	for name, content := range all {
		file(filepath.Join(other, name), content)
	}
	return m, other, all
}

// webpRight is slope(1, 2) as cwebp 1.2.4 -lossless writes it.
const webpRight = "UklGRj4AAABXRUJQVlA4TDEAAAAvD8ADAH8gJCBkyf/DLggJUkwyOxDzn9DqBmYBoFGIJZZYYoklllhmsD+i/wHK6e4vAA=="

// A model of pictures takes the bytes of pictures, by every road: as rows of a folder they have the same values.
func TestPictures(t *testing.T) {
	m, other, all := pictureModel(t)
	rows, err := files.ReadFile(other, files.Options{Image: m.Image()})
	if err != nil {
		t.Fatal(err)
	}
	want, err := m.Scores(t.Context(), rows.Points)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	save(t, m, filepath.Join(folder, "m.lapsvm"))
	save(t, trained(t, customers, files.Options{}), filepath.Join(folder, "table.lapsvm"))
	s := serve(t, folder, func(c *Config) { c.Limits.Body, c.Limits.Memory = 1<<20, 2<<20 })
	var texts []string
	var binaries []byte
	for i, name := range []string{"a.png", "b.jpeg", "c.webp"} {
		label := []string{"left", "right", "right"}[i] // the second is turned
		answer, text := s.do("POST", "/v2/models/m/predict?scores=true&explain=1", string(all[name]), "Content-Type", "image/"+name[2:])
		var said struct {
			Labels       []string
			Scores       [][]float64
			Explanations []struct{ Sentence string }
		}
		if err := json.Unmarshal([]byte(text), &said); err != nil || answer.StatusCode != http.StatusOK {
			t.Fatalf("%d %s: %v", answer.StatusCode, text, err)
		}
		if fmt.Sprint(said.Labels) != "["+label+"]" || said.Scores[0][1] != want[i][1] || !strings.Contains(said.Explanations[0].Sentence, "the part in") {
			t.Errorf("%s: %s, want %s of %v", name, text, label, want[i])
		}
		texts = append(texts, base64.StdEncoding.EncodeToString(all[name]))
		binaries = append(binary.LittleEndian.AppendUint32(binaries, uint32(len(all[name]))), all[name]...)
	}
	quoted, _ := json.Marshal(texts)
	head := fmt.Sprintf(`{"inputs":[{"name":"pictures","shape":[3],"datatype":"BYTES","parameters":{"binary_data_size":%d}}]}`, len(binaries))
	for _, request := range [][]string{
		{`{"inputs":[{"name":"pictures","shape":[3,1],"datatype":"BYTES","data":` + string(quoted) + `}]}`},
		{head + string(binaries), headerLength, fmt.Sprint(len(head))},
	} {
		answer, text := s.do("POST", "/v2/models/m/infer", request[0], request[1:]...)
		var said struct {
			Outputs []struct {
				Name string
				Data []any
			}
		}
		if err := json.Unmarshal([]byte(text), &said); err != nil || answer.StatusCode != http.StatusOK {
			t.Fatalf("%d %s: %v", answer.StatusCode, text, err)
		}
		for i, v := range said.Outputs[1].Data {
			if v != want[i][1] || said.Outputs[1].Name != "scores" {
				t.Errorf("row %d: %v, want %v", i+1, v, want[i])
			}
		}
	}
	var large bytes.Buffer
	if err := png.Encode(&large, image.NewGray(image.Rect(0, 0, 3000, 1000))); err != nil {
		t.Fatal(err)
	}
	infer := func(shape, data string) string {
		return `{"inputs":[{"name":"pictures","shape":` + shape + `,"datatype":"BYTES","data":` + data + `}]}`
	}
	for _, c := range []struct {
		path, body, media string
		status            int
		want              string
	}{
		{"m/predict", "no picture", "image/png", 400, "the picture: the image is damaged or no image"},
		{"m/predict", "", "image/png", 400, "the body is empty: send a picture or rows"},
		{"table/predict", "", "text/csv", 400, "the body is empty: send a picture or rows"},
		{"m/infer", "", "application/json", 400, "the body is empty: send"},
		{"m/predict", string(all["a.png"]), "", 415, "the body is a picture: send it with Content-Type: image/png"},
		{"m/predict", string(all["c.webp"]), "text/csv", 415, "send it with Content-Type: image/webp"},
		{"m/predict", string(all["a.png"]), "application/octet-stream", 415, "send one of image/png, image/jpeg"},
		{"table/predict", string(all["a.png"]), "", 400, "the model was trained on no pictures: send rows"},
		{"m/predict", "\x00\x00\x00\x18ftypheic\x00\x00\x00\x00", "image/jpeg", 400, "HEIC, AVIF and films are not read; save the image as PNG or JPEG"},
		{"m/predict", "x", "image/heic", 415, "pictures of the type image/heic are not read: send one of image/png, image/jpeg, image/webp"},
		{"m/predict", large.String(), "image/png", 413, "memory for all requests"},
		{"table/predict", string(all["a.png"]), "image/png", 400, "the model was trained on no pictures: send rows"},
		{"m/infer", infer("[1]", `["*"]`), "application/json", 400, `element 1 of input \"pictures\" is no Base64`},
		{"m/infer", infer("[2]", `["`+texts[0]+`","aGVsbG8="]`), "application/json", 400, "picture 2: the image is damaged"},
		{"m/infer", infer("[2,2]", `[]`), "application/json", 400, "pictures have [rows] or [rows, 1]"},
		{"m/infer", strings.Replace(infer("[1]", `["a"]`), `"pictures"`, `"points"`, 1), "application/json", 400, `one input, \"pictures\", image files as BYTES, or \"points\", 192 features`},
		{"m/infer", strings.Replace(infer("[1]", `[1]`), "BYTES", "FP32", 1), "application/json", 400, "send image files as BYTES"},
	} {
		if answer, text := s.do("POST", "/v2/models/"+c.path, c.body, "Content-Type", c.media); answer.StatusCode != c.status || !strings.Contains(text, c.want) {
			t.Errorf("%s of %.20q: %d %s, want %d %s", c.path, c.body, answer.StatusCode, text, c.status, c.want)
		}
	}
	if _, text := s.do("GET", "/v2/models/m", ""); !strings.Contains(text, `"pictures":{"name":"pictures","datatype":"BYTES","shape":[-1]}`) {
		t.Error(text)
	}
	if held := s.s.memory.Load(); held != 0 {
		t.Errorf("%d bytes are held after all", held)
	}
}

// sizes makes vectors of pictures by the sizes of their files.
type sizes struct{ lengths }

func (sizes) Embed(paths []string, _ bool) ([][]float32, error) {
	var all [][]float32
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		all = append(all, []float32{float32(info.Size()), float32(len(filepath.Ext(path)))})
	}
	return all, nil
}

// Where the training rows are vectors made of pictures, those of a request are made in the same way.
func TestPicturesBecomeVectors(t *testing.T) {
	_, other, all := pictureModel(t)
	training := t.TempDir()
	for k := range 12 {
		path := filepath.Join(training, []string{"small", "large"}[k%2], fmt.Sprintf("%d.png", k))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, bytes.Repeat([]byte{1}, 50+10*k+500*(k%2)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	d, err := files.ReadFile(training, files.Options{Embedder: sizes{}})
	if err != nil {
		t.Fatal(err)
	}
	m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{RulesOfThumb: true}}.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := files.ReadFile(filepath.Join(other, "b.jpeg"), files.Options{Encoding: m.Encoding(), Embedder: sizes{}})
	if err != nil {
		t.Fatal(err)
	}
	want, err := m.Scores(t.Context(), rows.Points)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	save(t, m, filepath.Join(folder, "m.lapsvm"))
	s := serve(t, folder, func(c *Config) { c.Embedder = func(context.Context) (dataset.Embedder, error) { return sizes{}, nil } })
	if answer, text := s.do("POST", "/v2/models/m/predict?scores=true", string(all["b.jpeg"]), "Content-Type", "image/jpeg"); answer.StatusCode != 200 || !strings.Contains(text, fmt.Sprintf(`"scores":[[%v,%v]]`, want[0][0], want[0][1])) {
		t.Errorf("%d %s, want %v", answer.StatusCode, text, want)
	}
}
