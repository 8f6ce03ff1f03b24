package fault

import (
	"encoding/json"
	"fmt"
	"reflect"
)

// MarshalJSON writes a message for [Message.UnmarshalJSON], without its cause.
func (m Message) MarshalJSON() ([]byte, error) { return json.Marshal(encodeMessage(m)) }

// UnmarshalJSON reads a message.
func (m *Message) UnmarshalJSON(text []byte) error {
	var sent sentMessage
	err := json.Unmarshal(text, &sent)
	*m = sent.message()
	return err
}

// sentMessage is a message in the form sent to other ranks. It keeps its options where its
// arguments are of kinds that can be sent, as all arguments of package dataset are.
type sentMessage struct {
	Name   Name
	Text   string
	Format string
	Args   []sentArg
}

// sentArg is an argument of a message. One of the fields is set.
type sentArg struct {
	Text    *string
	Int     *int
	Float   *float64
	List    []string
	Option  string // its name, and its value in the other fields
	In      string // of an option
	Message *sentMessage
}

func encodeMessage(m Message) sentMessage {
	t := sentMessage{Name: m.name, Text: m.text, Format: m.format}
	for _, arg := range m.args {
		sent, ok := encodeArg(arg)
		if !ok {
			return sentMessage{Name: m.name, Text: m.text}
		}
		t.Args = append(t.Args, sent)
	}
	return t
}

func encodeArg(arg any) (t sentArg, ok bool) {
	switch x := arg.(type) {
	case nil:
		return t, true
	case Message:
		inner := encodeMessage(x)
		t.Message = &inner
		return t, true
	case Option:
		t, ok = encodeArg(x.Value)
		t.In, t.Option = x.In, x.Name
		return t, ok
	case []string:
		t.List = x
		return t, true
	case error:
		text := x.Error()
		t.Text = &text
		return t, true
	case fmt.Stringer:
		text := x.String()
		t.Text = &text
		return t, true
	}
	switch v := reflect.ValueOf(arg); v.Kind() {
	case reflect.String:
		text := v.String()
		t.Text = &text
	case reflect.Int, reflect.Int32, reflect.Int64:
		n := int(v.Int())
		t.Int = &n
	case reflect.Float64:
		x := v.Float()
		t.Float = &x
	default:
		return t, false
	}
	return t, true
}

func (t sentMessage) message() Message {
	m := Message{name: t.Name, text: t.Text, format: t.Format}
	for _, arg := range t.Args {
		m.args = append(m.args, arg.value())
	}
	return m
}

func (t sentArg) value() any {
	if t.Option != "" {
		o := Option{In: t.In, Name: t.Option}
		t.Option = ""
		o.Value = t.value()
		return o
	}
	switch {
	case t.Message != nil:
		return t.Message.message()
	case t.Text != nil:
		return *t.Text
	case t.Int != nil:
		return *t.Int
	case t.Float != nil:
		return *t.Float
	case t.List != nil:
		return t.List
	}
	return nil
}
