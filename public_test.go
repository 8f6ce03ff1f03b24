package lapsvm_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// public are the packages that programs elsewhere can import, those below internal left out.
var public = []string{"lapsvm", "lapsvm/calibrate", "lapsvm/dataset", "lapsvm/dataset/files", "lapsvm/export", "lapsvm/kernel", "lapsvm/label", "lapsvm/points"}

// unnamed are types of parameters that a caller is given, by the command or by a data set.
var unnamed = map[string]bool{"lapsvm/internal/ranks/comm.Comm": true, "lapsvm/internal/describe.Description": true}

// Every type that a caller must write has a name in a package that the caller can import. These
// are the types of parameters, and of the fields of structs passed by value. A value passed by
// pointer was made by this module.
func TestWhatIsGivenHasAName(t *testing.T) {
	load := exported(t)
	aliases := make(map[*types.TypeName]bool)
	given := make(map[*types.TypeName]string) // by what asks for it
	seen := make(map[types.Type]bool)
	var ask func(t types.Type, by string)
	ask = func(t types.Type, by string) {
		switch t := t.(type) {
		case *types.Alias:
			ask(types.Unalias(t), by)
		case *types.Named:
			name := t.Obj()
			if name.Pkg() == nil || !strings.HasPrefix(name.Pkg().Path()+"/", "lapsvm/") || seen[t] {
				return
			}
			seen[t], given[name] = true, by
			if of, isStruct := t.Underlying().(*types.Struct); isStruct {
				for field := range of.Fields() {
					if field.Exported() {
						ask(field.Type(), name.Name()+"."+field.Name())
					}
				}
			}
		case *types.Pointer:
			if made, is := types.Unalias(t.Elem()).(*types.Named); is {
				given[made.Obj()] = by
			}
		case interface{ Elem() types.Type }:
			ask(t.Elem(), by)
		}
	}
	parameters := func(of types.Object) {
		f, is := of.(*types.Func)
		if !is || !f.Exported() {
			return
		}
		for p := range f.Signature().Params().Variables() {
			ask(p.Type(), of.Pkg().Name()+"."+of.Name())
		}
	}
	importable := make(map[string]bool)
	for _, path := range public {
		importable[path] = true
		p, err := load.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range p.Scope().Names() {
			o := p.Scope().Lookup(name)
			parameters(o)
			named, is := types.Unalias(o.Type()).(*types.Named)
			if _, isType := o.(*types.TypeName); !isType || !is || !o.Exported() {
				continue
			}
			aliases[named.Obj()] = true
			if importable[named.Obj().Pkg().Path()] {
				for m := range named.Methods() {
					parameters(m)
				}
			}
			if name == "Trainer" {
				ask(named, name) // with which its methods work
			}
		}
	}
	if len(given) < 20 {
		t.Errorf("only %d types were found", len(given))
	}
	for name, by := range given {
		path := name.Pkg().Path()
		if strings.HasPrefix(path, "lapsvm/") && !importable[path] && !aliases[name] && !unnamed[path+"."+name.Name()] {
			t.Errorf("%s asks for a %s.%s, which no program elsewhere can name: give it an alias in words.go", by, path, name.Name())
		}
	}
}

// exported returns what reads the types of packages, as the compiler wrote them.
func exported(t *testing.T) types.Importer {
	watchSources(t)
	out, err := exec.Command("go", append([]string{"list", "-export", "-deps", "-json=ImportPath,Export"}, public...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	files := make(map[string]string)
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct{ ImportPath, Export string }
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		files[p.ImportPath] = p.Export
	}
	return importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) { return os.Open(files[path]) })
}
