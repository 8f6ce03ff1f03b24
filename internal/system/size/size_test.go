package size_test

import (
	"testing"

	"lapsvm/internal/system/size"
)

func TestText(t *testing.T) {
	for bytes, want := range map[int64]string{0: "0 KB", 18800: "18.4 KB", 1 << 20: "1 MB", 1023 << 20: "0.999 GB", 7200 << 20: "7.03 GB", 1860 << 30: "1.816 TB"} {
		if got := size.Text(bytes); got != want {
			t.Errorf("%d bytes are %q, want %q", bytes, got, want)
		}
	}
}
