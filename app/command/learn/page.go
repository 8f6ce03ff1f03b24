package learn

import (
	"context"
	"io"
	"path/filepath"
	"strings"

	"lapsvm"
	"lapsvm/app/command/cli"
	"lapsvm/app/report"
	"lapsvm/app/summary"
	"lapsvm/internal/system/atomicfile"
)

// checkReport refuses the name of a page that is not one of HTML. A name without an ending may be one: open files have none.
func checkReport(path string) error {
	if ext := strings.ToLower(filepath.Ext(path)); path == "-" || ext != "" && ext != ".html" && ext != ".htm" {
		return cli.Usagef("the report is written as .html, not as %q", path)
	}
	return nil
}

func writePage(path string, page report.Page) error {
	return atomicfile.Write(path, func(w io.Writer) error { return page.WriteHTML(w) })
}

// writeTrainingReport writes the page of a training whose recipe was asked for and
// chosen. Beside it stands the SVM on the labelled points, unless the model is one.
func writeTrainingReport(ctx context.Context, path string, t summary.Training, asked lapsvm.Recipe, memory int64) error {
	if err := t.Compare(ctx, asked, memory); err != nil {
		return err
	}
	page, err := t.Page(ctx)
	if err != nil {
		return err
	}
	return writePage(path, page)
}
