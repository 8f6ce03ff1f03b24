package files

import (
	"bytes"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"lapsvm/dataset"
	"lapsvm/dataset/internal/number"
	"lapsvm/dataset/internal/quote"
	"lapsvm/internal/describe"
)

// wordVectors returns d with vectors for the words of its texts, of the file that the options name.
// Points that are read by a given encoding get none: the model of that encoding keeps its own.
func (o Options) wordVectors(d *dataset.Dataset, err error) (*dataset.Dataset, error) {
	if err != nil || o.WordVectors == "" || o.Encoding.Learnt() {
		return d, err
	}
	wanted := d.Encoding.TextWords()
	option := dataset.Option{Name: "WordVectors"}
	if len(wanted) == 0 {
		return nil, &dataset.Error{File: o.WordVectors, Msg: dataset.Messagef("no column of the data is text, whose words could have vectors: name one with %s, or leave out %s", dataset.Option{Name: "Text"}, option)}
	}
	f, err := openFile(o.WordVectors)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	src, err := open(newWholeFile(f, o.Progress), o.WordVectors, o.memory(), o.Check)
	if err != nil {
		return nil, err
	}
	defer src.close()
	if err := src.decodeMarked(); err != nil {
		return nil, err
	}
	width, vectors, err := readWordVectors(src, wanted)
	if err != nil {
		return nil, err
	}
	if len(vectors) == 0 {
		return nil, src.Errorf(0, 0, "has no vector for any of the %d words of the texts: give a file for their language, or leave out %s", len(wanted), option)
	}
	other := *d
	other.Encoding = d.Encoding.WithWordVectors(width, vectors)
	note := dataset.Note{Message: dataset.Messagef("%s has vectors of %d numbers for %d of the %d words of the texts", o.WordVectors, width, len(vectors), len(wanted))}
	note.Doubtful = 2*len(vectors) < len(wanted)
	other.Notes = append(other.Notes[:len(other.Notes):len(other.Notes)], note)
	return &other, nil
}

// commonShare is the share of the first word of a file among all words.
const commonShare = 0.1

// readWordVectors reads the vectors of the wanted words, which are in lower case. Of the words of a file that differ in
// case alone that in lower case counts, else the first.
//
// The words are taken to be in the order of how often they are used, as the programs that make such files
// write them: by Zipf's law the k-th is a share of 0.1/k of all words.
//
// A line is a word and its numbers, with blanks or tabs between. A first line of two whole numbers says how
// many lines follow and how many numbers each has. Every line is checked for the count of its numbers, and that of a wanted
// word for the numbers.
func readWordVectors(src *source, wanted map[string]bool) (width int, vectors map[string]dataset.WordVector, err error) {
	vectors = make(map[string]dataset.WordVector)
	exact := make(map[string]bool) // words that the file has in lower case
	all := linesOf(src)
	defer all.free()
	announced, read := -1, 0
	for {
		line, err := all.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return 0, nil, err
		}
		line = bytes.TrimRight(chomp(line), " \t")
		if all.n == 1 {
			if announced, width = wordHeader(line); announced >= 0 {
				if width < 1 || width > describe.MostWordVector {
					return 0, nil, src.Errorf(1, 0, "says that vectors have %d numbers; they have 1 to %d", width, describe.MostWordVector)
				}
				continue
			}
			if width = bytes.Count(line, []byte(" ")) + bytes.Count(line, []byte("\t")); width < 1 || width > describe.MostWordVector {
				return 0, nil, src.Errorf(1, 0, "is no word with 1 to %d numbers behind it, blanks between; word vectors are text as GloVe, word2vec or fastText (.vec) write it", describe.MostWordVector)
			}
		}
		read++
		word, numbers, ok := cutWord(line, width)
		if !ok {
			return 0, nil, src.Errorf(all.n, 0, "is no word with %d numbers behind it, as the lines before: %s; fetch the file again", width, quote.Field(line[:min(len(line), 40)]))
		}
		key, lower := wantedWord(word, wanted)
		if key == "" || exact[key] || !lower && vectors[key].Numbers != nil {
			continue
		}
		if vectors[key].Numbers == nil {
			if err := src.Take(4*width, "the vectors of words"); err != nil {
				return 0, nil, err
			}
		}
		vector, err := parseVector(numbers, width)
		if err != nil {
			return 0, nil, src.Errorf(all.n, 0, "%v; fetch the file again", err)
		}
		vectors[key], exact[key] = dataset.WordVector{Numbers: vector, Share: commonShare / float64(read)}, lower
	}
	if announced > read {
		return 0, nil, src.Errorf(all.n, 0, "the file ends after %d words, but its first line says %d: it is cut off; fetch it again", read, announced)
	}
	return width, vectors, nil
}

// wordHeader reads a first line of two whole numbers, the words of the file and the numbers of each; words
// is −1 for any other line.
func wordHeader(line []byte) (words, width int) {
	const longest = 40 // bytes of two numbers
	if len(line) > longest {
		return -1, 0
	}
	fields := bytes.Fields(line)
	if len(fields) != 2 {
		return -1, 0
	}
	words, err := strconv.Atoi(string(fields[0]))
	width, other := strconv.Atoi(string(fields[1]))
	if err != nil || other != nil || words < 0 {
		return -1, 0
	}
	return words, width
}

// cutWord cuts a line into a word, which may hold blanks, and the numbers behind it. It reports false where there are
// fewer, and where more look like numbers.
func cutWord(line []byte, width int) (word, numbers []byte, ok bool) {
	at := len(line)
	for range width {
		if at = bytes.LastIndexAny(line[:at], " \t"); at < 0 {
			return nil, nil, false
		}
	}
	word, numbers = line[:at], line[at+1:]
	if from := bytes.LastIndexAny(word, " \t"); from >= 0 {
		if _, err := number.ParseBytes(word[from+1:]); err == nil {
			return nil, nil, false
		}
	}
	return word, numbers, true
}

// wantedWord returns the wanted word that a file's word is, "" for none, and whether it is in lower case there.
func wantedWord(word []byte, wanted map[string]bool) (key string, lower bool) {
	if wanted[string(word)] {
		return string(word), true
	}
	if !utf8.Valid(word) {
		return "", false
	}
	if key = strings.ToLower(string(word)); wanted[key] {
		return key, false
	}
	return "", false
}

// parseVector reads numbers with one blank or tab between.
func parseVector(text []byte, width int) ([]float32, error) {
	vector := make([]float32, width)
	for k := range vector {
		field := text
		if at := bytes.IndexAny(text, " \t"); at >= 0 {
			field, text = text[:at], text[at+1:]
		}
		v, err := number.ParseBytes(field)
		if single := float32(v); err != nil || single-single != 0 {
			return nil, dataset.Messagef("number %d of the vector is %s", k+1, quote.Field(field))
		}
		vector[k] = float32(v)
	}
	return vector, nil
}
