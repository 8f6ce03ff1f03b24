package use

import (
	"math"
	"strings"
	"testing"
	"time"
)

// Limits of any size are either accepted as they are or refused in words.
func TestLimitsOfServe(t *testing.T) {
	usual := serveRequest{address: "127.0.0.1:0", maxBody: "64MB", maxRows: 1, concurrency: 1, batch: 1, timeout: time.Second, drain: time.Second}
	for name, c := range map[string]struct {
		change func(*serveRequest)
		words  string
	}{
		"usual":     {func(*serveRequest) {}, ""},
		"rows":      {func(r *serveRequest) { r.maxRows = math.MaxInt }, ""},
		"batch":     {func(r *serveRequest) { r.batch = math.MaxInt }, ""},
		"body":      {func(r *serveRequest) { r.maxBody = "1000000TB" }, ""},
		"no body":   {func(r *serveRequest) { r.maxBody = "1e30TB" }, "--max-body takes a size"},
		"memory":    {func(r *serveRequest) { r.memory = "1TB" }, ""},
		"no memory": {func(r *serveRequest) { r.memory = "much" }, "--memory takes a size"},
		"timeout":   {func(r *serveRequest) { r.timeout = math.MaxInt64 }, "24h at most"},
		"drain":     {func(r *serveRequest) { r.drain = 25 * time.Hour }, "24h at most"},
	} {
		r := usual
		c.change(&r)
		limits, err := r.check()
		if c.words == "" && (err != nil || limits.Body <= 0 || limits.Memory <= 0) || c.words != "" && (err == nil || !strings.Contains(err.Error(), c.words)) {
			t.Errorf("%s: %+v %v", name, limits, err)
		}
	}
}

// A token is read no further than a token goes.
func TestEndlessToken(t *testing.T) {
	if _, err := readToken(t.Context(), "/dev/zero"); err == nil {
		t.Error("zeros are a token")
	}
}
