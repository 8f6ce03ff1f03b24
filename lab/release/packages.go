package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// packageVersion rewrites a version of Go's, such as 1.2.3-rc.1 or
// 0.0.0-20260102030405-0123456789ab, so that dpkg and rpm sort a pre-release before
// its release.
func packageVersion(version string) string {
	number, before, is := strings.Cut(version, "-")
	if !is {
		return version
	}
	return number + "~" + strings.ReplaceAll(before, "-", ".")
}

// nfpmConfig is the part of nfpm's configuration that is written.
type nfpmConfig struct {
	Name        string        `json:"name"`
	Arch        string        `json:"arch"`
	Platform    string        `json:"platform"`
	Version     string        `json:"version"`
	Schema      string        `json:"version_schema"`
	Release     string        `json:"release"`
	Section     string        `json:"section"`
	Priority    string        `json:"priority"`
	Maintainer  string        `json:"maintainer"`
	Description string        `json:"description"`
	Time        string        `json:"mtime"`
	Umask       int           `json:"umask"`
	Depends     []string      `json:"depends"`
	Contents    []nfpmContent `json:"contents"`
	RPM         nfpmRPM       `json:"rpm"`
}

type nfpmContent struct {
	From string   `json:"src"`
	To   string   `json:"dst"`
	Info nfpmInfo `json:"file_info"`
}

type nfpmInfo struct {
	Mode  int64  `json:"mode"`
	Owner string `json:"owner"`
	Group string `json:"group"`
	Time  string `json:"mtime"`
}

type nfpmRPM struct {
	Summary string `json:"summary"`
	Host    string `json:"buildhost"`
}

// writePackage has nfpm write the package of a format, of files that it is given. It
// returns the file's name.
func (r *release) writePackage(ctx context.Context, t target, format string, files []entry, work string) (string, error) {
	at := r.commit.time.Format(time.RFC3339)
	config := nfpmConfig{Name: "lapsvm", Arch: t.processor, Platform: t.system, Version: packageVersion(r.version), Schema: "none", Release: "1",
		Section: "science", Priority: "optional", Maintainer: r.commit.author, Time: at, Umask: 0o022, Depends: []string{map[string]string{deb: "libc6", rpm: "glibc"}[format]},
		Description: "Classify many points from few labels\nTrains classifiers from many points of which few are labelled, by manifold\nregularization: Laplacian support vector machines trained in the primal.",
		RPM:         nfpmRPM{Summary: "Classify many points from few labels", Host: "localhost"}}
	for k, f := range files {
		from := filepath.Join(work, fmt.Sprintf("%s%03d", format, k))
		if err := os.WriteFile(from, f.data, os.FileMode(f.mode())); err != nil {
			return "", err
		}
		config.Contents = append(config.Contents, nfpmContent{from, f.path, nfpmInfo{f.mode(), "root", "root", at}})
	}
	text, err := json.MarshalIndent(config, "", " ") // which is YAML too
	if err != nil {
		return "", err
	}
	path, name := filepath.Join(work, format+".yaml"), packageName(t, r.version, format)
	if err := os.WriteFile(path, text, 0o666); err != nil {
		return "", err
	}
	c := r.command(ctx, "go", "tool", "nfpm", "package", "--config", path, "--packager", format, "--target", filepath.Join(r.out, name))
	c.Dir = filepath.Join(r.root, "tools")
	c.Env = append(os.Environ(), fmt.Sprintf("SOURCE_DATE_EPOCH=%d", r.commit.time.Unix()))
	_, err = output(c)
	return name, err
}

// packageName is the name of a package's file, as those of its format are called.
func packageName(t target, version, format string) string {
	if format == rpm {
		return fmt.Sprintf("lapsvm-%s-1.%s.rpm", packageVersion(version), map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[t.processor])
	}
	return fmt.Sprintf("lapsvm_%s-1_%s.deb", packageVersion(version), t.processor)
}
