package vec

import (
	"bytes"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/cpu"
)

// TestGenerated: the committed assembly is what the generators write. They have a
// module of their own; where its packages can be had neither from the module
// cache nor from a proxy, the test fails, as nothing vouches for the assembly then.
func TestGenerated(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the generators")
	}
	for processor, source := range map[string]string{"amd64": ".", "arm64": "./neon"} {
		dir := t.TempDir()
		generator := filepath.Join(dir, "generator")
		build := exec.Command("go", "build", "-o", generator, source)
		build.Dir = "_asm"
		build.Env = append(os.Environ(), "GOFLAGS=-buildvcs=false", "GOWORK=off", "GOOS=", "GOARCH=")
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("the generator does not build, so the assembly is not compared: %v\n%sIf its packages are missing, run go mod download in internal/numbers/vec/_asm once; go test -short leaves this test out.", err, out)
		}
		assembly, stubs := filepath.Join(dir, "vec_"+processor+".s"), filepath.Join(dir, "vec_"+processor+".go")
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
				t.Errorf("%s is not what the generator writes: run go generate ./internal/numbers/vec", filepath.Base(name))
			}
		}
	}
}

// Instructions that Go's assembler lacks are words, with the text beside them that a
// disassembler shows for these.
func TestWords(t *testing.T) {
	const disassembler = "aarch64-linux-gnu-objdump"
	if _, err := exec.LookPath(disassembler); err != nil {
		t.Skip("no " + disassembler + " here, as in Debian's binutils-aarch64-linux-gnu: the words of vec_arm64.s are not checked")
	}
	assembly, err := os.ReadFile("vec_arm64.s")
	if err != nil {
		t.Fatal(err)
	}
	var words []byte
	var texts []string
	for line := range strings.Lines(string(assembly)) {
		rest, isWord := strings.CutPrefix(line, "\tWORD\t$")
		if !isWord {
			continue
		}
		bits, text, _ := strings.Cut(strings.TrimSpace(rest), " // ")
		word, err := strconv.ParseUint(bits, 0, 32)
		if err != nil {
			t.Fatal(err)
		}
		words, texts = binary.LittleEndian.AppendUint32(words, uint32(word)), append(texts, text)
	}
	if len(texts) == 0 {
		t.Fatal("no words found")
	}
	file := filepath.Join(t.TempDir(), "words")
	if err := os.WriteFile(file, words, 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(disassembler, "-D", "-b", "binary", "-m", "aarch64", file).Output()
	if err != nil {
		t.Fatal(err)
	}
	at := 0
	for line := range strings.Lines(string(out)) {
		fields := strings.Split(strings.TrimSpace(line), "\t") // address, bits, name, operands
		if len(fields) < 3 {
			continue
		}
		if got := strings.Join(fields[2:], " "); at < len(texts) && got != texts[at] {
			t.Fatalf("word %s is %q, not %q", strings.TrimSpace(fields[1]), got, texts[at])
		}
		at++
	}
	if at != len(texts) {
		t.Fatalf("%d instructions disassembled of %d words", at, len(texts))
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
	if runtime.GOARCH == "arm64" && Path() != "neon" {
		t.Errorf("every arm64 has NEON, but the path is %q", Path())
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
