package server

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"lapsvm/dataset"
	"lapsvm/dataset/files"
)

// BenchmarkInfer has requests answered without a network, of a model of 4,000 points of 784
// features, any numbers or bytes over 255: by how they are written, and how many rows they have.
func BenchmarkInfer(b *testing.B) {
	for kind, rows := range map[string]func(rows, features, classes int, seed uint64) string{"numbers": blobs, "pixels": pixels} {
		b.Run(kind, func(b *testing.B) { benchmarkInfer(b, rows) })
	}
}

// pixels is blobs in bytes over 255, most of them 0.
func pixels(rows, features, classes int, seed uint64) string {
	random := rand.New(rand.NewPCG(seed, 0))
	head, _, _ := strings.Cut(blobs(1, features, 1, 1), "\n")
	b := []byte(head)
	for i := range rows {
		b = append(b, '\n')
		for j := range features {
			v := 0
			if c := (i%classes + 2) * j / 50; c%4 == 0 {
				v = random.IntN(256)
			}
			b = append(strconv.AppendFloat(b, float64(v)/255, 'g', -1, 64), ',')
		}
		if i < 4*classes {
			b = append(b, 'c', byte('0'+i%classes))
		}
	}
	return string(append(b, '\n'))
}

func benchmarkInfer(b *testing.B, table func(rows, features, classes int, seed uint64) string) {
	const basis, features = 4000, 784
	folder := b.TempDir()
	save(b, trained(b, table(basis, features, 2, 1), files.Options{}), filepath.Join(folder, "m"+Ending))
	s := New(Config{Paths: []string{folder}, Poll: -1})
	if err := s.Reload(b.Context()); err != nil {
		b.Fatal(err)
	}
	h := s.handler()
	for _, rows := range []int{1, 256} {
		d, err := files.Read(strings.NewReader(table(rows, features, 2, 2)), "rows.csv", files.Options{Format: "csv", Label: "label", Encoding: new(dataset.Encoding)})
		if err != nil {
			b.Fatal(err)
		}
		var text, tensor []byte
		for i := range rows {
			for j := range features {
				v := d.Points.At(i, j)
				text = strconv.AppendFloat(append(text, ','), v, 'g', -1, 64)
				tensor = binary.LittleEndian.AppendUint64(tensor, math.Float64bits(v))
			}
		}
		head := fmt.Sprintf(`{"parameters":{"binary_data_output":true},"inputs":[{"name":"points","shape":[%d,%d],"datatype":"FP64","parameters":{"binary_data_size":%d}}]}`, rows, features, len(tensor))
		plain := fmt.Sprintf(`{"inputs":[{"name":"points","shape":[%d,%d],"datatype":"FP64","data":[%s]}]}`, rows, features, text[1:])
		for _, way := range []struct{ name, body, media, header string }{
			{"json", plain, "application/json", ""},
			{"binary", head + string(tensor), "application/octet-stream", strconv.Itoa(len(head))},
		} {
			b.Run(fmt.Sprintf("%s/%d", way.name, rows), func(b *testing.B) {
				for b.Loop() {
					r := httptest.NewRequest("POST", "/v2/models/m/infer", strings.NewReader(way.body))
					r.Host = "127.0.0.1"
					r.Header.Set("Content-Type", way.media)
					if way.header != "" {
						r.Header.Set(headerLength, way.header)
					}
					w := httptest.NewRecorder()
					h.ServeHTTP(w, r)
					if w.Code != http.StatusOK {
						b.Fatal(w.Code, w.Body)
					}
				}
			})
		}
	}
}
