package command

import (
	"encoding/csv"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"lapsvm/app/command/cli"
)

// What export prints for LIBSVM's programs gives the labels of predict, of tables too.
func TestExportAsPrinted(t *testing.T) {
	for _, tool := range []string{"svm-scale", "svm-predict", "sh"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not here", tool)
		}
	}
	var table, numbers, three strings.Builder
	table.WriteString("size,kind,price,label\n")
	numbers.WriteString("a,b,label\n")
	three.WriteString("a,b,label\n")
	for i := range 60 {
		side, label, of, number := i%2, "", "", ""
		if i < 24 {
			label, of, number = []string{"No", "Yes"}[side], []string{"red", "green", "blue"}[i%3], fmt.Sprint(10*side+i%5)
		}
		fmt.Fprintf(&table, "%s,%s,%d,%s\n", []string{"", fmt.Sprint(3 * side), fmt.Sprint(2*side + i%2)}[i%3], []string{"new", "old", "used"}[(i+side)%3], 1000+4000*side+37*(i%7), label)
		fmt.Fprintf(&numbers, "%d,%g,%s\n", 500*side+i%9, float64(i%5)/7, number)
		fmt.Fprintf(&three, "%d,%d,%s\n", 100*(i%3)+i%7, 3*(i%3*(i%3))+i%2, of)
	}
	for name, c := range map[string]struct {
		data   string
		train  string
		export string
	}{
		"a table":              {table.String(), "--views 1 --standardise zscore --kernel gaussian", ""},
		"a table, encoded":     {table.String(), "--views 1", "--encoded"},
		"a table, linear":      {table.String(), "--views 1 --standardise zscore --kernel linear", ""},
		"numbers to 1":         {table.String(), "--views 1 --standardise minmax --kernel gaussian", ""},
		"as they are":          {table.String(), "--views 1 --standardise none --kernel gaussian", ""},
		"three classes":        {three.String(), "--standardise zscore --kernel gaussian", ""},
		"a regression":         {numbers.String(), "--regression --standardise zscore --kernel gaussian", ""},
		"a regression, linear": {numbers.String(), "--regression --standardise zscore --kernel linear", "--encoded"},
	} {
		folder := t.TempDir()
		t.Chdir(folder)
		data := file(t, folder, "data.csv", c.data)
		succeed(t, append([]string{"train", data, "-o", "m.lapsvm", "--quiet"}, strings.Fields(c.train)...)...)
		code, said, stderr := lapsvmRun(t, t.Context(), "", append([]string{"export", "m.lapsvm", "m.libsvm"}, strings.Fields(c.export)...)...)
		if code != cli.ExitDone {
			t.Fatalf("%s: %s", name, stderr)
		}
		_, commands, told := strings.Cut(said, "to predict DATA:\n")
		if !told {
			t.Fatalf("%s: no commands in %s", name, said)
		}
		for _, line := range strings.Split(strings.TrimSpace(commands), "\n") {
			line = strings.Replace(strings.TrimSpace(line), "DATA", "data.csv", 1)
			if own, is := strings.CutPrefix(line, "lapsvm "); is {
				succeed(t, strings.Fields(own)...)
			} else if out, err := exec.CommandContext(t.Context(), "sh", "-c", line).CombinedOutput(); err != nil {
				t.Fatalf("%s: %s: %v\n%s", name, line, err, out)
			}
		}
		labels, err := os.ReadFile("labels.txt")
		if err != nil {
			t.Fatal(err)
		}
		names := map[string]string{}
		if text, err := os.ReadFile("m.libsvm.labels"); err == nil {
			for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
				number, class, _ := strings.Cut(line, "\t")
				names[number] = class
			}
		}
		want, err := csv.NewReader(strings.NewReader(succeed(t, "predict", "m.lapsvm", data))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Fields(string(labels))
		if len(got) != len(want)-1 {
			t.Fatalf("%s: %d labels of %d rows", name, len(got), len(want)-1)
		}
		seen := map[string]bool{}
		for i, label := range got {
			if class, is := names[label]; is {
				label = class
			}
			if seen[label] = true; strings.Contains(c.train, "regression") {
				var a, b float64
				_, _ = fmt.Sscan(label, &a)
				_, _ = fmt.Sscan(want[i+1][0], &b)
				if !(a-b < 1e-3 && b-a < 1e-3) {
					t.Errorf("%s: row %d is %v, want %v", name, i+1, a, b)
				}
			} else if label != want[i+1][0] {
				t.Errorf("%s: row %d is %s, want %s", name, i+1, label, want[i+1][0])
			}
		}
		if len(seen) < 2 {
			t.Errorf("%s: all rows are %v", name, seen)
		}
		for _, left := range []string{"points.svm", "scaled.svm"} {
			_ = os.Remove(filepath.Join(folder, left))
		}
	}
}

// The rows that encode --unscaled writes are those that the NumPy program of docs/export.md takes for a JSON file, of tables with texts and of means of views too.
func TestJSONAsPrinted(t *testing.T) {
	python := "/usr/bin/python3"
	if exec.CommandContext(t.Context(), python, "-c", "import numpy").Run() != nil {
		t.Skip("NumPy is not here")
	}
	manual, err := os.ReadFile("../../docs/export.md")
	if err != nil {
		t.Fatal(err)
	}
	program := ""
	for _, part := range strings.Split(string(manual), "```python\n")[1:] {
		block, _, _ := strings.Cut(part, "```\n")
		program += block
	}
	program += `
import sys
z = np.load(sys.argv[2])
x = z["X"] if "X" in z else np.zeros(z["shape"])
for i in range(0 if "X" in z else len(x)):
    of = slice(*z["indptr"][i:i + 2])
    x[i, z["indices"][of]] = z["data"][of]
for label in Model(sys.argv[1]).predict(x):
    print(label)
`
	var table strings.Builder
	table.WriteString("size,weight,kind,price,note,label\n")
	for i := range 60 {
		side, label := i%2, ""
		if i < 24 {
			label = []string{"No", "Yes"}[side]
		}
		fmt.Fprintf(&table, "%s,%d,%s,%d,%s,%s\n", []string{"", fmt.Sprint(3 * side), fmt.Sprint(2*side + i%2)}[i%3], i*i%17, []string{"new", "old", "used"}[(i+side)%3], 1000+4000*side+37*(i%7), []string{"a small and old thing", "the large new house"}[side], label)
	}
	for name, flags := range map[string]string{"a mean of views": "--ignore note", "one machine": "--ignore note --views 1", "a text": "--text note"} {
		folder := t.TempDir()
		data, model, points := file(t, folder, "data.csv", table.String()), filepath.Join(folder, "m.lapsvm"), filepath.Join(folder, "points.npz")
		succeed(t, append([]string{"train", data, "-o", model, "--quiet"}, strings.Fields(flags)...)...)
		if said := succeed(t, "export", model, filepath.Join(folder, "m.json")); !strings.Contains(said, "lapsvm encode "+model+" DATA OUT --unscaled writes them") {
			t.Errorf("%s: %s", name, said)
		}
		succeed(t, "encode", model, data, points, "--unscaled", "--quiet")
		got, err := exec.CommandContext(t.Context(), python, file(t, folder, "loader.py", program), filepath.Join(folder, "m.json"), points).CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, got)
		}
		if want := succeed(t, "predict", model, data); "label\n"+string(got) != want {
			t.Errorf("%s: %s in place of %s", name, got, want)
		}
	}
}

// The JavaScript of docs/export.md for an ONNX file gives the labels of predict, in onnxruntime as a library of the system or in WebAssembly.
func TestONNXAsPrinted(t *testing.T) {
	runtime := ""
	for _, name := range []string{"onnxruntime-node", "onnxruntime-web"} {
		if runtime == "" && exec.CommandContext(t.Context(), "node", "-e", "require('"+name+"')").Run() == nil {
			runtime = name
		}
	}
	if runtime == "" {
		t.Skip("node with onnxruntime is not here (npm install onnxruntime-web, and NODE_PATH set to its node_modules)")
	}
	manual, err := os.ReadFile("../../docs/export.md")
	if err != nil {
		t.Fatal(err)
	}
	_, printed, is := strings.Cut(string(manual), "\nIn JavaScript, ")
	_, printed, _ = strings.Cut(printed, "\n\n")
	printed, _, ends := strings.Cut(printed, "\n\n## ")
	if !is || !ends {
		t.Fatal("docs/export.md has no program in JavaScript")
	}
	folder := t.TempDir()
	t.Chdir(folder)
	var table strings.Builder
	table.WriteString("a,b,label\n")
	for i := range 60 {
		label := ""
		if i < 24 {
			label = []string{"red", "green", "blue"}[i%3]
		}
		fmt.Fprintf(&table, "%d,%d,%s\n", 100*(i%3)+i%7, 3*(i%3*(i%3))+i%2, label)
	}
	data := file(t, folder, "data.csv", table.String())
	for _, bits := range []string{"32", "64"} {
		succeed(t, "train", data, "-o", "m.lapsvm", "--quiet")
		succeed(t, "export", "m.lapsvm", "model.onnx", "--precision", bits)
		program := strings.ReplaceAll(printed, "float32", "float"+bits)
		program = fmt.Sprintf(`const ort = require(%q);
const rows = require("fs").readFileSync("data.csv", "utf8").trim().split("\n").slice(1).map((line) => line.split(",").slice(0, 2).map(Number));
const [n, d, values] = [rows.length, 2, Float%sArray.from(rows.flat())];
(async () => {
  if (ort.env.wasm) ort.env.wasm.numThreads = 1;
%s
  process.stdout.write("label\n" + label.data.map((text) => text + "\n").join(""));
})();`, runtime, bits, program)
		got, err := exec.CommandContext(t.Context(), "node", file(t, folder, "program.js", program)).CombinedOutput()
		if want := succeed(t, "predict", "m.lapsvm", data); err != nil || string(got) != want {
			t.Errorf("%v: %s, want %s", err, got, want)
		}
	}
}
