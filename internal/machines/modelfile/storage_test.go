package modelfile_test

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"lapsvm/internal/machines/modelfile"
	"lapsvm/kernel"
	"lapsvm/points"
)

// bytesAndSingles returns tables of bytes and of float32.
func bytesAndSingles(rng *rand.Rand, n, d int) []*points.Points {
	all, single := make([]uint8, n*d), make([]float32, n*d)
	for k := range all {
		all[k], single[k] = uint8(rng.IntN(256)), float32(rng.NormFloat64())
	}
	return []*points.Points{points.DenseBytes(n, d, all), points.Dense32(n, d, single)}
}

// A basis of bytes or float32 is so in the file, as it was before it was scaled, and
// comes back to the bits of all its values.
func TestBasisAsStored(t *testing.T) {
	const n, d = 40, 30
	rng := rand.New(rand.NewPCG(17, 4))
	for _, p := range bytesAndSingles(rng, n, d) {
		for _, kind := range []points.Standardise{"", points.AsIs, points.UnitNorm, points.ZScore, points.MinMax, points.Columns} {
			scaling, err := points.FitScaling(t.Context(), kind, p)
			if err != nil {
				t.Fatal(err)
			}
			c := &modelfile.Contents{Kernel: kernel.Gaussian{Sigma: 1}, Scaling: scaling, Basis: scaling.Apply(p), Classes: []string{"a", "b"},
				Coefficients: [][]float64{values(rng, n)}, Bias: []float64{0}}
			file := write(t, c)
			if v := binary.LittleEndian.Uint32(file[8:]); v != 4 || len(file) > n*d*p.Storage().Size()+8*(n+4*d)+1000 {
				t.Errorf("%v %s: version %d of %d bytes", p.Storage(), kind, v, len(file))
			}
			got := read(t, file).Basis
			if got.Storage() != p.Storage() || !slices.Equal(got.Rows(0, n, nil), c.Basis.Rows(0, n, nil)) || !slices.Equal(got.Squares(), c.Basis.Squares()) {
				t.Errorf("%v %s: comes back as %v with other values", p.Storage(), kind, got.Storage())
			}
			if again := write(t, read(t, file)); !bytes.Equal(again, file) {
				t.Errorf("%v %s: written again it differs", p.Storage(), kind)
			}
			c.Scaling.Kind, c.Scaling.Shift, c.Scaling.Factor, c.Scaling.Centre, c.Scaling.Width = points.AsIs, nil, nil, nil, nil
			if c.Basis == p {
				continue
			}
			// A basis that was scaled otherwise than the model says has its values alone.
			got = read(t, write(t, c)).Basis
			if got.Storage() != points.Float64 || !slices.Equal(got.Rows(0, n, nil), c.Basis.Rows(0, n, nil)) {
				t.Errorf("%v %s without its scaling: comes back as %v with other values", p.Storage(), kind, got.Storage())
			}
		}
	}
}

// A header that claims a storage that is not there is refused.
func TestDamagedStorage(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 5))
	c := &modelfile.Contents{Kernel: kernel.Gaussian{Sigma: 1}, Basis: bytesAndSingles(rng, 3, 2)[0], Classes: []string{"a", "b"},
		Coefficients: [][]float64{values(rng, 3)}, Bias: []float64{0}}
	file := string(write(t, c))
	head := file[16 : 16+int(binary.LittleEndian.Uint32([]byte(file[12:])))]
	arrays := []byte(file[16+len(head) : len(file)-32])
	if !strings.Contains(head, `"storage":"uint8"`) {
		t.Fatalf("the header %s", head)
	}
	read(t, sealedAs(4, head, arrays))
	for _, other := range []string{`"storage":"uint16"`, `"storage":"float64"`, `"sparse":true,"storage":"uint8"`, `"unscaled":true`, `"storage":"float32"`} {
		refused(t, other, sealedAs(4, strings.Replace(head, `"storage":"uint8"`, other, 1), arrays))
	}
	for _, version := range []byte{1, 2, 3, 5} {
		refused(t, "another version", sealedAs(version, head, arrays))
	}
}
