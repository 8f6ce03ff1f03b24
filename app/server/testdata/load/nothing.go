// Nothing answers every request at the address that it is given with 388 bytes, as many as
// lapsvm serve answers one row in binary with, once it has read the body: what net/http, the
// network and the generator of load take by themselves.
package main

import (
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
)

func main() {
	answer := make([]byte, 388)
	log.Fatal(http.ListenAndServe(os.Args[1], http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.ReadFull(r.Body, make([]byte, r.ContentLength)); err != nil {
			return // broken off
		}
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Content-Length", strconv.Itoa(len(answer)))
		_, _ = w.Write(answer)
	})))
}
