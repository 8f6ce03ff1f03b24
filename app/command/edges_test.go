package command

import (
	"fmt"
	"strings"
	"testing"
)

// Edges between the numbers 1 to 20 are those of rows by their places, which a column of such numbers in another order makes doubtful;
// with --id they are those of the column.
func TestEdgesByPlacesOrByColumn(t *testing.T) {
	var rows, ordered, edges strings.Builder
	rows.WriteString("node,x,label\n")
	ordered.WriteString("node,x,label\n")
	edges.WriteString("from,to\n")
	for i := range 20 {
		label := []string{"a", "b"}[i%2]
		if i >= 6 {
			label = ""
		}
		fmt.Fprintf(&rows, "%d,%d.5,%s\n", 7*i%20+1, i*i%11, label) // 1, 8, 15, 2, …
		fmt.Fprintf(&ordered, "%d,%d.5,%s\n", i+1, i*i%11, label)
		fmt.Fprintf(&edges, "%d,%d\n", 7*i%20+1, 7*(i+2)%20+1)
	}
	folder := t.TempDir()
	data, inOrder, graph := file(t, folder, "nodes.csv", rows.String()), file(t, folder, "ordered.csv", ordered.String()), file(t, folder, "edges.csv", edges.String())
	for _, x := range []struct {
		args  []string
		warns bool
	}{{[]string{data}, true}, {[]string{data, "--id", "node"}, false}, {[]string{inOrder, "--columns", "node,x"}, false}} {
		args := append(append([]string{"train"}, x.args...), "--edges", graph, "--neighbours", "0", "-o", folder+"/m.lapsvm")
		_, _, stderr := lapsvmRun(t, t.Context(), "", args...)
		if got := strings.Contains(stderr, `rows are told by their places, but the column "node" has these numbers for other rows; give --id node if these are meant`); got != x.warns {
			t.Errorf("%v: %s", x.args, stderr)
		}
	}
}
