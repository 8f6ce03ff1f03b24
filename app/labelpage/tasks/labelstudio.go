package tasks

import (
	"encoding/json"
	"slices"

	"lapsvm/dataset"
	"lapsvm/internal/system/fault"
)

// The name of the labelling configuration's control in written tasks.
const (
	labelControl = "label"
	modelVersion = "lapsvm"
)

// task is one of Label Studio.
type task struct {
	Data        map[string]any `json:"data"`
	Annotations []annotation   `json:"annotations,omitempty"`
	Predictions []annotation   `json:"predictions,omitempty"`
}

// annotation is the answer of a person or a model to a task.
type annotation struct {
	ModelVersion string   `json:"model_version,omitempty"`
	Score        float64  `json:"score,omitempty"`
	Result       []result `json:"result"`
	Cancelled    bool     `json:"was_cancelled,omitempty"`
	GroundTruth  bool     `json:"ground_truth,omitempty"`
}

// result is one part of it, made with one control.
type result struct {
	From  string      `json:"from_name"`
	To    string      `json:"to_name"`
	Type  string      `json:"type"`
	Value choiceValue `json:"value"`
}

type choiceValue struct {
	Choices []string `json:"choices"`
}

// labelStudio reads a task with its annotations.
func (f *File) labelStudio(text []byte, p place) error {
	var t struct {
		Data        map[string]json.RawMessage `json:"data"`
		Annotations []annotation               `json:"annotations"`
		Completions []annotation               `json:"completions"` // before version 1.0
	}
	if err := json.Unmarshal(text, &t); err != nil {
		return fault.Errorf("this is no task of Label Studio: %w; export it as JSON", err)
	}
	all := slices.Concat(t.Annotations, t.Completions)
	if truth := slices.DeleteFunc(slices.Clone(all), func(a annotation) bool { return !a.GroundTruth }); len(truth) > 0 {
		all = truth
	}
	for _, a := range all {
		if a.Cancelled || len(a.Result) == 0 {
			f.passed++
			continue
		}
		class, err := a.choice(f.separator)
		if err != nil {
			return err
		}
		if err := f.say(answer{place: p, record: scalars(t.Data), class: class}); err != nil {
			return err
		}
	}
	return nil
}

// choice returns the one choice of an annotation, or the list of its choices if a separator is given. If there are two controls or more, the
// control label counts.
func (a annotation) choice(separator string) (string, error) {
	var choices []result
	for _, r := range a.Result {
		if r.Type == "choices" {
			choices = append(choices, r)
		}
	}
	if named := slices.DeleteFunc(slices.Clone(choices), func(r result) bool { return r.From != labelControl }); len(named) > 0 {
		choices = named
	}
	switch {
	case len(choices) == 0:
		return "", fault.Errorf("its annotation is of type %q: label with <Choices name=%q>", a.Result[0].Type, labelControl)
	case len(choices) > 1:
		return "", fault.Errorf("it is annotated with several Choices: call the one with the classes %s", labelControl)
	case separator != "":
		return dataset.JoinSeveral(choices[0].Value.Choices, nil, separator), nil
	case len(choices[0].Value.Choices) != 1:
		return "", fault.Errorf("it has several choices, where a row has one class: make Choices single, or say --multi-label")
	}
	return choices[0].Value.Choices[0], nil
}

// labelStudioTask makes a task to import.
func labelStudioTask(p Point) task {
	t := task{Data: make(map[string]any)}
	for _, f := range p.Fields {
		t.Data[f.Name] = f.Value
	}
	to := "text"
	if p.Image != "" {
		to = "image"
		t.Data["image"] = p.Image
	} else {
		t.Data["text"] = p.Text
	}
	t.Data["row"], t.Data["reason"] = p.Row+1, p.Reason
	if len(p.Classes) > 0 {
		t.Predictions = []annotation{{ModelVersion: modelVersion, Score: p.Probability,
			Result: []result{{labelControl, to, "choices", choiceValue{p.Classes}}}}}
	}
	return t
}
