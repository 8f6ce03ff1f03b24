package tokens

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// readAround reads a post_processor: the tokens before and behind each text.
func readAround(text json.RawMessage) (before, behind []int, err error) {
	name, is, err := typeOf(text)
	if err != nil || !is {
		return nil, nil, err
	}
	switch name {
	case "ByteLevel": // which puts nothing around a text
		return nil, nil, decode(name, text, new(byteLevel))
	case "BertProcessing", "RobertaProcessing":
		var p struct {
			Type        string
			Sep, Cls    []json.RawMessage
			TrimOffsets bool `json:"trim_offsets"`
			AddPrefix   bool `json:"add_prefix_space"` // as the pre_tokenizer, which puts it there, says it
		}
		if err = decode(name, text, &p); err == nil {
			before, err = numberOf(name, p.Cls)
		}
		if err == nil {
			behind, err = numberOf(name, p.Sep)
		}
		return before, behind, err
	case "TemplateProcessing":
		return template(text)
	case "Sequence":
		var s struct {
			Type       string
			Processors []json.RawMessage
		}
		if err := decode(name, text, &s); err != nil {
			return nil, nil, err
		}
		for _, p := range s.Processors {
			first, last, err := readAround(p)
			if err != nil {
				return nil, nil, err
			}
			before, behind = slices.Concat(first, before), append(behind, last...)
		}
		return before, behind, nil
	}
	return nil, nil, notKnown("post_processor", name)
}

// numberOf returns the number of a pair of a token and its number.
func numberOf(name string, p []json.RawMessage) ([]int, error) {
	var id int
	if len(p) != 2 || json.Unmarshal(p[1], &id) != nil || id < 0 {
		return nil, fmt.Errorf("%s without the number of a token", name)
	}
	return []int{id}, nil
}

// template takes the tokens that stand around a single text.
func template(text json.RawMessage) (before, behind []int, err error) {
	type named struct {
		ID   string
		Type int `json:"type_id"`
	}
	var p struct {
		Type    string
		Single  []struct{ SpecialToken, Sequence *named }
		Pair    json.RawMessage // of two texts
		Special map[string]struct {
			ID     string
			IDs    []int
			Tokens []string
		} `json:"special_tokens"`
	}
	if err := decode("TemplateProcessing", text, &p); err != nil {
		return nil, nil, err
	}
	to, places := &before, 0
	for _, piece := range p.Single {
		switch s, token := piece.Sequence, piece.SpecialToken; {
		case s != nil && s.ID == "A" && s.Type == 0:
			to = &behind
			places++
		case token == nil:
			return nil, nil, errors.New("the post_processor TemplateProcessing has another text than $A with the type 0: make the vectors by a command")
		default:
			special, known := p.Special[token.ID]
			if !known {
				return nil, nil, fmt.Errorf("the post_processor TemplateProcessing names the token %q and not its number", token.ID)
			}
			if token.Type != 0 {
				return nil, nil, fmt.Errorf("the post_processor TemplateProcessing gives the token %q the type %d, and 0 is known: make the vectors by a command", token.ID, token.Type)
			}
			if len(special.IDs) > 0 && slices.Min(special.IDs) < 0 {
				return nil, nil, fmt.Errorf("the post_processor TemplateProcessing gives the token %q the number %d: numbers begin at 0", token.ID, slices.Min(special.IDs))
			}
			*to = append(*to, special.IDs...)
		}
	}
	if places != 1 {
		return nil, nil, fmt.Errorf("the post_processor TemplateProcessing has %d places for the text, and not one: make the vectors by a command", places)
	}
	return before, behind, nil
}
