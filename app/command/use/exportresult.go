package use

import (
	"fmt"
	"io"
	"strings"

	"lapsvm"
	"lapsvm/app/command/cli"
	"lapsvm/export"
	"lapsvm/internal/describe"
	"lapsvm/internal/points/gram"
)

// exportResult is the JSON of an export.
type exportResult struct {
	Format   export.Format   `json:"format"`
	Basis    int             `json:"basis"` // points that were written
	Bytes    int64           `json:"bytes"`
	Beside   []string        `json:"beside,omitempty"` // files that belong to it
	Inputs   []string        `json:"inputs,omitempty"` // of an ONNX file
	Rounding *roundingResult `json:"rounding,omitempty"`
	Pruned   *pruneResult    `json:"pruned,omitempty"`
}

// roundingResult is the precision of the inputs and outputs of an ONNX file, and
// the changes by float32 that were measured at sample points.
type roundingResult struct {
	Precision gram.Precision `json:"precision"`
	Tried     int            `json:"tried"`
	Labels    int            `json:"labels_changed"`
	Largest   float64        `json:"largest_change"` // of a decision value
}

// pruneResult compares the model before and after pruning.
type pruneResult struct {
	Allowed float64 `json:"allowed"`
	Change  float64 `json:"change"` // largest of a decision value at the basis points
	Basis   int     `json:"basis_before"`
	Bytes   int64   `json:"bytes_before"`
}

// printExport prints an export of the model called path for people; encoded says that it takes encoded points.
func printExport(w io.Writer, m *lapsvm.Model, path, out string, encoded bool, result exportResult) {
	switch pruned := result.Pruned; {
	case pruned == nil:
	case pruned.Basis == result.Basis:
		fmt.Fprintf(w, "nothing is pruned: all %s are needed for a change of at most %g\n", cli.Count(pruned.Basis, "basis point", "basis points"), pruned.Allowed)
	default:
		fmt.Fprintf(w, "pruned from %d to %s, %d to %d bytes; decision values at the basis points change by at most %.3g\n",
			pruned.Basis, cli.Count(result.Basis, "basis point", "basis points"), pruned.Bytes, result.Bytes, pruned.Change)
	}
	switch by, pictures := m.Predictor().Description().(*describe.OfPictures); {
	case result.Format == formatOwn:
	case encoded:
		fmt.Fprintf(w, "the file's input is the %s of a point as lapsvm encode writes it\n", cli.Count(m.Predictor().Expansion().Basis.Dim(), "number", "numbers"))
	case pictures:
		fmt.Fprintf(w, "the file's input is the %d values of a picture: %d rows of %d dots from the top, the colours of a dot side by side\n", by.Inputs(), by.Shape.Height, by.Shape.Width)
	case m.Encoding().Learnt() && result.Format == export.FormatONNX:
		fmt.Fprintf(w, "the file's inputs are the %s of the table, by name: numbers, NaN where one is missing, and words as text\n", cli.Count(len(result.Inputs), "column", "columns"))
	case m.Encoding() != nil:
		fmt.Fprintf(w, "the file's input is the %d encoded features (lapsvm info lists them), not the table's columns: lapsvm encode %s DATA OUT --unscaled writes them\n", m.Dim(), cli.Quoted(path))
	}
	fmt.Fprintf(w, "%s: %s, %s, %d bytes\n", out, result.Format, cli.Count(result.Basis, "basis point", "basis points"), result.Bytes)
	if result.Rounding != nil {
		fmt.Fprintln(w, result.Rounding.text())
	}
	points := "points.svm"
	scale := ""
	for _, path := range result.Beside {
		if strings.HasSuffix(path, export.SideRange) {
			fmt.Fprintf(w, "%s: the standardisation, which svm-scale does\n", path)
			scale, points = fmt.Sprintf("  svm-scale -r %s points.svm > scaled.svm\n", cli.Quoted(path)), "scaled.svm"
		} else {
			fmt.Fprintf(w, "%s: the classes that svm-predict's numbers stand for\n", path)
		}
	}
	if result.Format == export.FormatLIBSVM {
		unscaled := " --unscaled"
		if encoded {
			unscaled = ""
		}
		fmt.Fprintf(w, "to predict DATA:\n  lapsvm encode %s DATA points.svm%s\n%s  svm-predict %s %s labels.txt\n", cli.Quoted(path), unscaled, scale, points, cli.Quoted(out))
	}
}

// text says it in a line.
func (r *roundingResult) text() string {
	points := cli.Count(r.Tried, "point", "points")
	switch {
	case r.Tried == 0:
		return fmt.Sprintf("its inputs and outputs are float%d", r.Precision)
	case r.Precision == gram.Single:
		return fmt.Sprintf("its inputs and outputs are float32: of %s that were tried none gets another label, and no decision value changes by more than %.2g", points, r.Largest)
	}
	return fmt.Sprintf("its inputs and outputs are float64: with float32, %d of %s that were tried would get another label, and decision values would change by up to %.2g", r.Labels, points, r.Largest)
}
