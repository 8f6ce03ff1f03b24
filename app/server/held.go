package server

import (
	"compress/flate"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
)

// held is what a request holds of the server: bytes, of its body and then of its answer, and
// one of the places for requests that are computed. Who is slow to send, or to read, holds
// no place.
type held struct {
	s     *Server
	bytes int64
	place bool
}

// body reads the body of a request, whole, and takes a place. What is held is given back by
// free, in any case.
func (s *Server) body(w http.ResponseWriter, r *http.Request) (body []byte, h *held, err error) {
	h = &held{s: s}
	if r.ContentLength > s.Limits.Body {
		return nil, h, &http.MaxBytesError{Limit: s.Limits.Body}
	}
	if err := h.take(max(r.ContentLength, 0)); err != nil {
		return nil, h, err
	}
	in, err := s.unpacked(w, r)
	if err != nil {
		return nil, h, err
	}
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
			return nil, h, unread(r.Context(), err)
		}
		if err := h.take(int64(len(body)) - h.bytes); err != nil {
			return nil, h, err
		}
	}
	select {
	case s.places <- struct{}{}:
		h.place = true
		s.metrics.inFlight.Inc()
		return body, h, nil
	default:
		return nil, h, problemf(http.StatusTooManyRequests, "%d requests are computed already: try again in a moment", cap(s.places))
	}
}

// unpacked returns the body of a request, of which the limit is as it comes and as it is unpacked.
func (s *Server) unpacked(w http.ResponseWriter, r *http.Request) (io.Reader, error) {
	in := http.MaxBytesReader(w, r.Body, s.Limits.Body)
	switch encoding := r.Header.Get("Content-Encoding"); strings.ToLower(encoding) {
	case "", "identity":
		return in, nil
	case "gzip", "x-gzip":
		text, err := gzip.NewReader(in)
		if err != nil {
			return nil, unread(r.Context(), err)
		}
		return http.MaxBytesReader(nil, text, s.Limits.Body), nil
	default:
		w.Header().Set("Accept-Encoding", "gzip")
		return nil, problemf(http.StatusUnsupportedMediaType, "the Content-Encoding is %s: send the body as it is, or with gzip", shown([]byte(encoding)))
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
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.As(err, new(flate.CorruptInputError)):
		return bad("the Content-Encoding is gzip, which the body is not (%v): pack it anew, or send it as it is", err)
	}
	return bad("the body ended before its end: %v", err)
}

// take takes room for so many more bytes of a body.
func (h *held) take(bytes int64) error {
	if bytes <= 0 {
		return nil
	}
	h.bytes += bytes
	if h.s.bodies.Add(bytes) > h.s.Limits.Bodies {
		return problemf(http.StatusTooManyRequests, "other requests and their answers take all of the %d bytes there are for them: try again in a moment", h.s.Limits.Bodies)
	}
	return nil
}

// send sends an answer. Its bytes are held in place of those of the body until they are
// read, and the place is free for others.
func (h *held) send(w http.ResponseWriter, media string, answer []byte) {
	size := int64(len(answer))
	h.s.bodies.Add(size - h.bytes)
	h.bytes = size
	h.leave()
	w.Header().Set("Content-Type", media)
	w.Header().Set("Content-Length", strconv.Itoa(len(answer)))
	_, _ = w.Write(answer)
}

// leave gives the place back.
func (h *held) leave() {
	if h.place {
		h.place = false
		h.s.metrics.inFlight.Dec()
		<-h.s.places
	}
}

// free gives back all that is held.
func (h *held) free() {
	h.leave()
	h.s.bodies.Add(-h.bytes)
	h.bytes = 0
}
