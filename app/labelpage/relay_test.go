package labelpage_test

import (
	"net"
	"sync"
	"testing"
)

// relay passes connections on to a server, unless it is cut.
type relay struct {
	t       *testing.T
	address string
	mu      sync.Mutex
	to      string
	cutOff  bool
	open    map[net.Conn]bool
}

func newRelay(t *testing.T) *relay {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &relay{t: t, address: l.Addr().String(), open: make(map[net.Conn]bool)}
	t.Cleanup(func() {
		l.Close()
		r.cut()
	})
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go r.pass(c)
		}
	}()
	return r
}

func (r *relay) lead(to string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.to, r.cutOff = to, false
}

// cut ends all connections and refuses new ones; join accepts connections again.
func (r *relay) cut() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cutOff = true
	for c := range r.open {
		c.Close()
	}
}

func (r *relay) join() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cutOff = false
}

func (r *relay) pass(c net.Conn) {
	defer c.Close()
	r.mu.Lock()
	to, cutOff := r.to, r.cutOff
	r.mu.Unlock()
	if cutOff {
		return
	}
	server, err := net.Dial("tcp", to)
	if err != nil {
		return
	}
	defer server.Close()
	r.mu.Lock()
	if r.cutOff {
		r.mu.Unlock()
		return
	}
	r.open[c], r.open[server] = true, true
	r.mu.Unlock()
	done := make(chan struct{}, 2)
	for _, pair := range [][2]net.Conn{{c, server}, {server, c}} {
		go func() {
			var text [32 << 10]byte
			for {
				n, err := pair[0].Read(text[:])
				if _, failed := pair[1].Write(text[:n]); err != nil || failed != nil {
					break
				}
			}
			done <- struct{}{}
		}()
	}
	<-done
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.open, c)
	delete(r.open, server)
}
