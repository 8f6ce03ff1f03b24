package vec

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"golang.org/x/sys/cpu"
)

// TestGenerated: the committed assembly is what the generator writes. The generator
// has a module of its own; where its packages can be had neither from the module
// cache nor from a proxy, the test fails, as nothing vouches for the assembly then.
func TestGenerated(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the generator")
	}
	dir := t.TempDir()
	generator := filepath.Join(dir, "generator")
	build := exec.Command("go", "build", "-o", generator, ".")
	build.Dir = "_asm"
	build.Env = append(os.Environ(), "GOFLAGS=-buildvcs=false", "GOWORK=off", "GOOS=", "GOARCH=")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("the generator does not build, so the assembly is not compared: %v\n%sIf its packages are missing, run go mod download in internal/vec/_asm once; go test -short leaves this test out.", err, out)
	}
	assembly, stubs := filepath.Join(dir, "vec_amd64.s"), filepath.Join(dir, "vec_amd64.go")
	if out, err := exec.Command(generator, "-out", assembly, "-stubs", stubs, "-pkg", "vec").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range []string{assembly, stubs} {
		got, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Base(name))
		if err != nil {
			t.Fatal(err)
		}
		// The first line names the command that was run.
		_, got, _ = bytes.Cut(got, []byte("\n"))
		_, want, _ = bytes.Cut(want, []byte("\n"))
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what the generator writes: run go generate ./internal/vec", filepath.Base(name))
		}
	}
}

// TestPathTaken: the fastest path this machine has is the one in use.
func TestPathTaken(t *testing.T) {
	t.Logf("path %s of %v", Path(), Paths())
	if !assembled {
		if Path() != "go" {
			t.Fatalf("path %q without assembly", Path())
		}
		return
	}
	x := &cpu.X86
	if x.HasAVX512F && x.HasAVX512BW && x.HasAVX512DQ && x.HasAVX512VL && Path() != "avx512" {
		t.Errorf("AVX-512 is there, but the path is %q", Path())
	}
	if x.HasAVX2 && x.HasFMA && Path() == "go" {
		t.Error("AVX2 and FMA are there, but the path is \"go\"")
	}
	for _, p := range Paths() {
		restore := Use(p)
		if Path() != p {
			t.Errorf("asked for %q, got %q", p, Path())
		}
		restore()
	}
	if Path() != isaNames[best] {
		t.Errorf("after the tests the path is %q", Path())
	}
	defer func() {
		if recover() == nil {
			t.Error("Use of an unknown path does not panic")
		}
	}()
	Use("sse")
}
