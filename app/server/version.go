package server

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"slices"
	"strconv"
	"strings"

	"lapsvm"
	"lapsvm/app/answer"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/system/fault"
	"lapsvm/internal/system/regular"
	"lapsvm/points"
)

// version is one version of a model, as it is served. It is not changed: a file that
// changed makes a new one.
type version struct {
	name, version string
	path          string
	checksum      string // of the file: the first 12 hexadecimal digits of its SHA-256
	model         *lapsvm.Model
	classes       []string
	columns       []int // of the encoding: those that are inputs; nil where the model takes one matrix
	batcher       *batcher
	watch         *watch
}

// load reads a model file and computes one row with it, so that its basis is laid out
// before anybody asks.
func (s *Server) load(name, number, path string) (*version, error) {
	f, length, err := regular.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	sum := sha256.New()
	m, err := lapsvm.Read(sized{io.TeeReader(f, sum), length})
	if err != nil {
		return nil, err
	}
	if _, err := io.Copy(sum, f); err != nil {
		return nil, err
	}
	v := &version{name: name, version: number, path: path, checksum: hex.EncodeToString(sum.Sum(nil))[:12], model: m, classes: m.Classes()}
	if e := m.Encoding(); e.Learnt() {
		v.columns = []int{}
		for k := range e.Columns {
			if e.Columns[k].Width() > 0 {
				v.columns = append(v.columns, k)
			}
		}
	}
	v.watch = s.metrics.watch(v)
	v.batcher = &batcher{ctx: s.ctx, rows: s.Limits.Batch, threads: s.Threads, batches: s.Limits.Batches, done: v.watch.batch,
		score: func(ctx context.Context, p *points.Points) (outcome, error) {
			scores, far, err := m.ScoresFar(ctx, p)
			return outcome{scores, far}, err
		}}
	zero := points.CSR(m.Dim(), []int{0, 0}, nil, nil)
	if !m.Predictor().Expansion().Basis.Sparse() && !m.Encoding().HasText() {
		zero = points.Dense(1, m.Dim(), make([]float64, m.Dim()))
	}
	_, _ = m.Scores(s.ctx, zero) // a kernel may have no value there
	return v, nil
}

// kind is what the labels of the model are.
func (v *version) kind() answer.Kind { return answer.KindOf(v.model.Kind()) }

// sized is a reader of known total size.
type sized struct {
	io.Reader
	bytes int64
}

func (s sized) Size() int64 { return s.bytes }

// takes is how many inputs the model has.
func (v *version) takes() int { return max(len(v.columns), 1) }

// computing returns the bytes for holding points and computing the model's answer. The rows of
// running batches are scaled and laid out once more, and all rows have values for each class.
func (v *version) computing(p *points.Points) int64 {
	const row = 160 // bytes of slices, and of what is known of a row beside values
	rows, classes := int64(p.Len()), int64(len(v.classes))
	if intervals := v.model.Predictor().Intervals(); intervals != nil {
		classes = int64(3 + len(intervals.Bias)) // numbers, their ends and the machines that these are made of
	}
	batches := p.Bytes() / max(rows, 1) * min(rows, int64(v.batcher.threads*v.batcher.rows))
	return p.Bytes() + 2*batches + rows*(row+2*8*classes)
}

// writing returns the bytes for writing an answer with the given number of columns for each
// class, or of numbers.
func (v *version) writing(rows, columns int) int64 {
	const number, label = 64, 64 // bytes as text, while it grows and is copied
	longest, all := 0, 0
	for _, name := range v.classes {
		longest, all = max(longest, len(name)), all+len(name)
	}
	if v.kind().Each() {
		longest = all // of a row that has every class
	}
	return int64(rows) * int64(columns*max(1, len(v.classes))*number+label+4*longest)
}

// defaultLevel is that of intervals where a request says none.
const defaultLevel = 0.9

// checkLevel refuses intervals that the model does not have.
func (v *version) checkLevel(level float64) error {
	intervals := v.model.Predictor().Intervals()
	switch why := v.kind().Refuses(answer.OfIntervals).Server; {
	case why != "":
		return badly(fault.Lacks, why, "the model")
	case intervals == nil:
		return badly(fault.Lacks, "the model keeps nothing for intervals: train it with them")
	}
	if err := intervals.CheckLevel(level); err != nil {
		return bad("%w", err)
	}
	return nil
}

// naming returns the bytes for the names of the classes in sets of a level, 0 for none.
func (v *version) naming(rows int, level float64) (bytes int64) {
	if level > 0 {
		for _, name := range v.classes {
			bytes += 4 * int64(rows) * int64(len(name))
		}
		if v.kind().Each() { // those that are told, beside
			bytes *= 2
		}
	}
	return bytes
}

// checkSet reports sets of a level, 0 for none, that the model does not have.
func (v *version) checkSet(level float64) error {
	if level == 0 {
		return nil
	}
	if err := v.model.CheckLevel(level); err != nil {
		return bad("set: %w", err)
	}
	return nil
}

// ranking returns the bytes for the likeliest classes of rows, with their names.
func (v *version) ranking(rows, top int) int64 {
	if top = min(top, len(v.classes)); top == 0 {
		return 0
	}
	longest := 0
	for _, name := range v.classes {
		longest = max(longest, len(name))
	}
	return int64(rows) * int64(8*len(v.classes)+top*(64+4*longest))
}

// thresholds returns the limits that are asked for of classes, and refuses those and the likeliest classes where the model has none.
func (v *version) thresholds(a asked) (all []answer.Threshold, err error) {
	if a.top == 0 && len(a.threshold) == 0 {
		return nil, nil
	}
	if why := v.kind().Refuses(answer.OfLikeliest).Server; why != "" {
		return nil, badly(fault.Lacks, why, "the model")
	}
	for _, text := range a.threshold {
		if !v.model.Probable() {
			return nil, badly(fault.Lacks, "the model has no probabilities: leave threshold out, or train it with them")
		}
		t, err := answer.ReadThreshold(text, v.model)
		if err != nil {
			return nil, bad("threshold: %w", err)
		}
		all = append(all, t)
	}
	switch err := answer.CheckThresholds(v.model, all); {
	case err != nil:
		return nil, bad("threshold: %w", err)
	case len(all) > 0 && a.explain > 0:
		return nil, bad("explanations say why a class is the likeliest, which threshold does not ask: leave one of them out")
	}
	return all, nil
}

// explaining returns the bytes for explaining rows, one after another: the rows that are predicted in place of one, and what is said of each.
func (v *version) explaining(rows int) int64 {
	if rows == 0 {
		return 0
	}
	const predicted, said = 200, 400 // rows, and bytes of a reason
	classes, dim := int64(len(v.classes)), int64(v.model.Dim())
	each := int64(1)
	if v.kind().Each() { // an explanation of each class
		each = classes
	}
	reasons := min(dim, predicted)
	return predicted*(16*min(dim, 1<<16)+16*classes+160) + reasons*8*classes + int64(rows)*each*reasons*said
}

// answers are the outputs of a model for some rows: all that it has.
type answers struct {
	answer.Predictions
	far []bool // nil where that is not known
}

// answer computes and counts the model's outputs for points. A level above 0 asks for intervals of numbers.
func (v *version) answer(ctx context.Context, p *points.Points, level float64) (answers, error) {
	if p.Dim() != v.model.Dim() && !(p.Sparse() && p.Dim() < v.model.Dim()) {
		return answers{}, badly(fault.Columns, "the rows have %d features, the model was trained on %d: give the same columns in the same order", p.Dim(), v.model.Dim())
	}
	if i, j, found := p.FirstNotFinite(); found {
		return answers{}, badly(fault.Value, "row %d, feature %d is not a finite number: mend or drop the row", i+1, j+1)
	}
	o, err := v.batcher.do(ctx, p)
	if err != nil {
		return answers{}, err
	}
	said, err := answer.Of(parallel.WithLimit(ctx, 1), v.model, p, o.scores, level)
	if err != nil {
		return answers{}, err
	}
	a := answers{said, o.far}
	if v.kind().Classes() {
		a.Scores = o.scores
	}
	if v.model.Probable() {
		a.Proba = answer.Probabilities(v.model, o.scores)
	}
	v.watch.answered(a)
	return a, nil
}

// compareVersions orders names of versions: two numbers by value, numbers after words, and two
// words as text with runs of digits as numbers.
func compareVersions(a, b string) int {
	x, errA := strconv.ParseUint(a, 10, 64)
	y, errB := strconv.ParseUint(b, 10, 64)
	switch {
	case errA == nil && errB == nil:
		return cmp.Or(cmp.Compare(x, y), strings.Compare(a, b))
	case errA == nil:
		return 1
	case errB == nil:
		return -1
	}
	return cmp.Or(slices.CompareFunc(runs(a), runs(b), compareRuns), strings.Compare(a, b))
}

// runs cuts a text into runs of digits and of others.
func runs(text string) []string {
	var all []string
	from := 0
	for k := 1; k <= len(text); k++ {
		if k == len(text) || isDigit(text[k]) != isDigit(text[k-1]) {
			all = append(all, text[from:k])
			from = k
		}
	}
	return all
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func compareRuns(a, b string) int {
	x, errA := strconv.ParseUint(a, 10, 64)
	y, errB := strconv.ParseUint(b, 10, 64)
	if errA == nil && errB == nil {
		return cmp.Compare(x, y)
	}
	return strings.Compare(a, b)
}
