//go:build unix

package command

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"lapsvm/app/command/cli"
	"lapsvm/app/labelpage"
	"lapsvm/app/labelpage/store"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
)

// labeller is a running lapsvm label and a client with its token.
type labeller struct {
	process *exec.Cmd
	page    string // its address with the token
	url     string // without
	browser http.Client
	errors  io.Reader // the rest of standard error
}

// labellingPage starts lapsvm label and opens its page.
func labellingPage(t *testing.T, args ...string) *labeller {
	t.Helper()
	c := exec.Command("lapsvm", append([]string{"label", "--progress", "off"}, args...)...)
	stderr, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	l := &labeller{process: c}
	lines := bufio.NewReader(stderr)
	l.errors = lines
	said := ""
	for {
		line, err := lines.ReadString('\n')
		if said += line; err != nil {
			_ = c.Wait()
			t.Fatalf("lapsvm label %s ended: %s", args, said)
		}
		if url, is := strings.CutPrefix(line, "labelling on "); is {
			l.open(t, strings.TrimSpace(url))
			return l
		}
	}
}

func (l *labeller) open(t *testing.T, url string) {
	t.Helper()
	var token string
	l.page = url
	l.url, token, _ = strings.Cut(url, "/?token=")
	l.browser.Transport = bearer(token)
	r, err := l.browser.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	if r.StatusCode != http.StatusOK {
		t.Fatal(r.Status)
	}
}

// bearer sends a token with every request.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// post sends a body; ok is false where no answer arrived.
func (l *labeller) post(path, body string) (answer string, code int, ok bool) {
	r, err := http.NewRequest("POST", l.url+path, strings.NewReader(body))
	if err != nil {
		return "", 0, false
	}
	r.Header.Set("Origin", l.url)
	a, err := l.browser.Do(r)
	if err != nil {
		return "", 0, false
	}
	defer a.Body.Close()
	text, err := io.ReadAll(a.Body)
	return string(text), a.StatusCode, err == nil
}

// kill ends the program as a power cut would.
func (l *labeller) kill() {
	_ = l.process.Process.Kill()
	_ = l.process.Wait()
}

// The program is killed at any moment while three people label. After a restart it has every
// acknowledged label once, and other labels can be sent again with their keys. LAPSVM_LONG=1
// kills it a thousand times.
func TestLabelKilled(t *testing.T) {
	kills := 20
	if os.Getenv("LAPSVM_LONG") != "" {
		kills = 1000
	}
	folder := t.TempDir()
	data := moons(t, folder, 300)
	file := filepath.Join(folder, "labels.db")
	r := rand.New(rand.NewPCG(1, 2))
	var mu sync.Mutex
	sent, acknowledged := map[string]int{}, map[string]int{} // key → row
	open := map[string]string{}                              // by person: the body that no answer came to
	for kill := range kills {
		l := labellingPage(t, data, "--store", file, "--address", "127.0.0.1:0", "--quiet", "--label", "label")
		if kill == 0 {
			if text, code, _ := l.post("/api/events", `{"person":"anna","events":[{"key":"zero","kind":"class-add","name":"zero"}]}`); code != http.StatusOK {
				t.Fatal(text)
			}
		}
		var people sync.WaitGroup
		answered := make(chan struct{}, 1)
		tell := func() {
			select {
			case answered <- struct{}{}:
			default:
			}
		}
		for who, person := range []string{"anna", "ben", "chi"} {
			people.Go(func() {
				defer tell()
				for k := 0; ; k++ {
					mu.Lock()
					body, again := open[person]
					key, row := fmt.Sprintf("%s-%d-%d", person, kill, k), 1+(100*who+kill+7*k)%300
					if !again {
						body = fmt.Sprintf(`{"person":%q,"events":[{"key":%q,"kind":"label","row":%d,"class":0}]}`, person, key, row)
						open[person], sent[key] = body, row
					}
					mu.Unlock()
					text, code, ok := l.post("/api/events", body)
					if !ok {
						return
					}
					mu.Lock()
					delete(open, person)
					var events struct{ Events []struct{ Key string } }
					if err := json.Unmarshal([]byte(body), &events); err != nil || code != http.StatusOK {
						t.Errorf("%s: %d %s %v", body, code, text, err)
					} else {
						acknowledged[events.Events[0].Key] = sent[events.Events[0].Key]
						tell()
					}
					mu.Unlock()
				}
			})
		}
		<-answered // however busy the machine is
		time.Sleep(time.Duration(r.Int64N(int64(60 * time.Millisecond))))
		l.kill()
		people.Wait()
	}
	t.Logf("%d kills, %d labels acknowledged of %d sent", kills, len(acknowledged), len(sent))
	if len(acknowledged) < kills {
		t.Errorf("only %d labels were acknowledged", len(acknowledged))
	}
	checkEvents(t, data, file, sent, acknowledged)
}

// Killed while the disk is full, the program has the acknowledged labels, and none of those
// that it refused.
func TestLabelKilledOnFullDisk(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root mounts a small file system")
	}
	folder, disk := t.TempDir(), t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk).CombinedOutput(); err != nil {
		t.Skipf("no small file system: %v %s", err, out)
	}
	t.Cleanup(func() { _ = exec.Command("umount", disk).Run() })
	data, file := moons(t, folder, 300), filepath.Join(disk, "labels.db")
	l := labellingPage(t, data, "--store", file, "--quiet", "--label", "label")
	defer l.kill()
	if text, code, _ := l.post("/api/events", `{"person":"anna","events":[{"key":"zero","kind":"class-add","name":"zero"}]}`); code != http.StatusOK {
		t.Fatal(text)
	}
	sent, acknowledged, refused := map[string]int{}, map[string]int{}, 0
	filler := filepath.Join(disk, "filler")
	for k := 0; refused < 5; k++ {
		if k == 20 {
			fill(t, filler)
		}
		key, row := fmt.Sprint("anna-", k), 1+k%300
		text, code, ok := l.post("/api/events", fmt.Sprintf(`{"person":"anna","events":[{"key":%q,"kind":"label","row":%d,"class":0}]}`, key, row))
		switch sent[key] = row; {
		case ok && code == http.StatusOK:
			acknowledged[key] = row
		case ok && code == http.StatusInsufficientStorage && strings.Contains(text, "the disk is full: make room"):
			delete(sent, key) // it must not be there
			refused++
		default:
			t.Fatalf("%d %s", code, text)
		}
	}
	l.kill()
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	checkEvents(t, data, file, sent, acknowledged)
	l = labellingPage(t, data, "--store", file, "--quiet", "--label", "label") // and it goes on
	defer l.kill()
	if text, code, _ := l.post("/api/events", `{"person":"anna","events":[{"key":"more","kind":"label","row":1,"class":0}]}`); code != http.StatusOK {
		t.Error(text)
	}
	if len(acknowledged) < 20 {
		t.Errorf("%d labels were acknowledged", len(acknowledged))
	}
}

// fill writes a file until its disk is full.
func fill(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	for block := make([]byte, 4096); err == nil; {
		_, err = f.Write(block)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// checkEvents reads a store as lapsvm label would, and compares its events with the sent and
// the acknowledged ones.
func checkEvents(t *testing.T, data, file string, sent, acknowledged map[string]int) {
	t.Helper()
	d, err := files.ReadFile(data, files.Options{Keep: true, Label: "label"})
	if err != nil {
		t.Fatal(err)
	}
	s := storeOf(t, d, file)
	defer s.Close()
	there := map[string]int{}
	for e := range s.Events() {
		if e.Kind == store.Label {
			there[e.Key]++
			if row, is := sent[e.Key]; !is || row != e.Row+1 {
				t.Errorf("%s: row %d, sent was %d", e.Key, e.Row+1, row)
			}
		}
	}
	for key := range acknowledged {
		if there[key] != 1 {
			t.Errorf("the label %s that was acknowledged is there %d times", key, there[key])
		}
	}
	for key, times := range there {
		if times != 1 {
			t.Errorf("the label %s is there %d times", key, times)
		}
	}
	if drift := s.Drift(); drift.Any() {
		t.Errorf("%+v", drift)
	}
}

// storeOf opens a store as lapsvm label would.
func storeOf(t *testing.T, d *dataset.Dataset, file string) *store.Store {
	t.Helper()
	hashes, err := labelpage.NewContent(d, nil, nil).Hashes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(t.Context(), file, store.Data{Name: "points", Hashes: hashes})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Ctrl-C ends the program without an error, with all labels on disk. A second program on the
// same store gets an error that names the first.
func TestLabelEnds(t *testing.T) {
	folder := t.TempDir()
	data := moons(t, folder, 60)
	l := labellingPage(t, data)
	code, _, stderr := lapsvmRun(t, t.Context(), "", "label", data)
	if code != cli.ExitFailed || !strings.Contains(stderr, "is open in another lapsvm label") {
		t.Errorf("%d %s", code, stderr)
	}
	stream, err := l.browser.Get(l.url + "/api/stream") // which does not hold it up
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	if text, code, _ := l.post("/api/events", `{"person":"anna","events":[{"key":"k","kind":"label","row":1,"class":1}]}`); code != http.StatusOK {
		t.Fatal(text)
	}
	if err := os.Rename(data, data+".kept"); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(data, 0o600); err != nil { // nor does a pipe that nobody writes to
		t.Fatal(err)
	}
	var seen struct{ Warnings []string }
	for len(seen.Warnings) == 0 {
		text, _ := l.get(t, "/api/state")
		if err := json.Unmarshal([]byte(text), &seen); err != nil {
			t.Fatal(err)
		}
		time.Sleep(100 * time.Millisecond)
	}
	if !strings.Contains(seen.Warnings[0], "is a pipe or a device") {
		t.Errorf("%q", seen.Warnings)
	}
	if err := l.process.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	rest, _ := io.ReadAll(l.errors)
	if err := l.process.Wait(); err != nil || !strings.HasSuffix(string(rest), "to train with these labels: lapsvm train "+data+" --labels "+data+".labels.db -o MODEL\n") {
		t.Errorf("%v: %s", err, rest)
	}
	if err := os.Rename(data+".kept", data); err != nil {
		t.Fatal(err)
	}
	l = labellingPage(t, data)
	defer l.kill()
	var state struct {
		People []struct {
			Name   string
			Labels int
		}
	}
	answer, err := l.browser.Get(l.url + "/api/state")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if err := json.NewDecoder(answer.Body).Decode(&state); err != nil || len(state.People) == 0 || state.People[0].Name != "anna" || state.People[0].Labels != 1 {
		t.Errorf("%+v, %v", state, err)
	}
}
