package server

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// Who sends a whole body before reading the answer, as many clients do, sees why it is refused: with a length, in chunks, and by an address that is not there.
func TestRefusedBodiesAreRead(t *testing.T) {
	s := serve(t, theTwo(t), func(c *Config) { c.Limits.Body = 1 << 20 })
	const size = 4 << 20
	for path, want := range map[string]int{"/v2/models/moons/predict": 413, "/v2/models/none/predict": 404, "/v2/models/moons/predict?nothing=1": 400} {
		for _, chunked := range []bool{false, true} {
			c, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			head, part := fmt.Sprintf("Content-Length: %d", size), strings.Repeat("1,2\n", 16<<10)
			if chunked {
				head, part = "Transfer-Encoding: chunked", fmt.Sprintf("%x\r\n%s\r\n", len(part), part)
			}
			fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/csv\r\n%s\r\n\r\n", path, head)
			for range size >> 16 {
				if _, err := io.WriteString(c, part); err != nil {
					t.Fatalf("%s, chunked %v: %v", path, chunked, err)
				}
			}
			if chunked {
				fmt.Fprint(c, "0\r\n\r\n")
			}
			answer, err := http.ReadResponse(bufio.NewReader(c), nil)
			if err != nil || answer.StatusCode != want {
				t.Fatalf("%s, chunked %v: %v, %v", path, chunked, answer, err)
			}
			_ = c.Close()
		}
	}
}

// Who asks before sending a body sees why it is refused without sending it.
func TestRefusedBeforeTheBody(t *testing.T) {
	s := serve(t, theTwo(t), nil)
	c, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(c, "POST /v2/models/none/predict HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/csv\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\n")
	if answer, err := http.ReadResponse(bufio.NewReader(c), nil); err != nil || answer.StatusCode != http.StatusNotFound {
		t.Errorf("%v, %v", answer, err)
	}
}
