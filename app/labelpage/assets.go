package labelpage

import (
	"embed"
	"io/fs"
	"mime"
	"net/http"
	"path"
)

//go:embed web
var web embed.FS

// page gives the page: GET /.
func (s *Server) page(w http.ResponseWriter, r *http.Request) { s.file(w, "page.html") }

// asset gives a file that the page needs: GET /assets/NAME, one of those embedded.
func (s *Server) asset(w http.ResponseWriter, r *http.Request) { s.file(w, r.PathValue("name")) }

func (s *Server) file(w http.ResponseWriter, name string) {
	text, err := fs.ReadFile(web, path.Join("web", name))
	if err != nil || !fs.ValidPath(name) {
		refuse(w, http.StatusNotFound, "there is no such file")
		return
	}
	kind := mime.TypeByExtension(path.Ext(name))
	switch path.Ext(name) { // whatever this system says of them
	case ".html":
		kind = "text/html; charset=utf-8"
	case ".js":
		kind = "text/javascript; charset=utf-8"
	case ".css":
		kind = "text/css; charset=utf-8"
	case ".svg":
		kind = "image/svg+xml"
	}
	w.Header().Set("Content-Type", kind)
	_, _ = w.Write(text)
}
