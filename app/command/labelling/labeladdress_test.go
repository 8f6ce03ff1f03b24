package labelling

import (
	"bytes"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"lapsvm/app/command/cli"
	"lapsvm/app/labelpage/store"
)

// The page keeps its address and token, unless another address is requested or another program has
// the port; then the token is new. A file that is damaged or readable by others gives no address.
func TestAddressOfThePage(t *testing.T) {
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "labels.db"), store.Data{Name: "points", Hashes: []string{"0"}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var said bytes.Buffer
	p := cli.NewProgram(strings.NewReader(""), &said, &said)
	at := func(asked string) pageAddress {
		t.Helper()
		said.Reset()
		l, a, err := listen(t.Context(), p, s, &labelRequest{address: asked})
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		if l.Addr().String() != a.at || !tokens.MatchString(a.token) {
			t.Errorf("%s, the listener is at %s", a, l.Addr())
		}
		if kept := readAddress(addressFile(s)); kept != a {
			t.Errorf("%s is kept of %s", kept, a)
		}
		return a
	}
	first := at("")
	for _, asked := range []string{"", first.at} {
		if a := at(asked); a != first {
			t.Errorf("--address %q: %s in place of %s", asked, a, first)
		}
	}
	other, err := net.Listen("tcp", first.at)
	if err != nil {
		t.Fatal(err)
	}
	second := at("")
	if second.at == first.at || second.token == first.token || !strings.Contains(said.String(), "start again with --address "+first.at) {
		t.Errorf("%s after %s: %s", second, first, &said)
	}
	if _, _, err := listen(t.Context(), p, s, &labelRequest{address: first.at}); err == nil || !strings.Contains(err.Error(), "choose another with --address") {
		t.Errorf("at the port of another program: %v", err)
	}
	other.Close()
	if a := at("127.0.0.1:0"); a.token == second.token {
		t.Errorf("%s at another port has the token of %s", a, second)
	}
	// What was served to other machines is not so again without being asked for.
	open := at("0.0.0.0:0")
	if a := at(""); !strings.HasPrefix(a.at, "127.0.0.1:") || a.token == open.token {
		t.Errorf("%s after %s", a, open)
	}
	last := at("")
	for _, text := range []string{"", "http://" + last.at + "/?token=x\n", "http://" + last.at + "\n", strings.Repeat("x", 5000), "http://[/?token=" + last.token} {
		if err := os.WriteFile(addressFile(s), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if a := at(""); a.token == last.token {
			t.Errorf("%q: %s", text, a)
		}
	}
	if runtime.GOOS == "windows" {
		return
	}
	last = at("")
	if err := os.Chmod(addressFile(s), 0o640); err != nil {
		t.Fatal(err)
	}
	if a := at(""); a.token == last.token {
		t.Error("a token that others can read is used")
	}
	if info, err := os.Stat(addressFile(s)); err != nil || info.Mode() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}
