package labelpage

import (
	"bytes"
	"context"
	"encoding/csv"
	"io"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"lapsvm/app/labelpage/store"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
)

// Exports make the page's downloads besides labels. They take the data with the present
// labels, and the page's recipe, nil while it has none.
type Exports struct {
	Model  Export
	Report Export
}

// Export trains and writes. It reports the progress of its longer parts.
type Export func(ctx context.Context, labelled *dataset.Dataset, progress func(part string, done, total int), w io.Writer) error

// exporting is locked while a model or a report is made: one at a time.
type exporting struct {
	sync.Mutex
	work atomic.Pointer[work] // how far it is; nil while none is made
}

// getExport gives the files to download. GET /api/export/labels.csv is the data with their
// aggregated labels, as lapsvm train reads them; for images it has the names of the files and
// their labels. GET /api/export/history.csv is everything that people said. GET
// /api/export/model.lapsvm and GET /api/export/report.html take a training. 409 before two
// classes have labels.
func (s *Server) getExport(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	var kind string
	var write func(ctx context.Context, w io.Writer) error
	switch name {
	case "labels.csv":
		kind, write = "text/csv; charset=utf-8", s.writeLabels
	case "history.csv":
		kind, write = "text/csv; charset=utf-8", s.Store.WriteHistory
	case "model.lapsvm":
		kind, write = "application/octet-stream", s.trained("the model", s.Exports.Model)
	case "report.html":
		kind, write = "text/html; charset=utf-8", s.trained("the report", s.Exports.Report)
	default:
		refuse(w, http.StatusNotFound, "there is no such export: labels.csv, history.csv, model.lapsvm and report.html are given")
		return
	}
	var b bytes.Buffer // whole, or an error
	if err := write(r.Context(), &b); err != nil {
		if r.Context().Err() == nil {
			refuse(w, http.StatusConflict, err.Error())
		}
		return
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
	w.Header().Set("Content-Length", strconv.Itoa(b.Len()))
	_, _ = w.Write(b.Bytes())
}

// trained returns a function that trains and writes a download, one at a time. The page's
// state shows its progress.
func (s *Server) trained(what string, make Export) func(context.Context, io.Writer) error {
	return func(ctx context.Context, w io.Writer) error {
		if make == nil {
			return badf("this cannot be made here")
		}
		d := s.labelled()
		if len(d.Classes) < 2 {
			return badf("%s", s.kind().wanting())
		}
		if !s.exporting.TryLock() {
			return badf("a model or a report is being made already: wait for it")
		}
		defer s.exporting.Unlock()
		tell := func(now *work) {
			s.exporting.work.Store(now)
			s.changes.tell()
		}
		tell(&work{Stage: "making " + what})
		defer tell(nil)
		progress := inShares(func(part string, share float64) { tell(&work{Stage: "making " + what + ": " + part, Share: share}) })
		return make(ctx, d, progress, w)
	}
}

// names returns the aggregated label of every row by name, "" for none.
func (s *Server) names(c *Content) []string {
	names := make([]string, c.Len())
	s.Store.View(func(st *store.State) {
		for row, label := range st.Labels() {
			if row < len(names) { // rows may come right now
				names[row] = label
			}
		}
	})
	return names
}

// labelled returns the data as they are now with the labels there are.
func (s *Server) labelled() *dataset.Dataset {
	c := s.content()
	d := Labelled(c.Data, s.names(c))
	if c.gone == nil {
		return d
	}
	var rows []int
	for row := range c.Len() {
		if !c.Gone(row) {
			rows = append(rows, row)
		}
	}
	d = d.Subset(rows)
	d.Column = nil
	return d
}

// Labelled returns data with other labels, by name of every row, "" for none.
func Labelled(d *dataset.Dataset, names []string) *dataset.Dataset {
	var classes []string
	for _, name := range names {
		if name != "" && !slices.Contains(classes, name) {
			classes = append(classes, name)
		}
	}
	labels := dataset.NewLabels(nil, false, dataset.LabelRules{Values: classes})
	for _, name := range names {
		if name == "" {
			_ = labels.AddNone() // no origin counts its memory
		} else {
			_ = labels.Add([]byte(name))
		}
	}
	to := *d
	to.Notes, to.Weights = nil, nil
	_ = labels.Finish(&to) // nor are there ranks
	return &to
}

// writeLabels writes the labels as CSV.
func (s *Server) writeLabels(_ context.Context, w io.Writer) error {
	c := s.content()
	names := s.names(c)
	switch {
	case !c.Table.None():
		return c.writeTable(w, names)
	case c.Files != nil:
		return c.writeFiles(w, names)
	}
	return files.Write(w, s.labelled(), files.WriteOptions{Format: files.CSV})
}

// writeTable writes a table as it was, with its column of labels filled in, or one more.
func (c *Content) writeTable(w io.Writer, labels []string) error {
	out := csv.NewWriter(w)
	header := slices.Clone(c.Table.Names)
	if c.Label < 0 {
		header = append(header, "label")
	}
	if err := out.Write(header); err != nil {
		return err
	}
	for i, row := range c.Table.Rows {
		if c.Gone(i) {
			continue
		}
		fields := slices.Clone(row)
		if c.Label < 0 {
			fields = append(fields, labels[i])
		} else {
			fields[c.Label] = labels[i]
		}
		if err := out.Write(fields); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// writeFiles writes the names of labelled images and their labels.
func (c *Content) writeFiles(w io.Writer, labels []string) error {
	out := csv.NewWriter(w)
	if err := out.Write([]string{files.FileColumn, "label"}); err != nil {
		return err
	}
	for i, label := range labels {
		if label == "" {
			continue
		}
		if err := out.Write([]string{c.Names[i], label}); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}
