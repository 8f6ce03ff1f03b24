package server

import (
	"context"
	"crypto/subtle"
	"errors"
	"io"
	"log/slog"
	"math"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"lapsvm/app/hostname"
)

// policy lets the page load from this server, and from nowhere else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// secured gives all answers of a handler, redirections too, the headers that browsers heed.
func secured(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}

// guarded answers on a route: it checks access, limits the time of the request, turns errors
// into problems, counts, and logs.
func (s *Server) guarded(route *route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begun := time.Now()
		sent := &sent{ResponseWriter: w, status: http.StatusOK}
		err := s.answer(sent, r, route)
		late := err != nil && sent.begun // to say so
		if err != nil && !late {
			p := asProblem(err)
			refuse(sent, p)
			sent.status = p.status
		}
		elapsed := time.Since(begun)
		s.metrics.answered(route.id, sent.status, elapsed)
		s.logRequest(r, route, sent.status, elapsed, err)
		if late {
			panic(http.ErrAbortHandler)
		}
	})
}

// answer calls the handler of a route for an admitted request; a panic becomes an error.
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
	// The request itself keeps its body: by that net/http knows a sender who asks before it sends.
	asked, body := r.WithContext(ctx), &begun{ReadCloser: r.Body}
	asked.Body = body
	if err = route.checkQuery(r.URL); err == nil {
		err = route.handle(s, w, asked)
	}
	if err != nil {
		s.passOver(r, body)
	}
	return err
}

// passedOver is how many bytes of a body are read of a request that is refused, in bodies of the largest size.
const passedOver = 4

// passOver reads the rest of the body of a request that is refused: many clients send all of it before they read why. It reads no more than
// some bodies of the largest size, and nothing that its sender asks about first.
func (s *Server) passOver(r *http.Request, body *begun) {
	if !body.is && strings.EqualFold(r.Header.Get("Expect"), "100-continue") {
		return
	}
	_, _ = io.CopyN(io.Discard, body, passedOver*min(s.Limits.Body, math.MaxInt64/passedOver))
}

// begun is a body that tells whether its reading has begun.
type begun struct {
	io.ReadCloser
	is bool
}

func (b *begun) Read(p []byte) (int, error) {
	b.is = true
	return b.ReadCloser.Read(p)
}

// admit refuses requests without the token. A server without a token refuses requests from the
// pages of other sites. On the loopback it also accepts only names of this machine, because a
// page elsewhere could make a browser ask here by a name of its own.
func (s *Server) admit(r *http.Request, route *route) error {
	if s.Token != "" {
		if route.open {
			return nil
		}
		scheme, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		if !strings.EqualFold(scheme, "Bearer") || subtle.ConstantTimeCompare([]byte(given), []byte(s.Token)) != 1 {
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

// sent records the status of an answer and whether it has begun.
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
func (s *Server) logRequest(r *http.Request, route *route, status int, elapsed time.Duration, err error) {
	level := slog.LevelDebug
	switch {
	case status == http.StatusInternalServerError, err != nil && status == http.StatusOK:
		level = slog.LevelError
	case status >= 400:
		level = slog.LevelWarn
	}
	if !s.Log.Enabled(r.Context(), level) {
		return
	}
	const longest = 200 // bytes of an address
	fields := []any{"method", cut(r.Method, longest), "path", cut(r.URL.Path, longest), "route", route.id, "status", status, "seconds", elapsed.Seconds(), "bytes", r.ContentLength, "from", r.RemoteAddr}
	if p := (*problem)(nil); errors.As(err, &p) && p.cause != nil {
		err = p.cause
	}
	if err != nil {
		fields = append(fields, "error", err.Error())
	}
	s.Log.Log(r.Context(), level, "request", fields...)
}
