package command

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lapsvm/app/command/cli"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/internal/testing/detector"
)

// lapsvmJSON runs a command with --json and reads what it prints.
func lapsvmJSON(t *testing.T, args string) map[string]any {
	t.Helper()
	code, stdout, stderr := lapsvmRun(t, t.Context(), "", append(strings.Fields(args), "--json")...)
	var result map[string]any
	if code != cli.ExitDone || json.Unmarshal([]byte(stdout), &result) != nil {
		t.Fatalf("%s: exit code %d, %s%s", args, code, stdout, stderr)
	}
	return result
}

// Every command that takes models works with a model with neighbours or says what to
// do. A compact model is smaller and works everywhere.
func TestModelsOnLandmarks(t *testing.T) {
	detector.Spare(t)
	folder := t.TempDir()
	points, model, compact := moons(t, folder, 900), filepath.Join(folder, "m.lapsvm"), filepath.Join(folder, "c.lapsvm")
	const how = " --solver landmarks --landmarks 15 --kernel gaussian --sigma 0.02 --neighbours 8 --laplacian-degree 2 --gamma-a 1e-4 --gamma-i 0.1 --standardise none"
	page := filepath.Join(folder, "page.html")
	trained := lapsvmJSON(t, "train "+points+how+" -o "+model+" --report "+page)
	told, _ := trained["new_points"].(map[string]any)
	if trained["landmarks"] != 15.0 || trained["members"] != 1.0 || told["keeps_points"] != true || told["sample"] == 0.0 {
		t.Errorf("train tells %v", trained)
	}
	html, err := os.ReadFile(page)
	if err != nil || !strings.Contains(string(html), "decided otherwise than in the training") || !strings.Contains(string(html), "--landmarks") {
		t.Errorf("the report does not tell of new points: %v", err)
	}
	kept, _ := lapsvmJSON(t, "info "+model)["kept_points"].(map[string]any)
	if kept["points"] != 900.0 || kept["neighbours"] != 5.0 || !(kept["recall"].(float64) > 0.5) {
		t.Errorf("info tells %v", kept)
	}
	if code, stdout, _ := lapsvmRun(t, t.Context(), "", "info", model); code != cli.ExitDone || !strings.Contains(stdout, "5 nearest of 900 training points") {
		t.Errorf("info prints %s", stdout)
	}
	for _, args := range []string{"export " + model + " " + filepath.Join(folder, "m.onnx"), "export " + model + " " + filepath.Join(folder, "m.json"),
		"export " + model + " " + filepath.Join(folder, "m.svm") + " --format libsvm", "export " + model + " " + filepath.Join(folder, "p.lapsvm") + " --prune 0.1"} {
		if code, _, stderr := lapsvmRun(t, t.Context(), "", strings.Fields(args)...); code != cli.ExitData || !strings.Contains(stderr, "--compact") {
			t.Errorf("%s: exit code %d, %s", args, code, stderr)
		}
	}
	if code, _, stderr := lapsvmRun(t, t.Context(), "", "export", model, filepath.Join(folder, "again.lapsvm")); code != cli.ExitDone {
		t.Errorf("the model as it is cannot be written again: %s", stderr)
	}
	if code, stdout, stderr := lapsvmRun(t, t.Context(), "", "predict", model, points, "--explain-shares", "2"); code != cli.ExitDone || !strings.Contains(stdout, "nearest") {
		t.Errorf("no explanation: %s%s", stdout, stderr)
	}
	small := lapsvmJSON(t, "train "+points+how+" --compact -o "+compact)
	if told, _ := small["new_points"].(map[string]any); told["keeps_points"] != false || small["compact"] != true {
		t.Errorf("train --compact tells %v", small)
	}
	if code, _, stderr := lapsvmRun(t, t.Context(), "", "export", compact, filepath.Join(folder, "c.onnx")); code != cli.ExitDone {
		t.Errorf("a compact model cannot be exported: %s", stderr)
	}
	for _, command := range []string{"train " + points + " -o " + compact, "evaluate " + points + " --labelled 4"} {
		if code, _, stderr := lapsvmRun(t, t.Context(), "", append(strings.Fields(command), "--compact", "--solver", "pcg")...); code != cli.ExitUsage || !strings.Contains(stderr, "--compact") {
			t.Errorf("%s: exit code %d, %s", command, code, stderr)
		}
		if code, _, stderr := lapsvmRun(t, t.Context(), "", append(strings.Fields(command), "--landmarks", "300", "--solver", "pcg")...); code != cli.ExitUsage || !strings.Contains(stderr, "--landmarks") {
			t.Errorf("%s with --landmarks: exit code %d, %s", command, code, stderr)
		}
	}
	full := filepath.Join(folder, "full.csv")
	if err := files.WriteFile(t.Context(), full, dataset.TwoMoons(900, 0.07, 1), files.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, more := range []string{"", " --compact"} {
		result := lapsvmJSON(t, "evaluate "+full+strings.Replace(how, "0.02", "0.2", 1)+" --labelled 8 --repeats 1 --test-fraction 0.2 --baseline off --proba off"+more)
		if mean, _ := result["mean"].(map[string]any); !(mean["error_test"].(float64) <= 25) {
			t.Errorf("evaluate%s: %v", more, mean)
		}
	}
}
