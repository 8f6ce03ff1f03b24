package command

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"lapsvm/app/command/cli"
)

// sealed returns a model file with part of its header replaced and its last
// number, a bias, set. Its length and checksum are correct.
func sealed(t *testing.T, model []byte, old, new string, bias float64) string {
	t.Helper()
	end := 16 + int(binary.LittleEndian.Uint32(model[12:]))
	header := string(model[16:end])
	if !strings.Contains(header, old) {
		t.Fatalf("no %s in %s", old, header)
	}
	header = strings.Replace(header, old, new, 1)
	b := binary.LittleEndian.AppendUint32(bytes.Clone(model[:12]), uint32(len(header)))
	b = append(append(b, header...), model[end:len(model)-sha256.Size]...)
	binary.LittleEndian.PutUint64(b[len(b)-8:], math.Float64bits(bias))
	sum := sha256.Sum256(b)
	return string(append(b, sum[:]...))
}

// Every command that reads a model file rejects an impossible one with the error
// of a bad file.
func TestBadModels(t *testing.T) {
	folder := t.TempDir()
	good, model := moons(t, folder, 20), filepath.Join(folder, "good.lapsvm")
	if code, _, stderr := lapsvmRun(t, t.Context(), "", "train", good, "-o", model, "--gamma-a", "1", "--gamma-i", "1", "--neighbours", "3", "--laplacian-degree", "1", "--sigma", "0.5", "--metric", "cosine"); code != cli.ExitDone {
		t.Fatal(stderr)
	}
	whole := bytesOf(t, model)
	const kernel = `{"name":"gaussian","sigma":0.5}`
	for _, c := range []struct {
		old, new string
		bias     float64
		want     string
	}{
		{kernel, kernel, math.NaN(), "biases is NaN"},
		{kernel, kernel, math.Inf(-1), "biases is -Inf"},
		{kernel, `{"name":"poly","degree":4611686018427387904}`, 0, "degree of at most 1023"},
		{kernel, `{"name":"gaussian","sigma":-1}`, 0, "sigma > 0"},
		{`"metric":"cosine"`, `"metric":"far"`, 0, `unknown metric "far"`},
		{`"neighbours":3`, `"neighbours":-3`, 0, "at least 1 neighbour"},
	} {
		bad := file(t, folder, "bad.lapsvm", sealed(t, whole, c.old, c.new, c.bias))
		for _, args := range [][]string{{"predict", bad, good}, {"info", bad}, {"export", bad, filepath.Join(folder, "out.onnx")}, {"train", good, "--recipe", bad, "-o", filepath.Join(folder, "new.lapsvm")}} {
			code, stdout, stderr := lapsvmRun(t, t.Context(), "", args...)
			if code != cli.ExitData || !strings.Contains(stderr, c.want) || !strings.Contains(stderr, "bad.lapsvm") || stdout != "" {
				t.Errorf("%s, %s: exit code %d, printed %q, error %s", c.new, args[0], code, stdout, stderr)
			}
		}
	}
}

// An impossible recipe in JSON is an error of its file.
func TestBadRecipeJSON(t *testing.T) {
	folder := t.TempDir()
	good := moons(t, folder, 20)
	for text, want := range map[string]string{`"kernel":"cubic"`: "unknown kernel", `"loss":"log"`: "unknown loss", `"max_iter":-1`: "iteration limit -1", `"laplacian":"odd"`: "unknown Laplacian"} {
		recipe := file(t, folder, "recipe.json", `{"kernel":"gaussian","sigma":1,"gamma_a":1,"gamma_i":1,"neighbours":3,"laplacian_degree":1,"bias":"on",`+text+`}`)
		code, _, stderr := lapsvmRun(t, t.Context(), "", "train", good, "--recipe", recipe, "-o", filepath.Join(folder, "new.lapsvm"))
		if code != cli.ExitData || !strings.Contains(stderr, want) || !strings.Contains(stderr, "recipe.json") {
			t.Errorf("%s: exit code %d, error %s", text, code, stderr)
		}
	}
}
