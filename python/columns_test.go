package python_test

import (
	"bytes"
	"fmt"
	"os"
	"testing"

	"lapsvm/dataset"
)

// The loader knows the kinds of column that the program has.
func TestColumnsOfTheLoader(t *testing.T) {
	loader, err := os.ReadFile("lapsvm/_table.py")
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("\nLATEST = %d ", dataset.LatestVersion()); !bytes.Contains(loader, []byte(want)) {
		t.Errorf("_table.py has no line%s: give the kinds that came with this version a row of KINDS", want)
	}
}
