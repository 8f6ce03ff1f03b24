package files

import (
	"bytes"
	"compress/gzip"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"lapsvm/dataset"
)

// fourTexts have the words cat, dog and the.
const fourTexts = "text,label\nthe cat cat,a\nthe dog,b\ncat dog,a\ndog,b\n"

// writeFiles writes files into a new folder and returns it.
func writeFiles(t *testing.T, all map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range all {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// The vectors of the words of texts are those of the file: in every layout, and packed. Lower case goes before
// other spellings, and these before none.
func TestWordVectors(t *testing.T) {
	var packed, zipped bytes.Buffer
	gz := gzip.NewWriter(&packed)
	zs, err := zstd.NewWriter(&zipped)
	if err != nil {
		t.Fatal(err)
	}
	const glove = "The 9 9\nDog 3 4\n. . 7 7\nthe 0 1\nDOG 8 8\ncat -1e0 2\n\xff\xfe 1 1\n"
	for _, w := range []interface {
		Write([]byte) (int, error)
		Close() error
	}{gz, zs} {
		if _, err := w.Write([]byte(glove)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	dir := writeFiles(t, map[string]string{
		"texts.csv": fourTexts,
		"glove.txt": glove, "crlf.txt": strings.ReplaceAll(glove, "\n", "\r\n"), "mac.txt": strings.ReplaceAll(glove, "\n", "\r"), "packed.txt.gz": packed.String(), "packed.txt.zst": zipped.String(),
		"word2vec.txt": "7 2\n" + strings.ReplaceAll(glove, "\n", " \n"), "fasttext.vec": "7 2\n" + strings.ReplaceAll(glove, " 2\n", "\t2\n"),
	})
	places := map[string]int{"the": 4, "dog": 2, "cat": 6}
	want := map[string][2]float64{"the": {0, 1}, "dog": {3, 4}, "cat": {-1, 2}}
	for _, name := range []string{"glove.txt", "crlf.txt", "mac.txt", "packed.txt.gz", "packed.txt.zst", "word2vec.txt", "fasttext.vec"} {
		d, err := ReadFile(filepath.Join(dir, "texts.csv"), Options{WordVectors: filepath.Join(dir, name)})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		c := &d.Encoding.Columns[0]
		if len(c.Words) != 3 || len(c.Vectors) != 6 {
			t.Fatalf("%s: %d numbers for the words %q", name, len(c.Vectors), c.Words)
		}
		for w, word := range c.Words {
			share := 0.1 / float64(places[word])
			for k, v := range want[word] {
				v *= 1e-3 / (1e-3 + share) / c.IDF[w]
				if got := float64(c.Vectors[2*w+k]); math.Abs(got-v) > 1e-6*math.Abs(v) {
					t.Errorf("%s: %q has %g in place of %g", name, word, got, v)
				}
			}
		}
		if note := d.Notes[len(d.Notes)-1]; note.Doubtful || !strings.Contains(note.Error(), "vectors of 2 numbers for 3 of the 3 words") {
			t.Errorf("%s: note %q", name, note.Error())
		}
		// A table that is read by the encoding needs no file.
		if _, err := ReadFile(filepath.Join(dir, "texts.csv"), Options{Encoding: d.Encoding, WordVectors: "nothing.txt"}); err != nil {
			t.Error(err)
		}
	}
}

func TestWordVectorsErrors(t *testing.T) {
	bad := map[string]struct {
		text string
		line int
		want string
	}{
		"empty.txt":   {"", 0, "the file is empty"},
		"short.txt":   {"the 1 2\ncat 1\n", 2, "no word with 2 numbers"},
		"long.txt":    {"the 1 2\nbird 1 2 3\n", 2, "no word with 2 numbers"},
		"nan.txt":     {"the 1 2\ncat 1 NaN\n", 2, "number 2 of the vector is \"NaN\""},
		"huge.txt":    {"the 1 2\ncat 1e39 1\n", 2, "number 1 of the vector is \"1e39\""},
		"word.txt":    {"the 1 two\n", 1, "number 2 of the vector is \"two\""},
		"binary.txt":  {"the\n", 1, "is no word with"},
		"cut.vec":     {"3 2\nthe 1 2\ncat 1 2\n", 3, "ends after 2 words, but its first line says 3"},
		"wide.vec":    {"3 99999\nthe 1 2\n", 1, "vectors have 99999 numbers"},
		"other.txt":   {"der 1 2\ndie 3 4\n", 0, "no vector for any of the 3 words"},
		"gz.txt.gz":   {"the 1 2\n", 0, "holds no gzip data"},
		"missing.txt": {"", 0, "there is no such file"},
		"blank.txt":   {"the 1 2\n\ncat 1 2\n", 2, "no word with 2 numbers"},
	}
	all := map[string]string{"texts.csv": fourTexts, "numbers.csv": "x,label\n1,a\n2,b\n"}
	for name, c := range bad {
		if name != "missing.txt" {
			all[name] = c.text
		}
	}
	dir := writeFiles(t, all)
	for name, c := range bad {
		path := filepath.Join(dir, name)
		_, err := ReadFile(filepath.Join(dir, "texts.csv"), Options{WordVectors: path})
		var problem *dataset.Error
		if !errors.As(err, &problem) || problem.File != path || problem.Line != c.line || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q in line %d", name, err, c.want, c.line)
		}
	}
	if _, err := ReadFile(filepath.Join(dir, "numbers.csv"), Options{WordVectors: filepath.Join(dir, "word.txt")}); err == nil || !strings.Contains(err.Error(), "no column of the data is text") {
		t.Errorf("a table without text: error %v", err)
	}
	if _, err := ReadFile(filepath.Join(dir, "texts.csv"), Options{WordVectors: filepath.Join(dir, "other.txt"), Memory: 1}); err == nil {
		t.Error("no memory is enough")
	}
}
