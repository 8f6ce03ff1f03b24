package labelpage

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"lapsvm/app/labelpage/store"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/points"
)

func read(t *testing.T, text string, o files.Options) *dataset.Dataset {
	t.Helper()
	o.Format, o.Keep = "csv", true
	d, err := files.Read(strings.NewReader(text), "data.csv", o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// The kind in which rows are shown follows from the data.
func TestKinds(t *testing.T) {
	words := strings.Repeat("some words of a text that is long enough to be one, ", 3)
	text := read(t, "id,note,label\na,\""+words+"\",x\nb,\"other "+words+"\",\nc,none,\nd,nothing,\n", files.Options{ID: []string{"id"}, Text: []string{"note"}})
	c := NewContent(text, nil, []string{"id"})
	if c.Kind != Texts || c.Fields[1][c.Text] != "other "+words || c.Called(1) != "b" || len(c.fields(0)) != 1 || c.Label != 2 {
		t.Errorf("%+v", c)
	}
	numbers := read(t, "1.5,2,a\n3,4,\n", files.Options{})
	if c = NewContent(numbers, nil, nil); c.Kind != Tables || c.Label != 2 || len(c.Columns) != 2 || c.Fields[0][0] != "1.5" {
		t.Errorf("%+v", c)
	}
	bare := read(t, "x,y\n1,2\n3,4\n", files.Options{Features: 2})
	if c = NewContent(bare, nil, nil); c.Label != -1 || len(c.Columns) != 2 {
		t.Errorf("%+v", c)
	}
	long := read(t, "n,v,label\n1,\"["+strings.Repeat("0.25, ", 300)+"1]\",a\n2,\"["+strings.Repeat("0.5, ", 300)+"1]\",\n", files.Options{})
	if c = NewContent(long, nil, nil); c.Kind != Tables || c.fields(1)[1].Value != "["+strings.Repeat("0.5, ", 12)+"…]" || len(c.Fields[1][1]) < 1500 {
		t.Errorf("%+v", c.fields(1))
	}
	vectors := &dataset.Dataset{Points: points.Dense(2, 3, []float64{1, 2, 3, 4, 5, 6}), Y: []int{-1, -1}}
	if c = NewContent(vectors, nil, nil); c.Kind != Vectors || c.values(1)[2] != 6 {
		t.Errorf("%+v", c)
	}
	m := &dataset.Dataset{Points: points.Dense(1, 4, []float64{0, 255, 128, 0}), Y: []int{-1}, Image: dataset.Image{Width: 2, Height: 2, White: 255}}
	c = NewContent(m, nil, nil)
	picture, err := c.picture(t.Context(), nil, 0)
	if err != nil || c.Kind != Images || picture.Bounds().Dx() != fewestDots {
		t.Fatalf("%v, %v", picture, err)
	}
	if r, _, _, _ := picture.At(fewestDots-1, 0).RGBA(); r != 0xffff {
		t.Errorf("the dot that is white is %x", r)
	}
}

// A picture shows the file, or the features where the file is missing or no image.
func TestPictureOfAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "wide.png")
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 2000, 100))); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := files.ReadImages([]string{path}, files.Options{Image: dataset.Image{Width: 8, Height: 8}})
	if err != nil {
		t.Fatal(err)
	}
	p := served(t, NewContent(d, []string{path}, nil), nil)
	size := func() image.Config {
		t.Helper()
		code, text := p.do("GET", "/api/image/1.png", "")
		config, err := png.DecodeConfig(strings.NewReader(text))
		if code != 200 || err != nil {
			t.Fatalf("%d, %v", code, err)
		}
		return config
	}
	if got := size(); got.Width != mostDots || got.Height != 25 {
		t.Errorf("%d×%d", got.Width, got.Height)
	}
	// Pictures wait while others are decoded, no longer than somebody waits for them.
	const bytes = 2000 * 100
	p.server.room = files.NewImageRoom(bytes)
	held, free := make(chan bool), make(chan bool)
	var decoding sync.WaitGroup
	decoding.Go(func() {
		if err := p.server.room.Decode(t.Context(), path, func(image.Image) { held <- true; <-free }); err != nil {
			t.Error(err)
		}
	})
	<-held
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(time.Millisecond, cancel)
	if m, err := p.server.content().picture(ctx, p.server.room, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v while there is no room", m, err)
	}
	free <- true
	decoding.Wait()
	if got := size(); got.Width != mostDots {
		t.Errorf("%d×%d", got.Width, got.Height)
	}
	p.server.room = files.NewImageRoom(bytes - 1)
	if got := size(); got.Width != 96 || got.Height != 96 {
		t.Errorf("%d×%d of a file that there is no room for", got.Width, got.Height)
	}
	p.server.room = files.NewImageRoom(bytes)
	if err := os.WriteFile(path, []byte("no image"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := size(); got.Width != 96 || got.Height != 96 {
		t.Errorf("%d×%d", got.Width, got.Height)
	}
}

// Hashes depend on the contents alone: neither on the label nor on the form of storage.
func TestHashes(t *testing.T) {
	hash := func(d *dataset.Dataset) []string {
		t.Helper()
		all, err := NewContent(d, nil, nil).Hashes(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	a := hash(read(t, "x,y,label\n1,2,a\n12,,\n1,2,\n", files.Options{Label: "label"}))
	b := hash(read(t, "x,y,label\n1,2,b\n1,22,a\n,12,\n", files.Options{Label: "label"}))
	if a[0] != a[2] || a[0] != b[0] || a[1] == b[1] || a[1] == b[2] {
		t.Errorf("%v\n%v", a, b)
	}
	wide := hash(&dataset.Dataset{Points: points.Dense(1, 2, []float64{1, 2}), Y: []int{-1}})
	narrow := hash(&dataset.Dataset{Points: points.DenseBytes(1, 2, []uint8{1, 2}), Y: []int{-1}})
	if wide[0] != narrow[0] {
		t.Error("the same numbers, stored otherwise, have another hash")
	}
}

// Reading an export gives the new labels, and all other data unchanged.
func TestLabelsAreRead(t *testing.T) {
	for name, text := range map[string]string{
		"numbers":  "x,y,label\n1,2,\n3,4,a\n5,6,\n",
		"words":    "kind,y,class\nred,2,\n\"blue, dark\",4,a\nred,6,\nred,7,\n",
		"no label": "x,y\n1,2\n3,4\n5,6\n",
		"bare":     "1,2,\n3,4,a\n5,6,\n",
	} {
		o := files.Options{}
		if name == "no label" {
			o.Features = 2
		}
		d := read(t, text, o)
		p := served(t, NewContent(d, nil, nil), nil)
		p.post("anna", sent{Kind: "class-add", Name: "b"}, sent{Kind: "class-add", Name: "a"}, sent{Kind: "label", Row: 1, Name: "b"}, sent{Kind: "label", Row: 2, Name: "a"})
		code, out := p.do("GET", "/api/export/labels.csv", "")
		if code != 200 {
			t.Fatalf("%s: %d %s", name, code, out)
		}
		again := read(t, out, files.Options{})
		if len(again.Classes) != 2 || again.Y[0] != 1 || again.Y[1] != 0 || again.Y[2] != dataset.Unlabelled || again.Points.Dim() != d.Points.Dim() {
			t.Errorf("%s:\n%s has %v, %v", name, out, again.Classes, again.Y)
		}
		for i := range 3 {
			for j := range d.Points.Dim() {
				if again.Points.At(i, j) != d.Points.At(i, j) {
					t.Errorf("%s: %v in place of %v", name, again.Points.At(i, j), d.Points.At(i, j))
				}
			}
		}
	}
	vectors := &dataset.Dataset{Points: points.Dense(2, 2, []float64{1, 2, 3, 4}), Y: []int{-1, -1}}
	p := served(t, NewContent(vectors, nil, nil), nil)
	p.post("anna", sent{Kind: "class-add", Name: "b"}, sent{Kind: "label", Row: 2, Name: "b"})
	if _, out := p.do("GET", "/api/export/labels.csv", ""); out != "x1,x2,label\n1,2,\n3,4,b\n" {
		t.Errorf("%q", out)
	}
	if _, out := p.do("GET", "/api/export/history.csv", ""); strings.Count(out, "\n") != 3 || !strings.Contains(out, ",anna,label,2,row 2,0,") {
		t.Errorf("%q", out)
	}
}

// The interval of a share, by values of the binomial distribution, and of few rows by those of the hypergeometric one.
func TestInterval(t *testing.T) {
	for _, c := range []struct {
		right, n, rest int
		low, high      float64
	}{{8, 10, many, 0.48049, 0.96500}, {0, 10, many, 0.00000, 0.25887}, {10, 10, many, 0.74113, 1.00000}, {50, 100, many, 0.40270, 0.59730}, {29, 30, many, 0.84639, 0.99833}, {1990, 2000, many, 0.99111, 0.99746},
		{28, 30, 49, 0.77551, 1.00000}, {30, 30, 5, 0.80000, 1.00000}, {8, 10, 20, 0.40000, 1.00000}, {0, 3, 7, 0.00000, 0.71429}, {18, 20, 900, 0.70556, 0.98333}} {
		low, high := interval(c.right, c.n, c.rest)
		if !(math.Abs(low-c.low) <= 1e-5) || !(math.Abs(high-c.high) <= 1e-5) {
			t.Errorf("%d of %d, %d left: %v to %v, want %v to %v", c.right, c.n, c.rest, low, high, c.low, c.high)
		}
	}
}

// The advice to stop needs labels of every class and predictions that have settled. What is missing
// comes first. The result of the audits of the last third of the labels comes last.
func TestAdvice(t *testing.T) {
	classes := []classState{{Name: "cat", Count: 9}, {Name: "dog", Count: 3}}
	steady := &snapshot{Labels: 80, Stability: stability{Since: 48, Changed: 0.01}}
	var audits []store.Audit
	for k := range 80 {
		audits = append(audits, store.Audit{Learnt: k, Class: 1, Predicted: min(k%20, 1), Right: k%20 > 0})
	}
	if a := advise(classes, steady, audits, 80, 1000); !a.Stop || !strings.Contains(a.Reasons[1], "with the last 32 labels") ||
		!strings.Contains(a.Reasons[2], "82 to 100 % are predicted right (95 % interval; of the last 26 blind audits 96 %); 4 more would") {
		t.Errorf("%+v", a)
	}
	if a := advise(classes, steady, nil, 80, 1000); !a.Stop || !strings.Contains(a.Reasons[2], "30 blind audits would") {
		t.Errorf("%+v", a)
	}
	if a := advise(classes, steady, audits[54:63], 80, 1000); !strings.HasPrefix(a.Reasons[2], "9 blind audits with the last labels are too few") || !strings.Contains(a.Reasons[2], ": 1 more ") || strings.Contains(a.Reasons[2], "%") {
		t.Errorf("%+v", a)
	}
	if nine, ten, eleven := curve(audits[:9], accuracy), curve(audits[:10], accuracy), curve(audits[:11], accuracy); len(nine) != 0 || len(ten) != 1 || len(eleven) != 2 || eleven[1].Audited != 10 {
		t.Errorf("%v, %v, %v", nine, ten, eleven)
	}
	for want, a := range map[string]advice{
		"every row":           advise(classes, steady, nil, 10, 10),
		"two classes":         advise(classes[:1], steady, audits, 70, 1000),
		"\"dog\" has 1 label": advise([]classState{classes[0], {Name: "dog", Count: 1}}, steady, audits, 70, 1000),
		"predictions still":   advise(classes, &snapshot{Labels: 80, Stability: stability{Since: 46, Changed: 0.012}}, audits, 70, 1000),
		"not known for 30":    advise(classes, &snapshot{}, audits, 70, 1000),
	} {
		if !strings.Contains(a.Reasons[0], want) || a.Stop != (want == "every row") {
			t.Errorf("%+v, want %q", a, want)
		}
	}
}

// Classes get keys that the page does not use itself.
func TestKeys(t *testing.T) {
	var classes []store.Class
	for _, name := range []string{"7", "cat", "1", "dog"} {
		classes = append(classes, store.Class{Name: name})
	}
	if got := strings.Join(keysFor(classes), " "); got != "7 2 1 3" {
		t.Error(got)
	}
	many := keysFor(make([]store.Class, 40))
	if seen := strings.Join(many, ""); strings.ContainsAny(seen, "suncpxz") || many[39] != "" || len(seen) != 28 {
		t.Error(seen)
	}
}

// Transparent parts of a picture are white on the page, whatever its colours are, as they are in features.
func TestTransparentPicturesAreOnWhite(t *testing.T) {
	for _, side := range []int{3, 2 * mostDots} {
		m := small(image.NewNRGBA(image.Rect(0, 0, side, side)))
		if r, g, b, a := m.At(1, 1).RGBA(); r != 0xffff || g != 0xffff || b != 0xffff || a != 0xffff {
			t.Errorf("%d dots a side: %v", side, m.At(1, 1))
		}
	}
}
