package number

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

func TestCanonical(t *testing.T) {
	for in, want := range map[string]string{
		"+1": "1", "3.0": "3", "-0": "0", "0.50": "0.5", "1e3": "1000", "007": "7", "-07": "-7", "1e-7": "1e-07",
		"12345678901234567890": "12345678901234567890", "+0012345678901234567890": "12345678901234567890",
		"1e21": "1e+21", "0x1p4": "16", "spam": "spam", "": "", "inf": "inf", "1_0": "1_0", "1e999": "1e999",
	} {
		if got := Canonical(in); got != want {
			t.Errorf("Canonical(%q) = %q, want %q", in, got, want)
		}
		if got := Canonical(want); got != want {
			t.Errorf("Canonical(%q) = %q", want, got)
		}
	}
}

// Append spells a number as the shortest decimals do that tell it.
func TestAppend(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	check := func(v float64) {
		want := strconv.FormatFloat(v, 'g', -1, 64)
		switch {
		case v == 0:
			want = "0"
		case math.Abs(v) < 1e21 && math.Abs(v) >= 1e-6:
			want = strconv.FormatFloat(v, 'f', -1, 64)
		}
		if got := string(Append([]byte("x"), v)); got != "x"+want {
			t.Fatalf("%s, want %s", got, want)
		}
	}
	for range 200_000 {
		check(r.NormFloat64())
		check(math.Float64frombits(r.Uint64()&^(1<<62) | 1<<61))
		for _, places := range []float64{1, 10, 1e3, 1e6, 1e7} {
			v := math.Round(r.NormFloat64()*places*math.Pow(10, float64(r.IntN(10)))) / places
			check(v)
			check(math.Nextafter(v, 0))
		}
	}
	for _, v := range []float64{0, math.Copysign(0, -1), 1e-6, -1e-6, 5e-7, 1e-7, 999999999.999999, 1e9, 1e15, 1e20, 1e21, 5e-324, math.MaxFloat64, 0.1 + 0.2} {
		check(v)
	}
}

// A float of 2 or 4 bytes is meant for what NumPy 1.24 prints. Whole numbers are themselves.
func TestMeant(t *testing.T) {
	for _, c := range []struct {
		v     float64
		bytes int
		want  float64
	}{
		{0.0999755859375, 2, 0.1}, {0.0010004043579101562, 2, 0.001}, {-3.140625, 2, -3.14}, {5.960464477539063e-08, 2, 6e-08}, {6.103515625e-05, 2, 6.104e-05},
		{0.5, 2, 0.5}, {0.499755859375, 2, 0.4998}, {1.0009765625, 2, 1.001}, {1023.5, 2, 1023.5}, {65504, 2, 65504}, {2050, 2, 2050}, {0, 2, 0}, {math.Inf(1), 2, math.Inf(1)},
		{0.10000000149011612, 4, 0.1}, {0.0999755859375, 4, 0.099975586}, {0.0999755859375, 8, 0.0999755859375}, {math.Inf(-1), 4, math.Inf(-1)},
	} {
		if got := Meant(c.v, c.bytes); !(got == c.want) {
			t.Errorf("%v of %d bytes is meant for %v, want %v", c.v, c.bytes, got, c.want)
		}
	}
}
