package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// module is the path of the module whose packages are checked whole.
const module = "lapsvm"

// checkSystems checks, for each target, that all packages have the files and names that
// they need on other systems. Every package of the module and all its imports are
// type-checked as the compiler does it, without making machine code. Other modules are
// checked without the bodies of functions. This takes seconds in place of minutes.
// Assembly and linking are left to dist.
func (r *release) checkSystems(ctx context.Context) error {
	for _, t := range r.targets {
		checked, err := r.checkTypes(ctx, t)
		if err != nil {
			return fmt.Errorf("%s: %w", t, err)
		}
		fmt.Fprintf(r.log, "%s: %d packages of this module have what they need\n", t, checked)
	}
	return nil
}

// listed is the output of go list for a package.
type listed struct {
	ImportPath, Dir string
	GoFiles         []string
	ImportMap       map[string]string
	Error           *struct{ Err string }
}

// checkTypes checks all packages for a target, and returns how many of the module it has
// checked.
func (r *release) checkTypes(ctx context.Context, t target) (count int, err error) {
	c := r.command(ctx, "go", "list", "-e", "-deps", "-json=ImportPath,Dir,GoFiles,ImportMap,Error", "./...")
	c.Env = append(os.Environ(), "GOOS="+t.system, "GOARCH="+t.processor, "CGO_ENABLED=0")
	list, err := output(c)
	if err != nil {
		return 0, err
	}
	packages := imported{"unsafe": types.Unsafe}
	for decoder := json.NewDecoder(strings.NewReader(list)); ; { // what is imported comes first
		var p listed
		switch err := decoder.Decode(&p); {
		case errors.Is(err, io.EOF):
			return count, nil
		case err != nil:
			return count, err
		case p.Error != nil:
			return count, fmt.Errorf("%s: %s", p.ImportPath, p.Error.Err)
		case p.ImportPath == "unsafe":
			continue
		}
		ours := p.ImportPath == module || strings.HasPrefix(p.ImportPath, module+"/")
		if ours {
			count++
		}
		if packages[p.ImportPath], err = check(p, packages, t.processor, ours); err != nil && ours {
			return count, err
		}
	}
}

// check checks one package, with the bodies of its functions or without.
func check(p listed, packages imported, processor string, bodies bool) (*types.Package, error) {
	files := token.NewFileSet()
	var parsed []*ast.File
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(files, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, f)
	}
	var wrong bytes.Buffer
	config := types.Config{Importer: mapped{packages, p.ImportMap}, IgnoreFuncBodies: !bodies, Sizes: types.SizesFor("gc", processor),
		Error: func(err error) { fmt.Fprintln(&wrong, err) }}
	checked, err := config.Check(p.ImportPath, files, parsed, nil)
	if err != nil {
		err = errors.New(strings.TrimSpace(wrong.String()))
	}
	return checked, err
}

// imported are the packages that are checked already.
type imported map[string]*types.Package

// mapped finds packages by the paths that a package imports them by.
type mapped struct {
	packages imported
	paths    map[string]string
}

func (m mapped) Import(path string) (*types.Package, error) {
	if other, is := m.paths[path]; is {
		path = other
	}
	if p := m.packages[path]; p != nil {
		return p, nil
	}
	return nil, errors.New("there is no " + path)
}
