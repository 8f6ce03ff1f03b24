//go:build unix

package embed

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"lapsvm/dataset"
)

// What a command writes is bounded: of its errors the end is kept, and an answer of more than vectors is cut.
func TestCommandsAreBounded(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := vectorsOf(t, t.Context(), `head -c 100000000 /dev/zero >&2; echo the reason >&2; exit 3`, "a")
	runtime.ReadMemStats(&after)
	if err == nil || !strings.Contains(err.Error(), "ended with exit status 3") || !strings.HasSuffix(err.Error(), "the reason") {
		t.Error(err)
	}
	if taken := after.TotalAlloc - before.TotalAlloc; taken > 20<<20 {
		t.Errorf("%d bytes for 100 MB of errors", taken)
	}
	runtime.ReadMemStats(&before)
	_, err = vectorsOf(t, t.Context(), `yes '[1, 2, 3]'`, "a")
	runtime.ReadMemStats(&after)
	if err == nil || !strings.Contains(err.Error(), "wrote more than 1.0 MB for 1 inputs") && !strings.Contains(err.Error(), "for 1 inputs: it is to answer") {
		t.Error(err)
	}
	if taken := after.TotalAlloc - before.TotalAlloc; taken > 20<<20 {
		t.Errorf("%d bytes for an answer without end", taken)
	}
	if _, err := vectorsOf(t, t.Context(), `cat`, "a\xff"); err == nil {
		t.Error("an answer that is no vector is taken")
	}
	e, err := Open(Options{Command: `cat >/dev/null; echo '[1]'`})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a\xff.png")
	if err := os.WriteFile(path, []byte("picture"), 0o600); err != nil {
		t.Skip(err)
	}
	if _, err := e.With(t.Context()).Embed([]string{path}, true); err == nil || !strings.Contains(err.Error(), "is not UTF-8") {
		t.Error(err)
	}
}

// A model keeps the hash of a command. The hash tells its files, and its text is kept where that is asked for.
func TestCommandsAreKeptAsHashes(t *testing.T) {
	const text = "SECRET=abc sh vectors.sh"
	plain, err := Open(Options{Command: text})
	if err != nil {
		t.Fatal(err)
	}
	kept, err := Open(Options{Command: text, KeepCommand: true})
	if err != nil {
		t.Fatal(err)
	}
	if by := plain.Source(); by.Name != "" || len(by.Hash) != 64 || strings.Contains(by.String(), "SECRET") {
		t.Errorf("%+v", by)
	}
	if by := kept.Source(); by.Name != text || by.Hash != plain.Source().Hash {
		t.Errorf("%+v", by)
	}
}

// No more processes run at a time than are allowed.
func TestProcessesOfCommands(t *testing.T) {
	const most = 2
	folder := t.TempDir()
	e, err := Open(Options{Command: `cat >/dev/null; f=$(mktemp ` + folder + `/run.XXXXXX); ls ` + folder + ` | wc -l >>` + folder + `.counts; sleep 0.05; rm $f; echo '[1]'`, Processes: most})
	if err != nil {
		t.Fatal(err)
	}
	defer os.Remove(folder + ".counts")
	var all sync.WaitGroup
	for k := range 12 {
		all.Go(func() {
			if _, err := e.With(t.Context()).Embed([]string{fmt.Sprint(k)}, false); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	counts, err := os.ReadFile(folder + ".counts")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range strings.Fields(string(counts)) {
		if n, err := strconv.Atoi(text); err != nil || n > most {
			t.Errorf("%s processes at a time", text)
		}
	}
}

// A command ends with the program that began it, however it ends. So do the processes of the command.
func TestCommandsEndWithTheProgram(t *testing.T) {
	if path := os.Getenv("LAPSVM_TEST_COMMAND_IN"); path != "" { // the program
		_, _ = vectorsOf(t, t.Context(), `cat >/dev/null; (sleep 60; true) & echo $! $$ >`+path+`.new; mv `+path+`.new `+path+`; wait; true`, "a")
		return
	}
	for _, signal := range []syscall.Signal{syscall.SIGKILL, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGTERM} {
		path := filepath.Join(t.TempDir(), "started")
		program := exec.Command(os.Args[0], "-test.run", "^TestCommandsEndWithTheProgram$")
		program.Env = append(os.Environ(), "LAPSVM_TEST_COMMAND_IN="+path)
		if err := program.Start(); err != nil {
			t.Fatal(err)
		}
		var started []byte
		for end := time.Now().Add(20 * time.Second); len(started) == 0 && time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
			started, _ = os.ReadFile(path)
		}
		if err := program.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		_ = program.Wait()
		pids := strings.Fields(string(started))
		if len(pids) != 2 {
			t.Fatalf("it started %q", started)
		}
		for _, text := range pids {
			pid, err := strconv.Atoi(text)
			for end := time.Now().Add(10 * time.Second); err == nil && !ended(pid) && time.Now().Before(end); {
				time.Sleep(5 * time.Millisecond)
			}
			if err != nil || !ended(pid) {
				t.Errorf("%v: process %d of the command goes on", signal, pid)
			}
		}
	}
}

// ended reports whether a process is gone, or waits for a parent to ask how it ended.
func ended(pid int) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return true
	}
	state, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && bytes.Contains(state, []byte(") Z "))
}

// The files that a network names count for its hash, and have to be there, beside it.
func TestExternalWeights(t *testing.T) {
	dir := t.TempDir()
	network := func(location string) []byte {
		var entry, tensor, graph, attribute, node, outer, model message
		entry.text(entryKey, "location")
		entry.text(entryValue, location)
		tensor.bytes(tensorExternal, entry)
		graph.bytes(graphInitializer, tensor)
		attribute.bytes(attributeGraph, graph)
		node.bytes(nodeAttribute, attribute)
		outer.bytes(graphNode, node) // in a graph of an attribute
		model.bytes(modelGraph, outer)
		return model
	}
	names, err := externalFiles(network("weights.bin"))
	if err != nil || len(names) != 1 || names[0] != "weights.bin" {
		t.Fatal(names, err)
	}
	for _, bad := range []string{"../weights.bin", "/etc/hostname", "a/../../b"} {
		if _, err := externalFiles(network(bad)); err == nil || !strings.Contains(err.Error(), "no file beside it") {
			t.Errorf("%s: %v", bad, err)
		}
	}
	if _, err := externalFiles([]byte("no network")); err == nil {
		t.Error("no network")
	}
	path := filepath.Join(dir, "n.onnx")
	if err := os.WriteFile(path, network("weights.bin"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(Options{Network: path}); err == nil || !strings.Contains(err.Error(), "weights in weights.bin cannot be read") {
		t.Error(err)
	}
	// Another network than the training's is not opened: no library is looked for.
	var hashes []string
	for _, weights := range []string{"one", "two"} {
		if err := os.WriteFile(filepath.Join(dir, "weights.bin"), []byte(weights), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Open(Options{Network: path, Expected: []dataset.EmbeddedBy{{Kind: "network", Name: "old.onnx", Files: strings.Repeat("0", 64)}}})
		if err == nil || !strings.Contains(err.Error(), "is not the network of the training (000000000000, called old.onnx there), and is not opened") {
			t.Fatal(err)
		}
		hashes = append(hashes, err.Error())
	}
	if hashes[0] == hashes[1] {
		t.Error("other weights have the same hash")
	}
}

// A library is loaded by the name that the user gave, or that the linker finds: never from the working directory by itself, and never before
// the hash of a network is right.
func TestLibrariesAreNotLookedFor(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil || runtime.GOOS != "linux" {
		t.Skip("no gcc here, or no Linux")
	}
	dir := t.TempDir()
	t.Chdir(dir)
	folder := filepath.Join("node_modules", "onnxruntime-node", "bin", "napi-v6", "linux", map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH])
	source := filepath.Join(dir, "lib.c")
	mark := filepath.Join(dir, "loaded")
	code := `#include <stdio.h>
__attribute__((constructor)) static void loaded(void) { FILE *f = fopen("` + mark + `", "w"); if (f) fclose(f); }
void *OrtGetApiBase(void) { return 0; }
`
	if err := errors.Join(os.MkdirAll(folder, 0o777), os.WriteFile(source, []byte(code), 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{filepath.Join(folder, "libonnxruntime.so.1"), "libonnxruntime.so", "libonnxruntime.so.1", "own.so"} {
		if out, err := exec.Command(gcc, "-shared", "-fPIC", "-o", name, source).CombinedOutput(); err != nil {
			t.Fatalf("%s: %s", err, out)
		}
	}
	var empty message
	empty.bytes(modelGraph, nil)
	if err := os.WriteFile("n.onnx", empty, 0o600); err != nil {
		t.Fatal(err)
	}
	loaded := func() bool {
		_, err := os.Stat(mark)
		os.Remove(mark)
		return err == nil
	}
	_, _ = Open(Options{Network: "n.onnx"})
	if loaded() {
		t.Error("a library of the working directory was loaded")
	}
	_, err = Open(Options{Network: "n.onnx", Runtime: "own.so", Expected: []dataset.EmbeddedBy{{Kind: "network", Files: "other"}}})
	if loaded() || err == nil {
		t.Error("a library was loaded before the hash of the network was right:", err)
	}
	if _, err = Open(Options{Network: "n.onnx", Runtime: "own.so"}); !loaded() || err == nil || !strings.Contains(err.Error(), "no interface of onnxruntime") {
		t.Error("the library that was named:", err)
	}
	if _, err = Open(Options{Network: "n.onnx", Getenv: func(string) string { return "node_modules" }}); loaded() || err == nil || !strings.Contains(err.Error(), "no absolute path") {
		t.Error("a folder relative to the working directory:", err)
	}
}

// Forged files of kept vectors are damaged ones, a pipe is refused, and so is more than memory.
func TestKeptVectorsAreChecked(t *testing.T) {
	forged := func(width, count uint32) []byte {
		b := binary.LittleEndian.AppendUint32([]byte(cacheMagic), width)
		b = binary.LittleEndian.AppendUint32(b, count)
		b = append(b, make([]byte, 100)...)
		sum := sha256.Sum256(b)
		return append(b, sum[:]...)
	}
	for _, c := range [][2]uint32{{math.MaxUint32, math.MaxUint32}, {1 << 30, 1 << 31}, {0, 1}, {18, 1}, {1 << 31, 1 << 31}} {
		folder := t.TempDir()
		path := filepath.Join(folder, "s", "a.vectors")
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, forged(c[0], c[1]), 0o600)); err != nil {
			t.Fatal(err)
		}
		if _, err := openCache(folder, "s", 0); err == nil || !strings.Contains(err.Error(), "damaged") {
			t.Errorf("%v: %v", c, err)
		}
	}
	folder := t.TempDir()
	path := filepath.Join(folder, "s", "a.vectors")
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), syscall.Mkfifo(path, 0o600)); err != nil {
		t.Fatal(err)
	}
	if _, err := openCache(folder, "s", 0); err == nil || !strings.Contains(err.Error(), "no regular file") {
		t.Error("a pipe:", err)
	}
	if err := errors.Join(os.Remove(path), os.WriteFile(path, make([]byte, 1000), 0o600)); err != nil {
		t.Fatal(err)
	}
	if _, err := openCache(folder, "s", 2000); err == nil || !strings.Contains(err.Error(), "of memory that may be used") {
		t.Error("more than memory:", err)
	}
}
