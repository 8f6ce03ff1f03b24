package use

import (
	"bytes"
	"context"
	"testing"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/export"
	"lapsvm/internal/points/graph"
	"lapsvm/internal/system/atomicfile"
)

// The writing of a model ends when its context is done.
func TestWritingAModelStops(t *testing.T) {
	recipe := lapsvm.Recipe{GammaA: 0.1, GammaI: 0.1, Graph: graph.Options{Neighbours: 3, Degree: 1}}
	m, err := lapsvm.Trainer{Recipe: recipe}.Fit(t.Context(), dataset.TwoMoons(20, 0.07, 1))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, format := range []export.Format{export.FormatONNX, export.FormatLIBSVM, export.FormatJSON, formatOwn} {
		var b bytes.Buffer
		if _, err := writeModel(ctx, atomicfile.Until(ctx, &b), m, format, &exportRequest{precision: "32"}); err == nil || b.Len() > 0 {
			t.Errorf("%s: error %v, %d bytes", format, err, b.Len())
		}
	}
}
