package dataset

import (
	"errors"
	"io/fs"
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
	Msg       Message
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
		o.Data, o.File, o.Line, o.Col, o.Msg = true, data.File, data.Line, data.Col, data.Msg
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
		o.Msg = message
	default:
		o.Msg = Messagef("%s", err)
	}
	return o
}

// err returns the error of another rank.
func (o outcome) err(sentinels []error) error {
	if o.Sentinel > 0 {
		return sentinels[o.Sentinel-1]
	}
	if !o.Data {
		return o.Msg
	}
	e := &Error{File: o.File, Line: o.Line, Col: o.Col, Msg: o.Msg}
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
