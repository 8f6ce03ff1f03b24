package number

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"testing"
)

// TestParseBytes compares with strconv, to the last bit, and demands that the
// fast path is taken where it should be.
func TestParseBytes(t *testing.T) {
	for text, fast := range map[string]bool{
		"0": true, "-0": true, "+7": true, "1.": true, ".5": true, "-.5": true, "0.1": true, "1e22": true, "1e-22": true, "123.456e+03": true, "9007199254740991": true,
		"0.0000000000000000001": true, "9007199254740992": true, "9007199254740993": true, "9007199254740995": true, "0.015931372549019607": true, "900719925474099.3": true,
		"0.9223372036854775807": true, "1844674407370955161.5": false, "9999999999999999999": true, "9999999999999999999e-19": true, "0.5000000000000000001": true, "00000000000000000001": true,
		"9007199254740993e1": false, "9007199254740993e-20": false, "1e23": false, "3e-23": false, "12345678901234567890123": false,
		"18446744073709551616": false, "99999999999999999999": false,
		"": false, "-": false, ".": false, "e5": false, "1e": false, "1e+": false, "1e0001": false, "1x": false, "0x10": false, "1.2.3": false, "1_0": false, "inf": false, "nan": false, "--1": false, "1e5x": false,
	} {
		got, ok := shortFloat([]byte(text))
		if ok != fast {
			t.Errorf("%q: fast %v", text, ok)
		}
		if want, err := strconv.ParseFloat(text, 64); ok && (err != nil || math.Float64bits(got) != math.Float64bits(want)) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
	// Decimals halfway between two float64s, and next to them.
	for k := range 200 {
		v := 1 + float64(k)*0x1p-40
		half := new(big.Float).SetPrec(200).SetFloat64(v)
		half.Add(half, big.NewFloat(0x1p-53))
		for _, digits := range []int{15, 16, 17, 18} {
			text := half.Text('f', digits)
			want, _ := strconv.ParseFloat(text, 64)
			if got, ok := shortFloat([]byte(text)); !ok || got != want {
				t.Fatalf("%s: %v %v, want %v", text, got, ok, want)
			}
		}
	}
	rng := rand.New(rand.NewPCG(3, 0))
	taken := 0
	for range 200000 {
		v := math.Ldexp(rng.Float64()-0.5, rng.IntN(120)-60)
		text := strconv.FormatFloat(v, "efg"[rng.IntN(3)], rng.IntN(19)-1, 64)
		want, _ := strconv.ParseFloat(text, 64)
		if got, ok := shortFloat([]byte(text)); ok {
			taken++
			if math.Float64bits(got) != math.Float64bits(want) {
				t.Fatalf("%s: %v, want %v", text, got, want)
			}
		}
		if got, err := ParseBytes([]byte(text)); err != nil || math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("%s: %v, want %v", text, got, want)
		}
	}
	if taken < 100000 {
		t.Errorf("the fast path was taken %d times only", taken)
	}
}
