package summary

import (
	"context"
	"errors"
	"fmt"

	"lapsvm"
	"lapsvm/app/answer"
	"lapsvm/app/report"
)

// why says of some rows which columns decide, each in a sentence. There is no section where the model cannot tell.
func (f *trainingPage) why(ctx context.Context, rows []int) (report.Section, error) {
	p := f.Data.AsRead()
	if p == nil || len(rows) == 0 {
		return report.Section{}, nil
	}
	p = p.Subset(rows)
	scores, err := f.Model.Scores(ctx, p)
	if err != nil {
		return report.Section{}, err
	}
	said, err := answer.Of(ctx, f.Model, p, scores, 0)
	if err != nil {
		return report.Section{}, err
	}
	why, err := answer.NewExplanations(ctx, f.Model, p, nil, &said)
	if errors.Is(err, lapsvm.ErrData) {
		return report.Section{}, nil
	}
	if err != nil {
		return report.Section{}, err
	}
	maps := report.Gallery{Name: "why-images", Title: "Where the pictures say it", Caption: "Blue parts speak for the decision and orange ones against it, each against the colour that the picture has most."}
	t := report.Table{Name: "why", Title: "Why some rows are decided so", Header: []string{"row", "why"}}
	for _, x := range why.All {
		t.Rows = append(t.Rows, headedByRow(f.Data, rows[x.Point], escaped(why.Sentence(x))))
		if len(x.Reasons) > 0 && x.Reasons[0].Part != nil {
			row := make([]float64, p.Dim())
			p.CopyRow(row, x.Point)
			maps.Pictures = append(maps.Pictures, report.Picture{Image: mapped(row, f.Data.Image, x.Reasons), Title: "row " + whole(rows[x.Point]+1), Detail: why.Decided(x)})
		}
	}
	text := fmt.Sprintf("Each of %s without a label is compared with a row where all is usual: what differs decides.", count(len(rows), "row", "rows"))
	section := report.Section{Title: "Why these rows", Text: []string{text}, Tables: []report.Table{t}}
	if maps.Pictures != nil {
		section.Galleries = []report.Gallery{maps}
	}
	return section, nil
}

// some returns rows without a label at even distances.
func (f *trainingPage) some() (rows []int) {
	n := min(sampleSize, len(f.open))
	for k := range n {
		rows = append(rows, f.open[(2*k+1)*len(f.open)/(2*n)])
	}
	return rows
}
