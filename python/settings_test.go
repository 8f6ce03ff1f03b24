package python_test

import (
	"os"
	"strings"
	"testing"

	"lapsvm/internal/machines/train"
)

// The estimator has a parameter for every setting that train has a flag for, by the flag's name.
func TestParametersAreTheSettings(t *testing.T) {
	text, err := os.ReadFile("lapsvm/_classifier.py")
	if err != nil {
		t.Fatal(err)
	}
	_, signature, _ := strings.Cut(string(text), "def __init__(")
	signature, body, _ := strings.Cut(signature, ") -> None:")
	for _, s := range train.Settings() {
		name := strings.ReplaceAll(s.Flag, "-", "_")
		if name == "" || name == "one_class" { // a classifier has two classes
			continue
		}
		if !strings.Contains(signature, " "+name+": ") && !strings.Contains(signature, "self, "+name+": ") || !strings.Contains(body, "self."+name+" = "+name+"\n") {
			t.Errorf("the estimator lacks the parameter %s of the setting %s", name, s.Key)
		}
	}
}
