package server

import (
	"math"
	"testing"
)

// An element of every datatype is the number that its bytes are, little-endian, with its sign.
func TestElements(t *testing.T) {
	for _, c := range []struct {
		datatype, bytes string
		want            float64
	}{
		{"BOOL", "\x00", 0}, {"BOOL", "\x02", 1},
		{"INT8", "\xfe", -2}, {"UINT8", "\xfe", 254},
		{"INT16", "\xfe\xff", -2}, {"UINT16", "\xfe\xff", 65534}, {"INT16", "\x02\x01", 258},
		{"INT32", "\xfe\xff\xff\xff", -2}, {"UINT32", "\xfe\xff\xff\xff", 4294967294},
		{"INT64", "\xfe\xff\xff\xff\xff\xff\xff\xff", -2}, {"UINT64", "\x00\x00\x00\x00\x00\x00\x00\xff", 255 << 56},
		{"FP16", "\x00\xc1", -2.5}, {"FP16", "\x01\x80", -math.Ldexp(1, -24)}, {"FP16", "\xff\x7b", 65504}, {"FP16", "\x00\xfc", math.Inf(-1)},
		{"BF16", "\x20\xc0", -2.5}, {"FP32", "\x00\x00\x20\xc0", -2.5}, {"FP64", "\x00\x00\x00\x00\x00\x00\x04\xc0", -2.5},
	} {
		if got := element(c.datatype, []byte(c.bytes)); got != c.want {
			t.Errorf("%s of % x is %v, want %v", c.datatype, c.bytes, got, c.want)
		}
	}
	if got := element("FP16", []byte("\x01\x7c")); !math.IsNaN(got) {
		t.Errorf("a NaN of FP16 is %v", got)
	}
}
