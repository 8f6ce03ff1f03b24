package command

import (
	"bytes"
	"encoding/csv"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"lapsvm/app/command/cli"
	"lapsvm/internal/testing/golden"
)

// The decision values of LaplacianSVM of the R package RSSL 0.9.7 at 200 points are ours, with lambda 0.02, gamma 5, the kernel
// rbfdot(2), 10 neighbours, binary weights and no scaling. γA is lambda·l and γI is gamma·l/(l+u)², of l = 40 labels and l+u = 200 rows.
// The recorded values are positive for the class "-", our second one.
func TestValuesOfRSSL(t *testing.T) {
	points, want := golden.External(t, "golden/rssl/points.csv"), golden.External(t, "golden/rssl/f.csv")
	model := filepath.Join(t.TempDir(), "m.lapsvm")
	const recipe = "--kernel gaussian --sigma 0.5 --standardise none --metric euclidean --neighbours 10 --weights binary --laplacian unnormalised --laplacian-degree 1 " +
		"--loss hinge --bias outside --gamma-a 0.8 --gamma-i 0.005 --solver dual --tolerance 1e-10 --precision 64"
	if code, _, stderr := lapsvmRun(t, t.Context(), "", append([]string{"train", points, "-o", model}, strings.Fields(recipe)...)...); code != cli.ExitDone {
		t.Fatal(stderr)
	}
	_, stdout, stderr := lapsvmRun(t, t.Context(), "", "predict", model, points, "--scores")
	got, err := csv.NewReader(strings.NewReader(stdout)).ReadAll()
	if err != nil {
		t.Fatal(err, stderr)
	}
	values, err := csv.NewReader(bytes.NewReader(bytesOf(t, want))).ReadAll()
	if err != nil || len(values) != 201 || len(got) != len(values) {
		t.Fatal(err, len(values), len(got))
	}
	for i := 1; i < len(values); i++ {
		f, err := strconv.ParseFloat(values[i][0], 64)
		if err != nil {
			t.Fatal(err)
		}
		if score, err := strconv.ParseFloat(got[i][1], 64); err != nil || !(math.Abs(score-f) <= 1e-9) {
			t.Errorf("row %d: the decision value is %v, and RSSL's %v", i, got[i][1], f)
		}
	}
}
