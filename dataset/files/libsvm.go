package files

import (
	"bufio"
	"bytes"
	"io"
	"math"
	"strconv"
	"unicode"
	"unicode/utf8"

	"lapsvm/dataset"
	"lapsvm/dataset/internal/number"
	"lapsvm/dataset/internal/quote"
	"lapsvm/dataset/internal/sparse"
	"lapsvm/internal/describe"
	"lapsvm/points"
)

// SVM is the name of the format of this file.
const SVM = "svm" // LIBSVM and SVMlight text: label index:value …

func svmFormat() Format {
	return Format{
		text:    true,
		Name:    SVM,
		Aliases: []string{"libsvm"},
		Endings: []string{"svm", "libsvm"},
		Holds:   "LIBSVM and SVMlight text: label index:value …",
		Loses:   "names of columns",
		read:    readLIBSVM,
		cut:     func([]byte, Options) cut { return cutLines },
		write:   writeLIBSVM,
		numeric: true,
		className: func(_, spelt string) string {
			if !isSVMLabel(spelt) {
				return "is no label in format svm; rename the class, or write csv or tsv"
			}
			return ""
		},
	}
}

// readLIBSVM reads LIBSVM and SVMlight text, one row per line:
//
//	[label] [qid:…] index:value index:value … [# comment]
//
// Indices count from 1 and ascend strictly; values that are not named are 0. The
// largest index is the number of columns, or that of the last dot in its line of a picture. A
// line that starts with index:value has no label. Blank lines are skipped and
// qid is ignored. Rows of a kernel as svm-train takes them begin with 0:i, the number of the point, and have all values behind it.
func readLIBSVM(src *source, o Options) (*dataset.Dataset, error) {
	src.narrow(0, 0)
	p := svmParser{src: src, labels: dataset.NewLabels(&src.Origin, true, o.rules()), features: o.Features}
	err := p.lines()
	if err == nil && p.serials != nil && (len(p.serials) != p.labels.Len() || src.Ranks != nil) {
		err = p.zero
	}
	total, err := src.Ranks.Settle(p.labels.Len(), err)
	if err != nil {
		return nil, err
	}
	if total == 0 {
		return nil, src.Errorf(0, 0, "the file has no rows; check how it was made")
	}
	d, stored := max(p.largest, o.Features), 0
	all, err := dataset.All(src.Ranks, [2]int{d, len(p.rows.Value)})
	if err != nil {
		return nil, err
	}
	for _, other := range all {
		d, stored = max(d, other[0]), stored+other[1]
	}
	if d == 0 {
		return nil, src.Errorf(0, 0, "no row has a value; check that values are written as index:value")
	}
	if o.Features == 0 {
		if all, err = dataset.All(src.Ranks, [2]int{p.wholeLines(d)}); err != nil {
			return nil, err
		}
		d = max(d, all[0][0]) // rank 0 has the first rows
	}
	x, err := src.points(&p.rows, d, sparse.Dense(stored, total, d))
	if err != nil {
		return nil, err
	}
	set := &dataset.Dataset{Points: x}
	if err := p.labels.Finish(set); err != nil || p.serials == nil {
		return set, err
	}
	return set, p.ofKernel(set, o)
}

// ofKernel completes a data set whose rows begin with the number of their point.
func (p *svmParser) ofKernel(d *dataset.Dataset, o Options) error {
	if o.Encoding != nil { // rows to predict, which may have any number
		return nil
	}
	seen, inOrder := make([]bool, p.largest+1), true
	for i, serial := range p.serials {
		if serial > p.largest || seen[serial] {
			return p.zero
		}
		seen[serial] = true
		p.serials[i]--
		inOrder = inOrder && p.serials[i] == i
	}
	if !inOrder || len(p.serials) != p.largest {
		d.Column = p.serials
	}
	p.src.note(d, dataset.Note{Message: dataset.Messagef("each row begins with 0 and the number of its point, as rows of a kernel for svm-train do: take the kernel precomputed")})
	return nil
}

// linesFrom is how many rows tell whether they are pictures, the first ones.
const linesFrom = 300

// wholeLines returns the number of columns of rows of which the largest index is d. Where the rows are dots of pictures, their last
// line is made whole: dots at an edge may be 0 in all rows.
func (p *svmParser) wholeLines(d int) int {
	n, values := min(len(p.rows.Ends), linesFrom), 0
	if n > 0 {
		values = p.rows.Ends[n-1]
	}
	first := sparse.Rows{Ends: p.rows.Ends[:n], Index: p.rows.Index[:values], Value: p.rows.Value[:values]}
	return describe.WholeLines(first.CSR(d))
}

type svmParser struct {
	src      *source
	labels   *dataset.Labels
	rows     sparse.Rows
	features int // the largest index allowed, 0 = any
	largest  int // index so far

	serials []int // of rows that begin with 0:serial; nil without
	zero    error // of the first of these
}

// lines parses all lines.
func (p *svmParser) lines() error {
	for text := linesOf(p.src); ; {
		line, err := text.next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = p.row(chomp(line), text.n)
		}
		if err != nil {
			return err
		}
	}
}

// row parses one line; lines without a token are no rows.
func (p *svmParser) row(line []byte, n int) error {
	if i := bytes.IndexByte(line, '#'); i >= 0 {
		line = line[:i]
	}
	taken := sparse.RowBytes(bytes.Count(line, []byte(":")))
	if err := p.src.Take(taken, "the entries of the rows"); err != nil {
		return err
	}
	tokens, last, pairs, serial := 0, 0, 0, 0
	for end := 0; ; {
		pos := end
		for pos < len(line) && (line[pos] == ' ' || line[pos] == '\t') {
			pos++
		}
		if pos == len(line) {
			break
		}
		colon := -1
		for end = pos; end < len(line) && line[end] != ' ' && line[end] != '\t'; end++ {
			if line[end] == ':' && colon < 0 {
				colon = end
			}
		}
		tokens++
		if colon < 0 {
			if tokens > 1 {
				return p.src.Errorf(n, pos+1, "%s is no index:value pair; write one label and then pairs such as 3:0.5", quote.Field(line[pos:end]))
			}
			if problem, wrong := labelProblem(line[pos:end]); wrong {
				return p.src.Errorf(n, pos+1, "the label %s %s", quote.Field(line[pos:end]), problem)
			}
			if err := p.labels.Add(line[pos:end]); err != nil {
				return err
			}
			continue
		}
		if tokens == 1 {
			if err := p.labels.AddNone(); err != nil {
				return err
			}
		}
		if string(line[pos:colon]) == "qid" {
			continue
		}
		index, ok := parseIndex(line[pos:colon])
		if v, err := number.ParseBytes(line[colon+1 : end]); ok && index == 0 && pairs == 0 && err == nil && v >= 1 && v <= points.MaxSparseColumns && v == math.Trunc(v) {
			if serial = int(v); p.zero == nil {
				p.zero = p.indexError(n, pos+1, line[pos:colon], 0, 0, true)
			}
			continue
		}
		pairs++
		if !ok || index <= last || p.features > 0 && index > p.features || index > points.MaxSparseColumns {
			return p.indexError(n, pos+1, line[pos:colon], index, last, ok)
		}
		last = index
		text := line[colon+1 : end]
		v, err := number.ParseBytes(text)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			problem, _ := number.Problem(text, err)
			return p.src.Errorf(n, colon+2, "index %d: %s", index, problem)
		}
		p.rows.Add(int32(index-1), v)
	}
	if tokens > 0 {
		p.src.Give(taken - p.rows.EndRow())
		if serial > 0 {
			if pairs == 0 || pairs != last || p.largest > 0 && last != p.largest { // no row of all values
				return p.zero
			}
			p.serials = append(p.serials, serial)
		}
		p.largest = max(p.largest, last)
	}
	return nil
}

// indexError says what is wrong with an index.
func (p *svmParser) indexError(line, col int, text []byte, index, last int, ok bool) error {
	switch {
	case !ok:
		return p.src.Errorf(line, col, "%s is no index; write pairs such as 3:0.5, with whole indices from 1", quote.Field(text))
	case index == 0:
		return p.src.Errorf(line, col, "index 0; indices count from 1: add 1 to every index of the file; rows of a kernel begin with 0 and the number of the point, and have all values behind it")
	case index > points.MaxSparseColumns:
		return p.src.Errorf(line, col, "index %s is beyond the largest possible, %d; check the line, and number the features anew if it is right", quote.Field(text), points.MaxSparseColumns)
	case index == last:
		return p.src.Errorf(line, col, "index %d comes twice; keep one of the two values", index)
	case index < last:
		return p.src.Errorf(line, col, "index %d comes after %d; sort each line by ascending index", index, last)
	}
	return p.src.Errorf(line, col, "index %d is beyond the %d features asked for; raise %s to %d or remove the entry", index, p.features, dataset.Option{Name: "Features"}, index)
}

// parseIndex reads a decimal without a sign; what is beyond the largest index becomes
// one more than that.
func parseIndex(text []byte) (index int, ok bool) {
	var v int64
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0, false
		}
		v = min(v*10+int64(c-'0'), points.MaxSparseColumns+1)
	}
	return int(v), len(text) > 0
}

// labelProblem says why a token is no label and what to do, and whether it is none.
func labelProblem(text []byte) (problem dataset.Message, wrong bool) {
	if !utf8.Valid(text) || bytes.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return dataset.Messagef("is no text; check that this is a LIBSVM file"), true
	}
	if bytes.IndexByte(text, ',') < 0 {
		return problem, false
	}
	for part := range bytes.SplitSeq(text, []byte(",")) {
		if _, ok := number.Finite(string(part)); !ok {
			return problem, false
		}
	}
	return dataset.Messagef("is several numbers or has a decimal comma; give one label per row, with a decimal point (a table is read with %s)", dataset.Option{Name: "Format", Value: CSV}), true
}

// writeLIBSVM writes rows as readLIBSVM reads them; a row without a label gets
// the label nan, which LIBSVM's own tools accept. Where the last column is
// empty the first row names it with the value 0, so the dimension survives.
func writeLIBSVM(w *bufio.Writer, d *dataset.Dataset, c classes) error {
	n, width := d.Points.Len(), d.Points.Dim()
	largest := int32(-1)
	for i := range n {
		sparse.Each(d.Points, i, func(j int32, _ float64) { largest = max(largest, j) })
	}
	for i := range n {
		line := w.AvailableBuffer()
		if y := d.Y[i]; y == dataset.Unlabelled {
			line = append(line, "nan"...)
		} else {
			line = append(line, c.names[y]...)
		}
		w.Write(line)
		sparse.Each(d.Points, i, func(j int32, v float64) {
			pair := append(w.AvailableBuffer(), ' ')
			pair = strconv.AppendInt(pair, int64(j)+1, 10)
			pair = append(pair, ':')
			w.Write(appendNumber(pair, v))
		})
		if i == 0 && int(largest) < width-1 {
			w.WriteString(" " + strconv.Itoa(width) + ":0")
		}
		if err := w.WriteByte('\n'); err != nil {
			return err
		}
	}
	return nil
}

// appendNumber appends the shortest text that reads back as v, whole numbers
// without an exponent where they are short.
func appendNumber(dst []byte, v float64) []byte {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.AppendFloat(dst, v, 'f', -1, 64)
	}
	return strconv.AppendFloat(dst, v, 'g', -1, 64)
}

// isSVMLabel reports whether a name is read back from a LIBSVM line.
func isSVMLabel(name string) bool {
	p := svmParser{src: new(source), labels: dataset.NewLabels(nil, true, dataset.LabelRules{})}
	err := p.row([]byte(name+" 1:1"), 1)
	var d dataset.Dataset
	if err == nil {
		err = p.labels.Finish(&d)
	}
	return err == nil && len(d.Classes) == 1 && d.Classes[0] == name
}
