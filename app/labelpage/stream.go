package labelpage

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// changes wakes all waiting requests when something changed.
type changes struct {
	mu    sync.Mutex
	next  chan struct{} // closed at the next change; nil until somebody waits
	ended bool
}

// wait returns a channel that is closed at the next change; ok is false at the end.
func (c *changes) wait() (next <-chan struct{}, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.next == nil {
		c.next = make(chan struct{})
	}
	return c.next, !c.ended
}

func (c *changes) tell() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.next != nil && !c.ended {
		close(c.next)
		c.next = nil
	}
}

func (c *changes) end() {
	c.tell()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended = true
	if c.next == nil {
		c.next = make(chan struct{})
	}
	close(c.next)
}

const (
	streamPause = 50 * time.Millisecond // between two messages at least
	streamAlive = 15 * time.Second      // between signs of life
)

// getStream sends changes as they occur: GET /api/stream, server-sent events "state" with
// {"version":V, "model":{…}, "points":N, "warnings":[…]} as in GET /api/state, with all rows there
// ever were. The first is sent at once.
func (s *Server) getStream(w http.ResponseWriter, r *http.Request) {
	out := http.NewResponseController(w)
	_ = out.SetReadDeadline(time.Time{}) // it stays open
	w.Header().Set("Content-Type", "text/event-stream")
	last := ""
	for {
		next, ok := s.changes.wait()
		if !ok {
			return
		}
		data, err := json.Marshal(map[string]any{"version": s.version(), "model": s.modelState(), "points": s.content().Len(), "warnings": *s.notices.Load()})
		if err != nil {
			return
		}
		if text := string(data); text != last {
			last = text
			if _, err := fmt.Fprintf(w, "event: state\ndata: %s\n\n", data); err != nil {
				return
			}
		} else if _, err := fmt.Fprint(w, ": alive\n\n"); err != nil {
			return
		}
		if out.Flush() != nil {
			return
		}
		select {
		case <-time.After(streamPause):
		case <-r.Context().Done():
			return
		}
		select {
		case <-next:
		case <-time.After(streamAlive):
		case <-r.Context().Done():
			return
		}
	}
}
