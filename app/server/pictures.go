package server

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"image"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lapsvm/app/answer"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/internal/system/fault"
	"lapsvm/internal/system/unfinished"
	"lapsvm/points"
)

// pictureTypes are the media types of a picture in a body. Its bytes tell its format.
func pictureTypes() []string {
	return []string{"image/png", "image/jpeg", "image/webp", "image/gif", "image/bmp", "image/tiff"}
}

// inputPictures is the tensor of image files that a model of pictures takes in place of its inputs.
const inputPictures = "pictures"

// seesPictures reports whether the training rows were pictures: their dots, or vectors made of them.
func (v *version) seesPictures() bool {
	e := v.model.Encoding()
	return !v.model.Image().None() || e.Learnt() && len(e.Columns) == 1 && e.Columns[0].Embedded != nil
}

// isPicture reports whether the body of a request is a picture, and refuses one that is not read, or that the model does not take.
func isPicture(r *http.Request, v *version) (bool, error) {
	kind := mediaType(r)
	switch {
	case !strings.HasPrefix(kind, "image/"):
		return false, nil
	case !slices.Contains(pictureTypes(), kind) && kind != "image/jpg":
		return false, problemf(http.StatusUnsupportedMediaType, "pictures of the type %s are not read: send one of %s", shown([]byte(kind)), strings.Join(pictureTypes(), ", "))
	case !v.seesPictures():
		return false, noPictures(v)
	}
	return true, nil
}

// noPictures refuses a picture for a model of other rows.
func noPictures(v *version) error {
	return badly(fault.Columns, "the model was trained on no pictures: send rows, as GET /v2/models/%s describes them", v.name)
}

// asPicture refuses a picture that was sent as rows.
func asPicture(kind string, v *version) error {
	if !v.seesPictures() {
		return noPictures(v)
	}
	return problemf(http.StatusUnsupportedMediaType, "the body is a picture: send it with Content-Type: %s", kind)
}

// readPictures makes rows of pictures, as predict makes them of files, while somebody waits for them.
func (s *Server) readPictures(ctx context.Context, h *reservation, v *version, all []files.Picture) (*dataset.Dataset, error) {
	o := answer.Options(v.model)
	o.Image, o.Threads, o.Budget, o.Check = v.model.Image(), 1, h.budget(ctx), s.check(ctx)
	var d *dataset.Dataset
	var err error
	if _, vectors := v.model.Encoding().NeedsEmbedder(); vectors {
		d, err = s.embedPictures(ctx, all, o)
	} else {
		d, err = files.ReadPictures(ctx, all, files.NewSharedImageRoom(h.take), o)
	}
	if err == nil {
		return d, nil
	}
	if p := asProblem(err); p.status != http.StatusInternalServerError {
		return nil, p
	}
	return nil, err
}

// embedPictures makes vectors of pictures. What makes them takes files.
func (s *Server) embedPictures(ctx context.Context, all []files.Picture, o files.Options) (*dataset.Dataset, error) {
	if s.Embedder != nil {
		var err error
		if o.Embedder, err = s.Embedder(ctx); err != nil {
			return nil, err
		}
	}
	folder, err := unfinished.Folder("lapsvm-pictures-")
	if err != nil {
		return nil, err
	}
	defer unfinished.Remove(folder)
	paths := make([]string, len(all))
	for i, p := range all {
		ending := "png"
		if _, kind, err := image.DecodeConfig(bytes.NewReader(p.Content)); err == nil {
			ending = kind
		}
		paths[i] = filepath.Join(folder, fmt.Sprintf("%d.%s", i+1, ending))
		if err := os.WriteFile(paths[i], p.Content, 0o600); err != nil {
			return nil, err
		}
	}
	o.Strict = true
	d, err := files.ReadImages(paths, o)
	if file := (*dataset.Error)(nil); errors.As(err, &file) {
		if i := slices.Index(paths, file.File); i >= 0 {
			file.File = all[i].Name
			return nil, file
		}
	}
	return d, err
}

// pointsOfPictures makes points of a tensor of image files.
func (s *Server) pointsOfPictures(ctx context.Context, h *reservation, v *version, t *inputTensor) (*points.Points, error) {
	n, err := t.count(s.Limits.Rows, 1)
	switch {
	case err != nil:
		return nil, err
	case t.Datatype != "BYTES":
		return nil, badly(fault.Columns, "input %q is %s: send image files as BYTES, or dots as %s", t.Name, t.Datatype, inputPoints)
	case n != int(t.Shape[0]):
		return nil, bad("input %q has the shape %v, pictures have [rows] or [rows, 1]", t.Name, t.Shape)
	}
	contents, err := t.contents(n, h)
	if err != nil {
		return nil, err
	}
	all := make([]files.Picture, n)
	for i, content := range contents {
		all[i] = files.Picture{Name: fmt.Sprintf("picture %d", i+1), Content: content}
	}
	d, err := s.readPictures(ctx, h, v, all)
	if err != nil {
		return nil, err
	}
	return d.Points, nil
}

// contents returns the elements, which are files and must be n: as they are in the binary part of a body, in JSON as Base64.
func (t *inputTensor) contents(n int, h *reservation) ([][]byte, error) {
	if t.binary != nil {
		return t.texts(n)
	}
	if err := h.take(24*int64(min(n, len(t.Data)+1)) + int64(base64.StdEncoding.DecodedLen(len(t.Data)))); err != nil {
		return nil, err
	}
	var all [][]byte
	return all, t.each(n, func(e token) error {
		text, err := t.field(e)
		if err != nil {
			return err
		}
		content, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(string(text), "="))
		if err != nil {
			return bad("element %d of input %q is no Base64 (%v): send the file as Base64, or as binary data", len(all)+1, t.Name, err)
		}
		all = append(all, content)
		return nil
	})
}
