package labelpage

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"net/http"
	"strings"

	"lapsvm/app/hostname"
)

// policy lets the page load from this server, and from nowhere else.
const policy = "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// guard admits requests with the token from this server's own page.
//
// The page has the token from the address that people open, and sends it in a header. It is in
// no cookie, because browsers send cookies to every port of a host and so to any other server
// of this machine. The page itself and its files hold nothing of the data and are given to
// anyone.
//
// Host must be an address, localhost or one of Hosts. A name given to this address by somebody
// else is refused, so no other page can make a browser ask here by its own name. Requests that
// change anything also need an Origin equal to this Host.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		if !hostname.Ours(r.Host, s.Hosts...) {
			refuse(w, http.StatusForbidden, "this server is not called by that name: open the address that lapsvm label printed")
			return
		}
		if !s.allowed(r) {
			refuse(w, http.StatusForbidden, "the token is missing or from another time: open the address that lapsvm label printed, with its token")
			return
		}
		if site := r.Header.Get("Sec-Fetch-Site"); r.URL.Path != "/" && (site == "cross-site" || site == "same-site") {
			refuse(w, http.StatusForbidden, "another page asks in this one's name")
			return
		}
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			if origin := r.Header.Get("Origin"); origin != "http://"+r.Host {
				refuse(w, http.StatusForbidden, "another page asks in this one's name")
				return
			}
		}
		r.Body = http.MaxBytesReader(w, r.Body, bodyBytes)
		next.ServeHTTP(w, r)
	})
}

// allowed reports whether a request is allowed. The page needs no token, but a wrong token is
// refused. Its files are free, and a picture needs the address made by signed. Everything else
// needs the token.
func (s *Server) allowed(r *http.Request) bool {
	path, query := r.URL.Path, r.URL.Query()
	switch {
	case path == "/":
		return !query.Has("token") || equal(query.Get("token"), s.token)
	case strings.HasPrefix(path, "/assets/"):
		return true
	case strings.HasPrefix(path, "/api/image/") && r.Method == http.MethodGet && equal(query.Get("key"), s.keyOf(path)):
		return true
	}
	token, is := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	return is && equal(token, s.token)
}

// signed returns the address of a picture with a key that opens this one alone: an image on a
// page is asked for without headers.
func (s *Server) signed(path string) string { return path + "?key=" + s.keyOf(path) }

// keyOf is HMAC-SHA256 of a path under the token, in hexadecimal digits. Source: RFC 2104.
func (s *Server) keyOf(path string) string {
	h := hmac.New(sha256.New, []byte(s.token))
	h.Write([]byte(path))
	return hex.EncodeToString(h.Sum(nil))
}

func equal(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }
