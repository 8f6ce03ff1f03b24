package dataset

import (
	"bufio"
	"bytes"
	"io"
	"math"
	"strconv"
	"unicode"
	"unicode/utf8"

	"lapsvm/points"
)

const (
	maxIndex     = math.MaxInt32 - 1 // columns are stored as int32
	guessedIndex = 1 << 27           // above it, an index is believed only with Options.Features
)

// readLIBSVM reads LIBSVM and SVMlight text, one row per line:
//
//	[label] [qid:…] index:value index:value … [# comment]
//
// Indices count from 1 and ascend strictly; values that are not named are 0. A
// line that starts with index:value has no label. Blank lines are skipped and
// qid is ignored.
func readLIBSVM(src *source, o Options) (*Dataset, error) {
	p := svmParser{src: src, labels: newLabeller(true, o.Unlabelled), features: o.Features}
	text := lines{src: src}
	for {
		line, err := text.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if err := p.row(chomp(line), text.n); err != nil {
			return nil, err
		}
	}
	if len(p.labels.y) == 0 {
		return nil, src.errorf(0, 0, "the file has no rows; check how it was made")
	}
	d := max(p.largest, o.Features)
	if d == 0 {
		return nil, src.errorf(0, 0, "no row has a value; check that values are written as index:value")
	}
	y, classes := p.labels.finish()
	x, err := p.rows.read(src, d)
	return &Dataset{Points: x, Y: y, Classes: classes}, err
}

type svmParser struct {
	src      *source
	labels   *labeller
	rows     sparseRows
	features int // the largest index allowed, 0 = any
	largest  int // index so far
}

// row parses one line; lines without a token are no rows.
func (p *svmParser) row(line []byte, n int) error {
	if i := bytes.IndexByte(line, '#'); i >= 0 {
		line = line[:i]
	}
	tokens, last := 0, 0
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
				return p.src.errorf(n, pos+1, "%s is no index:value pair; write one label and then pairs such as 3:0.5", shown(line[pos:end]))
			}
			if problem := labelProblem(line[pos:end]); problem != "" {
				return p.src.errorf(n, pos+1, "the label %s %s", shown(line[pos:end]), problem)
			}
			p.labels.add(line[pos:end])
			continue
		}
		if tokens == 1 {
			p.labels.addNone()
		}
		if string(line[pos:colon]) == "qid" {
			continue
		}
		index, ok := parseIndex(line[pos:colon])
		if !ok || index <= last || p.features > 0 && index > p.features || index > guessedIndex {
			if err := p.indexError(n, pos+1, line[pos:colon], index, last, ok); err != nil {
				return err
			}
		}
		last = index
		text := line[colon+1 : end]
		v, err := parseFloat(text)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			problem, _ := valueProblem(text, err)
			return p.src.errorf(n, colon+2, "index %d: %s", index, problem)
		}
		p.rows.add(int32(index-1), v)
	}
	if tokens > 0 {
		if err := p.src.take(p.rows.endRow()); err != nil {
			return err
		}
		p.largest = max(p.largest, last)
	}
	return nil
}

// indexError says what is wrong with an index; nil where Options.Features
// allows a huge one.
func (p *svmParser) indexError(line, col int, text []byte, index, last int, ok bool) error {
	switch {
	case !ok:
		return p.src.errorf(line, col, "%s is no index; write pairs such as 3:0.5, with whole indices from 1", shown(text))
	case index == 0:
		return p.src.errorf(line, col, "index 0; indices count from 1: add 1 to every index of the file")
	case index > maxIndex:
		return p.src.errorf(line, col, "index %s is beyond the largest possible, %d; check the line", shown(text), maxIndex)
	case index == last:
		return p.src.errorf(line, col, "index %d comes twice; keep one of the two values", index)
	case index < last:
		return p.src.errorf(line, col, "index %d comes after %d; sort each line by ascending index", index, last)
	case p.features > 0 && index > p.features:
		return p.src.errorf(line, col, "index %d is beyond the %d features asked for; raise --features to %d or remove the entry", index, p.features, index)
	case p.features == 0:
		return p.src.errorf(line, col, "index %d is too large to be believed; if it is right, give the dimension with --features", index)
	}
	return nil
}

// parseIndex reads a decimal without a sign; what is beyond maxIndex becomes
// maxIndex+1.
func parseIndex(text []byte) (index int, ok bool) {
	var v int64
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0, false
		}
		v = min(v*10+int64(c-'0'), maxIndex+1)
	}
	return int(v), len(text) > 0
}

// labelProblem says why a token is no label and what to do; "" where it is one.
func labelProblem(text []byte) string {
	if !utf8.Valid(text) || bytes.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return "is no text; check that this is a LIBSVM file"
	}
	if bytes.IndexByte(text, ',') < 0 {
		return ""
	}
	for part := range bytes.SplitSeq(text, []byte(",")) {
		if _, ok := number(string(part)); !ok {
			return ""
		}
	}
	return "is several numbers or has a decimal comma; give one label per row, with a decimal point (a table is read with --format csv)"
}

// sparseRows gathers points row by row and chooses at the end how to store
// them. Zeros other than −0 are dropped.
type sparseRows struct {
	ends  []int
	index []int32
	value []float64
}

func (r *sparseRows) add(index int32, v float64) {
	if math.Float64bits(v) != 0 {
		r.index, r.value = append(r.index, index), append(r.value, v)
	}
}

// endRow ends a row and returns the bytes that it takes.
func (r *sparseRows) endRow() int {
	from := 0
	if len(r.ends) > 0 {
		from = r.ends[len(r.ends)-1]
	}
	r.ends = append(r.ends, len(r.index))
	const row, value = 8, 12
	return row + value*(len(r.index)-from)
}

// read is points for rows read from src.
func (r *sparseRows) read(src *source, d int) (*points.Points, error) {
	if r.dense(d) {
		if err := src.take(8 * len(r.ends) * d); err != nil {
			return nil, err
		}
	}
	return r.points(d), nil
}

// dense reports whether at least a tenth of the values of d columns are stored.
func (r *sparseRows) dense(d int) bool {
	return float64(len(r.value)) >= float64(len(r.ends))*float64(d)/10
}

// points returns the rows as a table of d columns: dense when at least a tenth
// of its n·d values are stored, else sparse. A dense one takes at most ten
// times the memory of the stored values.
func (r *sparseRows) points(d int) *points.Points {
	n := len(r.ends)
	if !r.dense(d) {
		return points.CSR(d, append([]int{0}, r.ends...), r.index, r.value)
	}
	values := make([]float64, n*d)
	k := 0
	for i, end := range r.ends {
		row := values[i*d : (i+1)*d]
		for ; k < end; k++ {
			row[r.index[k]] = r.value[k]
		}
	}
	return points.Dense(n, d, values)
}

// eachStored calls f for the values stored in row i, and for dense rows those
// other than +0, by ascending column.
func eachStored(p *points.Points, i int, f func(column int32, v float64)) {
	if p.Sparse() {
		index, value := p.SparseRow(i)
		for k, j := range index {
			f(j, value[k])
		}
		return
	}
	for j, v := range p.DenseRow(i) {
		if math.Float64bits(v) != 0 {
			f(int32(j), v)
		}
	}
}

// writeLIBSVM writes rows as readLIBSVM reads them; a row without a label gets
// the label nan, which LIBSVM's own tools accept. Where the last column is
// empty the first row names it with the value 0, so the dimension survives.
func writeLIBSVM(w *bufio.Writer, d *Dataset, names []string) error {
	n, width := d.Points.Len(), d.Points.Dim()
	largest := int32(-1)
	for i := range n {
		eachStored(d.Points, i, func(j int32, _ float64) { largest = max(largest, j) })
	}
	for i := range n {
		line := w.AvailableBuffer()
		if y := d.Y[i]; y == Unlabelled {
			line = append(line, "nan"...)
		} else {
			line = append(line, names[y]...)
		}
		w.Write(line)
		eachStored(d.Points, i, func(j int32, v float64) {
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
