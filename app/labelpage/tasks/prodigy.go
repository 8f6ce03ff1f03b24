package tasks

import (
	"encoding/json"
	"fmt"

	"lapsvm/dataset"
	"lapsvm/internal/system/fault"
)

// example is a task of Prodigy, for its interfaces choice and classification.
type example struct {
	Text    string         `json:"text,omitempty"`
	Image   string         `json:"image,omitempty"`
	Label   string         `json:"label,omitempty"` // the model's, to accept or reject
	Options []option       `json:"options,omitempty"`
	Chosen  []string       `json:"accept,omitempty"` // the model's options
	Config  map[string]any `json:"config,omitempty"`
	Meta    map[string]any `json:"meta"`
}

type option struct {
	ID   any    `json:"id"`
	Text string `json:"text"`
}

// prodigy reads an annotated task.
func (f *File) prodigy(text []byte, p place) error {
	var e struct {
		example
		Accept []json.RawMessage          `json:"accept"`
		Answer string                     `json:"answer"`
		Meta   map[string]json.RawMessage `json:"meta"`
	}
	if err := json.Unmarshal(text, &e); err != nil {
		return fault.Errorf("this is no task of Prodigy: %w; export it with db-out", err)
	}
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(text, &keys); err != nil {
		return err
	}
	record := scalars(keys)
	for key, value := range scalars(e.Meta) {
		if _, ok := record[key]; !ok {
			record[key] = value
		}
	}
	class := e.Label
	switch {
	case e.Answer == "":
		return nil // a task that nobody has seen yet
	case e.Answer == "ignore", e.Answer == "reject" && e.Accept != nil, e.Answer == "accept" && len(e.Options) > 0 && len(e.Accept) == 0:
		f.passed++
		return nil
	case e.Answer != "accept" && e.Answer != "reject":
		return fmt.Errorf("its answer is %.40q: it is accept, reject or ignore", e.Answer)
	case f.separator != "" && (e.Answer == "reject" || len(e.Options) == 0):
		return fault.Errorf("a row may have several classes, of which it tells one: label with the interface choice")
	case f.separator != "":
		var names []string
		for _, option := range e.Accept {
			names = append(names, scalar(option))
		}
		class = dataset.JoinSeveral(names, nil, f.separator)
	case len(e.Accept) > 1:
		return fault.Errorf("several options are accepted, where a row has one class: set choice_style to single, or say --multi-label")
	case len(e.Accept) == 1:
		class = scalar(e.Accept[0])
	case class == "":
		return fault.Errorf("it has neither a label nor an accepted option: label with the interface choice or classification")
	}
	return f.say(answer{place: p, record: record, class: class, rejected: e.Answer == "reject"})
}

// prodigyTask makes a task to label.
func prodigyTask(p Point, classes []string, several bool) example {
	e := example{Text: p.Text, Image: p.Image, Meta: map[string]any{"row": p.Row + 1, "reason": p.Reason}}
	if p.Image != "" {
		e.Text = ""
	}
	switch {
	case several:
		e.Chosen, e.Config = p.Classes, map[string]any{"choice_style": "multiple"}
	case len(p.Classes) > 0:
		e.Label = p.Classes[0]
	}
	if len(p.Classes) > 0 {
		e.Meta["score"] = p.Probability
	}
	for _, class := range classes {
		e.Options = append(e.Options, option{class, class})
	}
	return e
}
