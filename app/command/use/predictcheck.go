package use

import (
	"slices"
	"strings"

	"lapsvm"
	"lapsvm/app/answer"
	"lapsvm/app/command/cli"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/internal/system/fault"
	"lapsvm/internal/system/size"
	"lapsvm/points"
)

// check refuses a request that a model cannot answer, before anything is computed.
// It returns the format of the result.
func (r *predictRequest) check(path string, m *lapsvm.Model) (form string, err error) {
	if r.interval != 0 {
		if err := r.checkInterval(path, m); err != nil {
			return "", err
		}
	}
	if r.set != 0 {
		if err := r.checkSet(path, m); err != nil {
			return "", err
		}
	}
	if r.scores || r.proba {
		if err := refused(m, answer.OfScores, path); err != nil {
			return "", err
		}
	}
	if r.sorting.into != "" {
		if err := refused(m, answer.OfFolders, path); err != nil {
			return "", err
		}
	}
	if err := r.checkLikeliest(path, m); err != nil {
		return "", err
	}
	if r.proba && !m.Probable() {
		return "", cli.BadData(uncalibrated(path, m))
	}
	if r.explain < 0 {
		return "", cli.Usagef("--explain takes a number of rows, not %d", r.explain)
	}
	if r.shares < 0 {
		return "", cli.Usagef("--explain-shares takes a number of rows, not %d", r.shares)
	}
	if r.explain > 0 && r.shares > 0 && !r.inJSON() {
		return "", cli.Usagef("--explain and --explain-shares write tables of their own: add --json to have both, or leave one out")
	}
	if r.explains() && !r.inJSON() && (r.scores || r.proba || r.set != 0 || r.top > 0) {
		return "", cli.Usagef("--explain and --explain-shares write explanations in place of --scores, --proba, --set and --top: add --json to have all, or leave them out")
	}
	can := files.Format.CanWriteSeries
	if r.scores || r.proba || r.set != 0 || r.interval != 0 || r.top > 0 || r.keep || r.explains() || r.inJSON() || namesRows(m.Encoding()) {
		can = files.Format.CanWriteSeveral
	}
	if form, err = cli.ResultFormat(r.file, r.to, can); err != nil {
		return "", err
	}
	if r.answerColumn != "" && (r.inJSON() || r.explains() || form == files.NPY) {
		return "", cli.Usagef("--answer-column names a column of a table, and this result has none: leave it out")
	}
	packed := slices.ContainsFunc(files.Packed(true), func(ending string) bool { return strings.HasSuffix(r.file, ending) })
	if r.explains() && !r.inJSON() && form != files.CSV || (r.explains() || r.inJSON()) && packed {
		return "", cli.Usagef("explanations are written as csv and --json as JSON, not compressed: choose another name than %s", r.file)
	}
	if r.csvSafe && !r.writesText(form) {
		return "", cli.Usagef("--csv-safe is for results as csv or tsv, which spreadsheets open: leave it out here")
	}
	return form, nil
}

// namesRows reports whether columns of a table name its rows, and so are repeated before the label. The encoding may be nil.
func namesRows(e *dataset.Encoding) bool {
	return e != nil && slices.ContainsFunc(e.Columns, func(c dataset.Column) bool { return c.Kind == dataset.ID })
}

// checkLikeliest refuses what the model cannot tell of its likeliest classes, and what does not fit beside the other flags. It reads the thresholds.
func (r *predictRequest) checkLikeliest(path string, m *lapsvm.Model) error {
	if r.top < 0 {
		return cli.Usagef("--top takes a number of classes, not %d", r.top)
	}
	if r.top > 0 || len(r.threshold) > 0 {
		if err := refused(m, answer.OfLikeliest, path); err != nil {
			return err
		}
	}
	r.thresholds = nil
	for _, text := range r.threshold {
		if !m.Probable() {
			return cli.BadData(uncalibrated(path, m))
		}
		t, err := answer.ReadThreshold(text, m)
		if err != nil {
			return cli.Usagef("--threshold: %w", err)
		}
		r.thresholds = append(r.thresholds, t)
	}
	if err := answer.CheckThresholds(m, r.thresholds); err != nil {
		return cli.Usagef("--threshold: %w", err)
	}
	if r.thresholds != nil && r.explains() {
		return cli.Usagef("explanations say why a class is the likeliest, which --threshold does not ask: leave one of them out")
	}
	return nil
}

// checkInterval refuses intervals that the model does not have.
func (r *predictRequest) checkInterval(path string, m *lapsvm.Model) error {
	v := m.Predictor().Intervals()
	switch err := refused(m, answer.OfIntervals, path); {
	case err != nil:
		return err
	case v == nil:
		return cli.BadData(fault.Lacks.Errorf("%s keeps nothing for intervals: train it again with --proba on", path))
	}
	if err := v.CheckLevel(r.interval); err != nil {
		return cli.Usagef("--interval: %w", err)
	}
	return nil
}

// checkSet refuses sets that the model does not have.
func (r *predictRequest) checkSet(path string, m *lapsvm.Model) error {
	c, e := m.Calibration(), m.Predictor().Each()
	switch err := refused(m, answer.OfSets, path); {
	case err != nil:
		return err
	case !m.Probable():
		return cli.BadData(uncalibrated(path, m))
	case c != nil && c.Own == nil && c.HeldOut > 0, e != nil && e.Has == nil:
		return cli.BadData(fault.Errorf("%s was trained by an older lapsvm, which kept nothing for sets: train it again", path))
	}
	if err := m.CheckLevel(r.set); err != nil {
		return cli.Usagef("--set: %w", err)
	}
	for _, name := range m.Classes() {
		if strings.Contains(name, answer.SetSeparator) && answer.KindOf(m.Kind()).Single() && !r.inJSON() {
			return cli.Usagef("the class %s has the sign %s in its name, which separates the classes of --set: add --json, which has lists", cli.Quoted(name), answer.SetSeparator)
		}
	}
	return nil
}

// refused returns why models of a kind of label have no such output, nil where they may have it.
func refused(m *lapsvm.Model, o answer.Output, path string) error {
	if why := answer.KindOf(m.Kind()).Refuses(o).File; why != "" {
		return cli.Usagef("%w", fault.Lacks.Errorf(why, path))
	}
	return nil
}

// uncalibrated returns the reason why a model has no probabilities, with advice.
func uncalibrated(path string, m *lapsvm.Model) error {
	if why := answer.KindOf(m.Kind()).Refuses(answer.OfProbabilities).File; why != "" {
		return fault.Lacks.Errorf(why, path)
	}
	return fault.Lacks.Errorf("%s was trained without probabilities: train it again with this lapsvm and --proba on, or take --scores", path)
}

// writesText reports whether the result is a table as text, which spreadsheets open.
func (r *predictRequest) writesText(form string) bool {
	explained := r.explains() && (r.file == "" || r.file == "-") // for people
	return !r.inJSON() && !explained && (form == files.CSV || form == files.TSV)
}

// explains reports whether explanations are asked for.
func (r *predictRequest) explains() bool { return r.explain > 0 || r.shares > 0 }

// inJSON reports whether the result is one JSON object. A format that is asked for goes before.
func (r *predictRequest) inJSON() bool { return r.output.JSON && r.to == "" }

// checkMemory refuses rows whose results have no place in the memory that may be used, 0 for any, beside the rows.
func (r *predictRequest) checkMemory(m *lapsvm.Model, d *dataset.Dataset, allowed int64) error {
	const header, text = 24, 40 // bytes of a slice; of an answer and of how far its row is
	classes := max(len(m.Classes()), 1)
	row := 8*m.Machines() + header + 8*classes + text // what machines say, and decision values
	if r.proba || r.set != 0 || r.top > 0 || len(r.thresholds) > 0 {
		row += header + 8*classes
	}
	needed := d.Points.Bytes() + int64(d.Len()*row)
	if m.Predictor().Scaling().Kind != points.AsIs && d.Points.Storage() == points.Float64 {
		needed += d.Points.Bytes() // scaled
	}
	if allowed <= 0 || needed <= allowed {
		return nil
	}
	return cli.BadData(fault.Memory.Errorf("predicting takes more than the %s of memory that may be used, about %s for %s; take fewer rows at a time, or allow more with --memory",
		size.Text(allowed), size.Text(needed), cli.Count(d.Len(), "row", "rows")))
}
