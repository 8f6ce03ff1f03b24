package command

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Points whose classes are spelt otherwise are measured, and classes named otherwise are weighed, as if they were spelt alike.
func TestClassesSpeltOtherwise(t *testing.T) {
	folder := t.TempDir()
	write := func(name string, from, to int, cell func(i, class int) string) string {
		text := "u,v,label\n"
		for i := from; i < to; i++ {
			text += fmt.Sprintf("%.3f,%.3f,%s\n", float64(i*37%100)/100, float64(i*61%100)/100, cell(i, i*37%100/50))
		}
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	data := write("data.csv", 0, 60, func(i, class int) string {
		if i >= 40 {
			return ""
		}
		return fmt.Sprint(class)
	})
	alike := write("alike.csv", 60, 100, func(_, class int) string { return fmt.Sprint(class) })
	other := write("other.csv", 60, 100, func(i, class int) string { return fmt.Sprintf([]string{"%d.0", "+%d", "0%d"}[i%3], class) })
	wrong := regexp.MustCompile(`"error_validation":[^,]*`)
	measured := func(validation string) string {
		return strings.Join(wrong.FindAllString(succeed(t, "evaluate", data, "--labelled", "20", "--sigma", "0.3", "--json", "--quiet", "--validation", validation), -1), " ")
	}
	if a, b := measured(alike), measured(other); a != b || !strings.Contains(a, `"error_validation":5 `) { // of two of the 40 rows
		t.Errorf("%s; spelt otherwise: %s", a, b)
	}
	var models []string
	for k, prior := range []string{"0=0.3,1=0.7", "0.0=0.3,01=0.7"} {
		path := filepath.Join(folder, fmt.Sprint(k))
		succeed(t, "train", data, "--prior", prior, "-o", path, "--quiet")
		models = append(models, succeed(t, "predict", path, alike, "--scores", "--quiet"))
	}
	if models[0] != models[1] {
		t.Errorf("a prior of classes spelt otherwise: %.200s, %.200s", models[0], models[1])
	}
	model := filepath.Join(folder, "0")
	var limited, encoded []string
	for _, threshold := range []string{"1=0.9", "1.0=0.9"} {
		limited = append(limited, succeed(t, "predict", model, alike, "--threshold", threshold, "--quiet"))
	}
	for _, file := range []string{alike, write("floats.csv", 60, 100, func(_, class int) string { return fmt.Sprintf("%d.0", class) })} {
		out := filepath.Join(folder, "encoded.svm")
		succeed(t, "encode", model, file, out, "--quiet")
		encoded = append(encoded, string(bytesOf(t, out)))
	}
	if limited[0] != limited[1] || encoded[0] != encoded[1] || !strings.Contains(encoded[0], "\n1 ") {
		t.Errorf("a threshold, labels of an encoding: %.200s, %.200s, %.200s, %.200s", limited[0], limited[1], encoded[0], encoded[1])
	}
	code, _, stderr := lapsvmRun(t, t.Context(), "", "train", data, "--prior", "0=0.3,0.0=0.7", "-o", filepath.Join(folder, "m"), "--quiet")
	if code == 0 || !strings.Contains(stderr, `the prior names the class "0" twice: leave one of them out`) {
		t.Errorf("a class twice: exit %d, %s", code, stderr)
	}
}
