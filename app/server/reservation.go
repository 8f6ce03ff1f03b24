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

	"lapsvm/dataset"
	"lapsvm/internal/system/fault"
	"lapsvm/internal/system/size"
)

// reservation is what a request holds of the server. Bytes are those of its body, of what is read and
// computed, and at last of its answer. A place is one of those for requests that are computed.
// Who is slow to send, or to read, holds no place.
type reservation struct {
	s     *Server
	bytes int64
	place bool
}

// body reads the body of a request, whole, refuses an empty one, and takes a place. What is held is given back by
// free, in any case.
func (s *Server) body(w http.ResponseWriter, r *http.Request) (body []byte, h *reservation, err error) {
	const least = 512 // bytes that a body has room for
	h = &reservation{s: s}
	if r.ContentLength > s.Limits.Body {
		return nil, h, &http.MaxBytesError{Limit: s.Limits.Body}
	}
	announced := max(r.ContentLength, 0)
	if err := h.take(announced); err != nil {
		return nil, h, err
	}
	in, packed, err := s.unpacked(w, r, h)
	if err != nil {
		return nil, h, err
	}
	for {
		if len(body) == cap(body) {
			room := min(2*cap(body), int(s.Limits.Body)) + least
			switch {
			case body == nil:
				room = int(min(announced, 1<<20)) + least
			case announced > 0 && packed == 0: // most has come
				room = int(announced) + least
			}
			if err := h.only(max(announced, int64(cap(body)+room)) + packed); err != nil {
				return nil, h, err
			}
			body = append(make([]byte, 0, room), body...)
			if err := h.only(max(announced, int64(room)) + packed); err != nil {
				return nil, h, err
			}
		}
		n, err := in.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, h, unread(r.Context(), err)
		}
	}
	if len(body) == 0 {
		return nil, h, bad("the body is empty: send a picture or rows, as GET /v2/models/NAME describes them")
	}
	if err := h.only(int64(cap(body))); err != nil {
		return nil, h, err
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

// unpacked returns the body of a request, of which the limit is as it comes and as it is
// unpacked, and how many bytes are held to unpack it.
func (s *Server) unpacked(w http.ResponseWriter, r *http.Request, h *reservation) (_ io.Reader, overhead int64, err error) {
	const unpacking = 48 << 10
	in := http.MaxBytesReader(w, r.Body, s.Limits.Body)
	switch encoding := r.Header.Get("Content-Encoding"); strings.ToLower(encoding) {
	case "", "identity":
		return in, 0, nil
	case "gzip", "x-gzip":
		if err := h.take(unpacking); err != nil {
			return nil, 0, err
		}
		text, err := gzip.NewReader(in)
		if err != nil {
			return nil, 0, unread(r.Context(), err)
		}
		return http.MaxBytesReader(nil, text, s.Limits.Body), unpacking, nil
	default:
		w.Header().Set("Accept-Encoding", "gzip")
		return nil, 0, problemf(http.StatusUnsupportedMediaType, "the Content-Encoding is %s: send the body as it is, or with gzip", shown([]byte(encoding)))
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
		return bad("the Content-Encoding is gzip, but the body is not (%v): compress it again, or send it as it is", err)
	}
	return bad("the body ended before its end: %v", err)
}

// take takes so many more bytes, or gives back less than nothing. It fails where there is no
// memory for them, for all requests together.
func (h *reservation) take(bytes int64) error {
	if limit := h.s.Limits.Memory; bytes > 0 {
		if bytes > limit-h.bytes {
			return &problem{status: http.StatusRequestEntityTooLarge, says: fault.Memory.Errorf("the request needs more than the %s of memory for all requests: send fewer rows at a time", size.Text(limit))}
		}
		if h.s.memory.Add(bytes) > limit {
			h.s.memory.Add(-bytes)
			return &problem{status: http.StatusTooManyRequests, says: fault.Memory.Errorf("other requests and their answers use the %s of memory for all requests: try again in a moment", size.Text(limit))}
		}
	} else {
		h.s.memory.Add(bytes)
	}
	h.bytes += bytes
	return nil
}

// only is take for what is held to be so many bytes.
func (h *reservation) only(bytes int64) error { return h.take(bytes - h.bytes) }

// budget is what reading rows may take, as long as somebody waits for them.
func (h *reservation) budget(ctx context.Context) *dataset.Memory {
	return dataset.SharedMemory(h.s.Limits.Memory, func(bytes int64) error {
		if err := ctx.Err(); err != nil && bytes > 0 {
			return err
		}
		return h.take(bytes)
	})
}

// check bounds the rows that a request has, as they are read, and ends the reading when its time
// is over.
func (s *Server) check(ctx context.Context) func(rows int) error {
	return func(rows int) error {
		if rows > s.Limits.Rows {
			return problemf(http.StatusRequestEntityTooLarge, "the request has more than %d rows: send it in parts", s.Limits.Rows)
		}
		return ctx.Err()
	}
}

// send sends an answer. Its bytes are held in place of those of the request until they are
// read, and the place is free for others.
func (h *reservation) send(w http.ResponseWriter, media string, answer []byte) {
	size := int64(len(answer))
	h.s.memory.Add(size - h.bytes)
	h.bytes = size
	h.leave()
	w.Header().Set("Content-Type", media)
	w.Header().Set("Content-Length", strconv.Itoa(len(answer)))
	_, _ = w.Write(answer)
}

// leave gives the place back.
func (h *reservation) leave() {
	if h.place {
		h.place = false
		h.s.metrics.inFlight.Dec()
		<-h.s.places
	}
}

// free gives back all that is held.
func (h *reservation) free() {
	h.leave()
	h.s.memory.Add(-h.bytes)
	h.bytes = 0
}
