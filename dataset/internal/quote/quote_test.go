package quote

import (
	"strings"
	"testing"
)

func TestNames(t *testing.T) {
	if got := Names(strings.Fields(strings.Repeat("c ", 25))); !strings.HasSuffix(got, "c and 5 more") {
		t.Error(got)
	}
}
