package server

import (
	"embed"
	"io/fs"
	"net/http"
	"path"
)

//go:embed web
var web embed.FS

// page gives the page, which is the same for all and names no model.
func (s *Server) page(w http.ResponseWriter, r *http.Request) error { return file(w, "page.html") }

// asset gives a file that the page needs.
func (s *Server) asset(w http.ResponseWriter, r *http.Request) error {
	return file(w, r.PathValue("file"))
}

func file(w http.ResponseWriter, name string) error {
	kind := map[string]string{".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8"}[path.Ext(name)]
	text, err := fs.ReadFile(web, path.Join("web", name))
	if err != nil || kind == "" || path.Base(name) != name {
		return problemf(http.StatusNotFound, "there is no such file")
	}
	w.Header().Set("Content-Type", kind)
	_, _ = w.Write(text)
	return nil
}
