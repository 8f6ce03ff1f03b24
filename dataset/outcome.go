package dataset

import (
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
)

// outcome is how reading went on a rank, as others are told.
type outcome struct {
	Rows     int
	Failed   bool
	Sentinel int `json:"Known"` // 1 + which of the sentinels it is

	Data      bool // it is an Error of this place and cause
	File      string
	Line, Col int
	Cause     string
	Msg       sentMessage
}

// The causes of errors that are sent.
const (
	memoryCause  = "memory"
	missingCause = "missing"
	otherCause   = "other"
)

func newOutcome(rows int, err error, sentinels []error) outcome {
	o := outcome{Rows: rows, Failed: err != nil, Sentinel: 1 + slices.Index(sentinels, err)}
	var data *Error
	var message Message
	switch {
	case err == nil || o.Sentinel > 0:
	case errors.As(err, &data):
		o.Data, o.File, o.Line, o.Col, o.Msg = true, data.File, data.Line, data.Col, encodeMessage(data.Msg)
		switch {
		case data.Err == nil:
		case errors.Is(err, ErrMemory):
			o.Cause = memoryCause
		case errors.Is(err, fs.ErrNotExist):
			o.Cause = missingCause
		default:
			o.Cause = otherCause
		}
	case errors.As(err, &message):
		o.Msg = encodeMessage(message)
	default:
		o.Msg = encodeMessage(Messagef("%s", err))
	}
	return o
}

// err returns the error of another rank.
func (o outcome) err(sentinels []error) error {
	if o.Sentinel > 0 {
		return sentinels[o.Sentinel-1]
	}
	if !o.Data {
		return o.Msg.message()
	}
	e := &Error{File: o.File, Line: o.Line, Col: o.Col, Msg: o.Msg.message()}
	switch o.Cause {
	case memoryCause:
		e.Err = ErrMemory
	case missingCause:
		e.Err = fs.ErrNotExist
	case otherCause:
		e.Err = e.Msg
	}
	return e
}

// sentMessage is a message in the form sent to other ranks. It keeps its options where its
// arguments are of kinds that can be sent, as all arguments of this package are.
type sentMessage struct {
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
	Message *sentMessage
}

func encodeMessage(m Message) sentMessage {
	t := sentMessage{Text: m.text, Format: m.format}
	for _, arg := range m.args {
		sent, ok := encodeArg(arg)
		if !ok {
			return sentMessage{Text: m.text}
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
		t.Option = x.Name
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
	m := Message{text: t.Text, format: t.Format}
	for _, arg := range t.Args {
		m.args = append(m.args, arg.value())
	}
	return m
}

func (t sentArg) value() any {
	if t.Option != "" {
		name := t.Option
		t.Option = ""
		return Option{Name: name, Value: t.value()}
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
