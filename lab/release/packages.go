package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
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

// writePackage has nfpm write the package of a format, of files that it is given, by nfpm.yaml. It
// returns the file's name.
func (r *release) writePackage(ctx context.Context, t target, format string, files []entry, work string) (string, error) {
	root := filepath.Join(work, t.processor+format)
	for _, f := range files {
		path := filepath.Join(root, filepath.FromSlash(f.path))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return "", err
		}
		if err := os.WriteFile(path, f.data, 0o666); err != nil {
			return "", err
		}
		if err := os.Chmod(path, os.FileMode(f.mode())); err != nil { // whatever this process's umask
			return "", err
		}
	}
	name := packageName(t, r.version, format)
	c := r.command(ctx, "go", "tool", "nfpm", "package", "--config", filepath.Join(r.root, "lab", "release", "nfpm.yaml"), "--packager", format, "--target", filepath.Join(r.out, name))
	c.Dir = filepath.Join(r.root, "tools")
	c.Env = append(os.Environ(), fmt.Sprintf("SOURCE_DATE_EPOCH=%d", r.commit.time.Unix()),
		"ARCH="+t.processor, "VERSION="+packageVersion(r.version), "MAINTAINER="+r.commit.author, "FILES="+root)
	_, err := output(c)
	return name, err
}

// packageName is the name of a package's file, as those of its format are called.
func packageName(t target, version, format string) string {
	if format == rpm {
		return fmt.Sprintf("lapsvm-%s-1.%s.rpm", packageVersion(version), map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[t.processor])
	}
	return fmt.Sprintf("lapsvm_%s-1_%s.deb", packageVersion(version), t.processor)
}
