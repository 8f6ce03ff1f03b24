package labelpage

import (
	"crypto/subtle"
	"net"
	"net/http"

	"lapsvm/app/hostname"
)

// policy lets the page have what this server gives, and nothing else.
const policy = "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// guard lets through who has the token and asks from this server's own page.
//
// Host must be an address, localhost or one of Hosts: a name that somebody else gave to
// this address is not, so no other page can have a browser ask here by a name of its
// own. What changes something needs an Origin that is this Host.
func (s *Server) guard(at net.Addr, next http.Handler) http.Handler {
	_, port, _ := net.SplitHostPort(at.String())
	cookie := "lapsvm-label-" + port // cookies are shared by all ports of a host
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
		if given := r.URL.Query().Get("token"); r.URL.Path == "/" && given != "" && equal(given, s.token) {
			http.SetCookie(w, &http.Cookie{Name: cookie, Value: s.token, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
			// By a page and not by a redirection: a link from elsewhere would lose the cookie on its way.
			h.Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write([]byte(`<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=/"><link rel="icon" href="/assets/mark.svg"><title>Labelling</title><a href="/">On to the page</a></html>`))
			return
		}
		c, err := r.Cookie(cookie)
		if err != nil || !equal(c.Value, s.token) {
			refuse(w, http.StatusForbidden, "the token is missing or from another time: open the address that lapsvm label printed, with its token")
			return
		}
		if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" || site == "same-site" {
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

func equal(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }
