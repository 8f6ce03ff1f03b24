package server

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"lapsvm/app/answer"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/system/fault"
)

// rowTypes are the media types of rows in a body, and their formats.
func rowTypes() []mediaFormat {
	return []mediaFormat{
		{"text/csv", files.CSV}, {"text/tab-separated-values", files.TSV}, {"application/json", files.JSON},
		{"application/jsonl", files.JSONL}, {"application/x-ndjson", files.JSONL}, {"application/jsonlines", files.JSONL},
		{"application/vnd.apache.parquet", files.Parquet},
	}
}

// answerTypes are those of answers; the first is given where none is asked for.
func answerTypes() []mediaFormat {
	return []mediaFormat{{"application/json", files.JSON}, {"text/csv", files.CSV}}
}

type mediaFormat struct{ media, format string }

func mediaNames(all []mediaFormat) []string {
	var names []string
	for _, m := range all {
		names = append(names, m.media)
	}
	return names
}

// predictResponse is the JSON of an answer to rows: what lapsvm predict --json prints, and
// which model said it.
type predictResponse struct {
	Model    string `json:"model_name"`
	Version  string `json:"model_version"`
	Checksum string `json:"checksum" doc:"beginning of the SHA-256 of the model file that answered"`
	answer.Result
}

// headerModel is the header that tells which model answered: NAME/VERSION, and the beginning of
// the SHA-256 of its file.
const headerModel = "Lapsvm-Model"

// headerUnseen is the header, one for each column, that tells of values that the training did not have: column, first value and rows. They are taken as missing.
const headerUnseen = "Lapsvm-Unseen"

// asked is what the parameters of an address ask for beside labels.
type asked struct {
	scores, proba bool
	set           float64 // level of sets of classes; 0 for none
	explain       int
	interval      float64
	top           int
	threshold     []string
	answerColumn  string // "" for the usual name
}

// mostExplained is how many rows of a request are explained: one takes up to 200 predictions.
const mostExplained = 100

func readAsked(r *http.Request) (a asked, err error) {
	for name, values := range r.URL.Query() {
		value := values[0]
		if len(values) > 1 && name != "threshold" {
			return a, bad("%s is given %d times: give it once", shown([]byte(name)), len(values))
		}
		switch name {
		case "scores", "proba":
			on, err := strconv.ParseBool(cmp.Or(value, "true")) // a name alone asks for it
			if err != nil {
				return a, bad("%s=%s: give true or false", name, shown([]byte(value)))
			}
			if name == "scores" {
				a.scores = on
			} else {
				a.proba = on
			}
		case "set":
			level, err := strconv.ParseFloat(value, 64)
			if err != nil || !(level > 0) || !(level < 1) {
				return a, bad("set=%s: give a probability between 0 and 1, such as 0.9", shown([]byte(value)))
			}
			a.set = level
		case "explain":
			n, err := strconv.Atoi(value)
			if err != nil || n < 0 || n > mostExplained {
				return a, bad("explain=%s: give a number of rows from 0 to %d", shown([]byte(value)), mostExplained)
			}
			a.explain = n
		case "interval":
			level, err := strconv.ParseFloat(value, 64)
			if err != nil || !(level > 0) {
				return a, bad("interval=%s: give a probability, such as 0.9", shown([]byte(value)))
			}
			a.interval = level
		case "top":
			n, err := strconv.Atoi(value)
			if err != nil || n < 0 {
				return a, bad("top=%s: give a number of classes", shown([]byte(value)))
			}
			a.top = n
		case "threshold":
			a.threshold = values
		case "answer-column":
			a.answerColumn = value
		}
	}
	return a, nil
}

// predict answers rows: POST …/predict.
func (s *Server) predict(w http.ResponseWriter, r *http.Request) error {
	v, err := s.version(r)
	if err != nil {
		return err
	}
	a, err := readAsked(r)
	if err != nil {
		return err
	}
	switch why := v.kind().Refuses(answer.OfScores).Server; {
	case why != "" && (a.scores || a.proba):
		return badly(fault.Lacks, why, "the model")
	case a.proba && !v.model.Probable():
		return badly(fault.Lacks, "the model has no probabilities: leave proba out, or train it with them")
	}
	if err := v.checkSet(a.set); err != nil {
		return err
	}
	thresholds, err := v.thresholds(a)
	if err != nil {
		return err
	}
	if a.interval != 0 {
		if err := v.checkLevel(a.interval); err != nil {
			return err
		}
	}
	form, err := accepted(r)
	if err != nil {
		return err
	}
	picture, err := isPicture(r, v)
	if err != nil {
		return err
	}
	o := files.Options{}
	if !picture {
		if o, err = readOptions(r, v); err != nil {
			return err
		}
	}
	if a.explain > 0 && form == files.CSV && (a.scores || a.proba || a.set > 0 || a.top > 0) {
		return bad("as CSV explanations come in place of scores, probabilities, sets and the likeliest classes: ask for JSON to have all, or leave these out")
	}
	if a.answerColumn != "" && (form != files.CSV || a.explain > 0) {
		return bad("answer-column names a column of labels, and this answer has none: leave it out, or ask for text/csv")
	}
	body, reserved, err := s.body(w, r)
	defer reserved.free()
	if err != nil {
		return err
	}
	if kind := http.DetectContentType(body); !picture && strings.HasPrefix(kind, "image/") {
		return asPicture(kind, v)
	}
	var d *dataset.Dataset
	if picture {
		d, err = s.readPictures(r.Context(), reserved, v, []files.Picture{{Name: "the picture", Content: body}})
	} else if d, err = s.readRows(r.Context(), reserved, body, o); err != nil {
		err = withoutLines(r, body, err)
	}
	if err != nil {
		return err
	}
	columns := 0
	for _, wanted := range []bool{a.scores, a.proba, a.set > 0, a.interval != 0, a.interval != 0, a.top > 0, a.top > 0} {
		if wanted {
			columns++
		}
	}
	if err := reserved.only(v.computing(d.Points) + v.writing(d.Points.Len(), columns) + v.naming(d.Points.Len(), a.set) + v.ranking(d.Points.Len(), a.top) + v.explaining(min(a.explain, d.Points.Len())) + 2*sizeOf(d.Kept)); err != nil {
		return err
	}
	said, err := v.answer(r.Context(), d.Points, a.interval)
	if err != nil {
		return err
	}
	result := said.Predictions
	result.Unseen = d.Unseen
	if result.Limit(v.model, said.Proba, thresholds); a.top > 0 && v.model.Probable() {
		result.AddTop(a.top, said.Proba, false)
	} else if a.top > 0 {
		result.AddTop(a.top, said.Scores, true)
	}
	result.AnswerColumn = a.answerColumn
	if result.Kept = d.Kept; !a.scores {
		result.Scores = nil
	}
	if !a.proba {
		result.Proba = nil
	}
	if a.set > 0 {
		if err = result.AddSets(v.model, said.Proba, said.far, a.set); err != nil {
			return err
		}
	}
	if err := result.CheckAnswerColumn(); err != nil {
		return bad("answer-column: %w", err)
	}
	if n := min(a.explain, d.Points.Len()); n > 0 {
		if result.Explained, err = answer.NewExplanations(parallel.WithLimit(r.Context(), 1), v.model, d.Points.Slice(0, n), nil, &result); err != nil {
			return err
		}
	}
	w.Header().Set(headerModel, v.name+"/"+v.version+" "+v.checksum)
	for _, u := range answer.UnseenResults(d.Unseen) {
		w.Header().Add(headerUnseen, fmt.Sprintf("%+q=%+q; rows=%d", u.Column, u.Value, u.Rows))
	}
	if form == files.JSON {
		text, err := json.Marshal(predictResponse{v.name, v.version, v.checksum, result.Result()})
		if err != nil {
			return err
		}
		reserved.send(w, "application/json", append(text, '\n'))
		return nil
	}
	var b bytes.Buffer
	if a.explain > 0 {
		err = result.Explained.WriteCSV(&b, nil)
	} else {
		err = files.WriteSeries(&b, form, result.Series())
	}
	if err != nil {
		return err
	}
	reserved.send(w, "text/csv; charset=utf-8; header=present", b.Bytes())
	return nil
}

// sizeOf is how many bytes the text of rows takes.
func sizeOf(k dataset.Kept) (bytes int64) {
	for _, row := range k.Rows {
		for _, text := range row {
			bytes += 16 + int64(len(text))
		}
	}
	return bytes
}

// mediaType is the Content-Type of a request without its parameters, "" where there is none.
func mediaType(r *http.Request) string {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		kind, _, _ = strings.Cut(r.Header.Get("Content-Type"), ";")
	}
	return strings.ToLower(strings.TrimSpace(kind))
}

// readOptions says how the rows of a request are read: in the format of its Content-Type, for
// the model.
func readOptions(r *http.Request, v *version) (files.Options, error) {
	o := answer.Options(v.model)
	_, parameters, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	kind := mediaType(r)
	o.Threads, o.Charset = 1, "utf-8" // nobody reads a note of another
	at := slices.IndexFunc(rowTypes(), func(m mediaFormat) bool { return m.media == kind })
	switch {
	case at >= 0:
		o.Format = rowTypes()[at].format
	case kind != "" && kind != formType:
		taken := mediaNames(rowTypes())
		if v.seesPictures() {
			taken = append(pictureTypes(), taken...)
		}
		return o, problemf(http.StatusUnsupportedMediaType, "the Content-Type is %q: send one of %s", shown([]byte(kind)), strings.Join(taken, ", "))
	}
	switch charset := strings.ToLower(parameters["charset"]); charset {
	case "", "utf-8", "utf8", "us-ascii", "utf-16": // the mark tells which one of UTF-16
	case "utf-16le", "utf-16be":
		o.Charset = charset
	default:
		return o, problemf(http.StatusUnsupportedMediaType, "charset=%s in the Content-Type: send the text as UTF-8", shown([]byte(charset)))
	}
	switch header := parameters["header"]; header {
	case "":
	case "present":
		o.Header = files.HeaderYes
	case "absent":
		o.Header = files.HeaderNo
	default:
		return o, problemf(http.StatusUnsupportedMediaType, "header=%s in the Content-Type: give present or absent", shown([]byte(header)))
	}
	return o, nil
}

// formType is what curl calls a body whose type it was not told.
const formType = "application/x-www-form-urlencoded"

// formatOf tells the format of rows whose type is not known.
func formatOf(body []byte) string {
	if isMarked(body) { // as UTF-16
		body = bytes.ReplaceAll(body[2:min(len(body), 100)], []byte{0}, nil)
	}
	if text := body[blanks(body):]; len(text) > 0 && (text[0] == '{' || text[0] == '[') {
		return files.JSON
	}
	return files.CSV
}

// isMarked reports whether a text begins with the mark of UTF-16 or UTF-32, which says more than what is taken for granted of requests.
func isMarked(body []byte) bool {
	return bytes.HasPrefix(body, []byte("\xff\xfe")) || bytes.HasPrefix(body, []byte("\xfe\xff"))
}

// withoutLines says what curl -d does to rows: it leaves out line ends.
func withoutLines(r *http.Request, body []byte, err error) error {
	p := asProblem(err)
	if mediaType(r) != formType || p.status != http.StatusBadRequest || formatOf(body) != files.CSV || bytes.ContainsAny(body, "\r\n") {
		return err
	}
	return bad("the rows are one line (%s), as curl -d leaves out line ends: send rows with --data-binary", fault.Apart(p.says, inRequest).Fault)
}

// readRows reads the rows of a body, as long as somebody waits for them. All that is wrong is
// wrong with the body.
func (s *Server) readRows(ctx context.Context, h *reservation, body []byte, o files.Options) (*dataset.Dataset, error) {
	if o.Format == "" {
		o.Format = formatOf(body)
	}
	if o.Charset == "utf-8" && isMarked(body) {
		o.Charset = ""
	}
	if err := h.take(readingRows(body, o.Format)); err != nil {
		return nil, err
	}
	o.Budget, o.Check = h.budget(ctx), s.check(ctx)
	if s.Embedder != nil {
		var err error
		if o.Embedder, err = s.Embedder(ctx); err != nil {
			return nil, err
		}
	}
	d, err := files.Read(bytes.NewReader(body), "rows", o)
	if err == nil && d.Guessed != "" && d.Label != "" {
		return nil, bad("the model has %d features without names, and the rows one column more, which may be labels: call them label, or leave %q out", o.Features, d.Label)
	}
	if err == nil {
		return d, nil
	}
	if p := asProblem(err); p.status != http.StatusInternalServerError {
		return nil, p
	}
	return nil, bad("the rows cannot be read: %v", err)
}

// readingRows is how many bytes it takes to read rows beside what they hold: buffers, and copies
// of a field that may be as long as a line.
func readingRows(body []byte, format string) int64 {
	const least, most = 32 << 10, 1 << 20
	longest := 0
	if format == files.CSV || format == files.TSV {
		for line := range bytes.Lines(body) {
			longest = max(longest, len(line))
		}
	}
	return min(least+4*int64(len(body)), most) + 2*int64(longest)
}

// accepted returns the format of the answer, by the header Accept: of what it allows the
// one that it wants most, and of equals the first.
func accepted(r *http.Request) (string, error) {
	headers := r.Header.Values("Accept")
	if len(headers) == 0 {
		return answerTypes()[0].format, nil
	}
	best, most := "", 0.0
	for _, m := range answerTypes() {
		if q := quality(headers, m.media); q > most {
			best, most = m.format, q
		}
	}
	if best == "" {
		return "", problemf(http.StatusNotAcceptable, "answers are %s, of which the header Accept allows none", strings.Join(mediaNames(answerTypes()), " or "))
	}
	return best, nil
}

// quality returns how much the headers Accept want a media type, by the closest range in
// them: 0 where none allows it.
func quality(headers []string, media string) float64 {
	group, _, _ := strings.Cut(media, "/")
	closest, q := 0, 0.0
	for _, entry := range strings.Split(strings.Join(headers, ","), ",") {
		name, parameters, err := mime.ParseMediaType(entry)
		if err != nil {
			continue
		}
		how := slices.Index([]string{"", "*/*", group + "/*", media}, name)
		if how < 1 || how < closest {
			continue
		}
		closest, q = how, 1
		if text, given := parameters["q"]; given {
			if v, err := strconv.ParseFloat(text, 64); err == nil {
				q = v
			}
		}
	}
	return q
}
