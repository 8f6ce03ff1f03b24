package server

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"lapsvm/dataset"
	"lapsvm/internal/system/fault"
)

// Ending is that of the names of model files.
const Ending = ".lapsvm"

// catalogue is the set of models served at a moment: their versions by name, the latest last.
// It is not changed.
type catalogue map[string][]*version

// find returns a version of a model; "" is the latest.
func (c catalogue) find(name, number string) (*version, error) {
	all := c[name]
	if len(all) == 0 {
		return nil, problemf(http.StatusNotFound, "there is no model called %q: GET /v2/models lists them", name)
	}
	if number == "" {
		return all[len(all)-1], nil
	}
	for _, v := range all {
		if v.version == number {
			return v, nil
		}
	}
	return nil, problemf(http.StatusNotFound, "model %q has no version %q: GET /v2/models/%s lists them", name, number, name)
}

// Embedded returns what made the vectors of the models that need some.
func (s *Server) Embedded() (all []dataset.EmbeddedBy) {
	for _, versions := range *s.serving.Load() {
		for _, v := range versions {
			if by, needs := v.model.Encoding().NeedsEmbedder(); needs {
				all = append(all, by)
			}
		}
	}
	return all
}

// source is a model file that is to be served.
type source struct{ name, version, path string }

// fileState is the last known state of a model file.
type fileState struct {
	info    fs.FileInfo
	version *version // nil where none could be read yet
	err     error    // of the file as it is now; the version is that of before
}

// same reports whether a file is the one that was looked at before, if any was: the same
// inode, of the same size and time.
func same(before, now fs.FileInfo) bool {
	return before != nil && os.SameFile(before, now) && before.Size() == now.Size() && before.ModTime().Equal(now.ModTime())
}

// sources finds the model files that the configuration names: files, and in folders
// NAME.lapsvm and NAME/VERSION.lapsvm. Hidden files are none, nor are pipes and devices.
func (s *Server) sources() ([]source, error) {
	var all []source
	seen := make(map[[2]string]string)
	add := func(name, number, path string) error {
		if other, twice := seen[[2]string{name, number}]; twice {
			return fault.Errorf("%s and %s are both version %s of the model %s: give one of them another name", other, path, number, name)
		}
		seen[[2]string{name, number}] = path
		all = append(all, source{name, number, path})
		return nil
	}
	for _, path := range s.Paths {
		info, err := os.Stat(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if err != nil || !info.IsDir() { // one that is gone keeps what it had
			if err := add(strings.TrimSuffix(filepath.Base(path), Ending), firstVersion, path); err != nil {
				return nil, err
			}
			continue
		}
		found, err := modelFiles(path)
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			if err := add(f.name, f.version, f.path); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// firstVersion is the name of the version of a model without versions.
const firstVersion = "1"

// modelFiles lists the model files of a folder.
func modelFiles(folder string) ([]source, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var all []source
	for _, e := range entries {
		path := filepath.Join(folder, e.Name())
		info, err := os.Stat(path) // of what a link leads to
		if err != nil || hidden(e.Name()) {
			continue
		}
		name, is := strings.CutSuffix(e.Name(), Ending)
		if !info.IsDir() {
			if is && info.Mode().IsRegular() && name != "" {
				all = append(all, source{name, firstVersion, path})
			}
			continue
		}
		versions, err := os.ReadDir(path)
		if err != nil {
			return nil, err
		}
		for _, v := range versions {
			number, is := strings.CutSuffix(v.Name(), Ending)
			if !is || number == "" || hidden(v.Name()) {
				continue
			}
			at := filepath.Join(path, v.Name())
			if info, err := os.Stat(at); err == nil && info.Mode().IsRegular() {
				all = append(all, source{e.Name(), number, at})
			}
		}
	}
	return all, nil
}

func hidden(name string) bool { return strings.HasPrefix(name, ".") || !utf8.ValidString(name) }

// Reload looks at the model files and at those of the certificate, and serves the changed ones;
// requests under way keep their version. A file that cannot be read leaves the version before
// in its place. A file that is gone from a folder is no longer served. Reload returns the
// errors of all files that could not be read.
func (s *Server) Reload(ctx context.Context) error {
	s.reloading.Lock()
	defer s.reloading.Unlock()
	return errors.Join(s.renewCertificate(), s.reloadModels(ctx))
}

// renewCertificate reads the files of the certificate where they changed.
func (s *Server) renewCertificate() error {
	if s.Certificate == nil {
		return nil
	}
	before := s.Certificate.err
	changed, err := s.Certificate.renew()
	switch {
	case err != nil && (before == nil || before.Error() != err.Error()):
		s.Log.Error("certificate cannot be read; the one before stays", "error", err.Error())
	case err == nil && changed:
		s.Log.Info("certificate loaded", "path", s.Certificate.paths[0])
	}
	return err
}

// reloadModels looks at the model files.
func (s *Server) reloadModels(ctx context.Context) error {
	all, err := s.sources()
	if err != nil {
		s.metrics.reloads.WithLabelValues("failed").Inc()
		s.Log.Error("models cannot be listed", "error", err.Error())
		return err
	}
	files, next := make(map[string]*fileState, len(all)), make(catalogue)
	var failures []error
	for _, src := range all {
		if err := ctx.Err(); err != nil {
			return err
		}
		k := s.look(src)
		files[src.path] = k
		if k.err != nil {
			failures = append(failures, k.err)
		}
		if k.version != nil {
			next[src.name] = append(next[src.name], k.version)
		}
	}
	for _, versions := range next {
		slices.SortFunc(versions, func(a, b *version) int { return compareVersions(a.version, b.version) })
	}
	before := *s.serving.Load()
	s.files = files
	s.serving.Store(&next)
	s.metrics.serving(before, next)
	if s.Reloaded != nil && !maps.EqualFunc(before, next, slices.Equal[[]*version]) {
		s.Reloaded()
	}
	for _, name := range slices.Sorted(maps.Keys(before)) {
		for _, v := range before[name] {
			if _, err := next.find(v.name, v.version); err != nil {
				s.Log.Info("model removed", "model", v.name, "version", v.version, "path", v.path)
			}
		}
	}
	return errors.Join(failures...)
}

// look returns the state of a model file, and reads the file where it changed.
func (s *Server) look(src source) *fileState {
	last := s.files[src.path]
	if last == nil {
		last = new(fileState)
	}
	info, err := os.Stat(src.path)
	if err == nil && same(last.info, info) {
		return last
	}
	k := &fileState{info: info, version: last.version} // the file may change from here on: then it is looked at again
	if err == nil {
		var v *version
		if v, err = s.load(src.name, src.version, src.path); err == nil {
			k.version = v
			s.metrics.reloads.WithLabelValues("loaded").Inc()
			s.Log.Info("model loaded", "model", v.name, "version", v.version, "path", v.path, "checksum", v.checksum, "classes", len(v.classes), "features", v.model.Dim(), "basis", v.model.Basis())
			return k
		}
	}
	var in *fs.PathError
	if errors.As(err, &in) {
		err = in.Err // whose path is told already
	}
	k.err = fmt.Errorf("%s: %w", src.path, err)
	if last.err == nil || last.err.Error() != k.err.Error() {
		s.metrics.reloads.WithLabelValues("failed").Inc()
		s.Log.Error("model cannot be read", "model", src.name, "version", src.version, "path", src.path, "error", err.Error(), "kept", k.version != nil)
	}
	return k
}
