package server

import (
	"context"
	"crypto/subtle"
	"errors"
	"io"
	"net"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"lapsvm/internal/hostname"
)

// policy lets the page have what this server gives, and nothing else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// guarded answers on a route: it checks who asks, gives the request its time, turns errors
// into problems, counts, and logs.
func (s *Server) guarded(route *route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begun := time.Now()
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		sent := &sent{ResponseWriter: w, status: http.StatusOK}
		err := s.answer(sent, r, route)
		if p := (*problem)(nil); err != nil {
			p = asProblem(err)
			if sent.begun { // it is too late to say so
				panic(http.ErrAbortHandler)
			}
			refuse(sent, p)
			sent.status = p.status
		}
		took := time.Since(begun)
		s.metrics.answered(route.id, sent.status, took)
		s.logRequest(r, route, sent.status, took, err)
	})
}

// answer calls the handler of a route, if who asks may; a panic is an error.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, route *route) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &panicked{v, debug.Stack()}
		}
	}()
	if err := s.admit(r, route); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(r.Context(), s.Limits.Time)
	defer cancel()
	return route.handle(s, w, r.WithContext(ctx))
}

// admit refuses who has not the token. A server of the loopback without a token is asked by
// the names of this machine alone: a page elsewhere could have a browser ask here by a name of
// its own; and not by the pages of others.
func (s *Server) admit(r *http.Request, route *route) error {
	if s.Token != "" {
		if route.open {
			return nil
		}
		given, is := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if !is || subtle.ConstantTimeCompare([]byte(given), []byte(s.Token)) != 1 {
			return problemf(http.StatusUnauthorized, "the token is missing or wrong: send the header Authorization: Bearer TOKEN")
		}
		return nil
	}
	if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" || site == "same-site" {
		return problemf(http.StatusForbidden, "another page asks in this server's name")
	}
	if s.loopback && !hostname.Ours(r.Host, s.Host) {
		return problemf(http.StatusForbidden, "this server is not called by that name: ask by its address, or give it a token")
	}
	return nil
}

// sent watches what an answer says.
type sent struct {
	http.ResponseWriter
	status int
	begun  bool
}

func (w *sent) WriteHeader(status int) {
	w.status, w.begun = status, true
	w.ResponseWriter.WriteHeader(status)
}

func (w *sent) Write(b []byte) (int, error) {
	w.begun = true
	return w.ResponseWriter.Write(b)
}

func (w *sent) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// logRequest writes a line for a request: failures of the server with their reason.
func (s *Server) logRequest(r *http.Request, route *route, status int, took time.Duration, err error) {
	fields := []any{"method", r.Method, "path", r.URL.Path, "route", route.id, "status", status, "seconds", took.Seconds(), "bytes", r.ContentLength, "from", r.RemoteAddr}
	if err != nil {
		fields = append(fields, "error", err.Error())
	}
	switch {
	case status == http.StatusInternalServerError:
		s.Log.Error("request", fields...)
	case status >= 400:
		s.Log.Warn("request", fields...)
	default:
		s.Log.Debug("request", fields...)
	}
}

// body reads the body of a request, whole, and takes one of the places for requests that
// are computed. Whoever is slow to send holds no place. done gives back what was taken, and
// must be called in any case.
func (s *Server) body(w http.ResponseWriter, r *http.Request) (body []byte, done func(), err error) {
	held := &held{s: s}
	if r.ContentLength > s.Limits.Body {
		return nil, held.free, &http.MaxBytesError{Limit: s.Limits.Body}
	}
	if encoding := r.Header.Get("Content-Encoding"); encoding != "" && encoding != "identity" {
		return nil, held.free, problemf(http.StatusUnsupportedMediaType, "the Content-Encoding is %s: send the body as it is", shown([]byte(encoding)))
	}
	if err := held.take(max(r.ContentLength, 0)); err != nil {
		return nil, held.free, err
	}
	in := http.MaxBytesReader(w, r.Body, s.Limits.Body)
	body = make([]byte, 0, min(max(r.ContentLength, 0), 1<<20)+512)
	for {
		if len(body) == cap(body) {
			body = append(body, 0)[:len(body)]
		}
		n, err := in.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, held.free, unread(r.Context(), err)
		}
		if err := held.take(int64(len(body)) - held.bytes); err != nil {
			return nil, held.free, err
		}
	}
	select {
	case s.places <- struct{}{}:
		held.place = true
		s.metrics.inFlight.Inc()
		return body, held.free, nil
	default:
		return nil, held.free, problemf(http.StatusTooManyRequests, "%d requests are computed already: try again in a moment", cap(s.places))
	}
}

// unread says why a body could not be read.
func unread(ctx context.Context, err error) error {
	var large *http.MaxBytesError
	var slow net.Error
	switch {
	case errors.As(err, &large):
		return err
	case errors.As(err, &slow) && slow.Timeout():
		return problemf(http.StatusRequestTimeout, "the body did not come in time: send it faster, or fewer rows at a time")
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return bad("the body ended before its end: %v", err)
}

// held is what a request holds of the server.
type held struct {
	s     *Server
	bytes int64
	place bool
}

// take takes room for so many more bytes of bodies.
func (h *held) take(bytes int64) error {
	if bytes <= 0 {
		return nil
	}
	h.bytes += bytes
	if h.s.bodies.Add(bytes) > h.s.Limits.Bodies {
		return problemf(http.StatusTooManyRequests, "the bodies of other requests take all of the %d bytes there are for them: try again in a moment", h.s.Limits.Bodies)
	}
	return nil
}

func (h *held) free() {
	h.s.bodies.Add(-h.bytes)
	h.bytes = 0
	if h.place {
		h.place = false
		h.s.metrics.inFlight.Dec()
		<-h.s.places
	}
}
