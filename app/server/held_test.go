package server

import (
	"net/http"
	"testing"
)

// A request that is refused for want of memory holds no more than before. What others give back is
// there for it again.
func TestMemoryOfRequests(t *testing.T) {
	const limit = 1000
	s := New(Config{Limits: Limits{Memory: limit}})
	refused := func(err error, status int) bool {
		p, is := err.(*problem)
		return is && p.status == status
	}
	one, other := &reservation{s: s}, &reservation{s: s}
	if err := one.take(700); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := other.take(301); !refused(err, http.StatusTooManyRequests) || other.bytes != 0 || s.memory.Load() != 700 {
			t.Fatalf("%v; it holds %d bytes, all requests %d", err, other.bytes, s.memory.Load())
		}
	}
	if err := one.take(limit - 699); !refused(err, http.StatusRequestEntityTooLarge) || s.memory.Load() != 700 {
		t.Errorf("%v; all requests hold %d bytes", err, s.memory.Load())
	}
	if err := other.take(300); err != nil {
		t.Error(err)
	}
	one.free()
	if err := other.only(limit); err != nil || s.memory.Load() != limit {
		t.Errorf("%v; all requests hold %d bytes", err, s.memory.Load())
	}
	other.free()
	if s.memory.Load() != 0 {
		t.Errorf("%d bytes are held by nobody", s.memory.Load())
	}
}
