package labelpage_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"lapsvm"
	"lapsvm/app/labelpage"
	"lapsvm/app/labelpage/store"
	"lapsvm/dataset"
	"lapsvm/internal/testing/chromium"
)

// patience is the longest wait of a test for an event before the test fails.
const patience = time.Minute

// service is a server with its store, behind a relay that can be cut.
type service struct {
	t       *testing.T
	set     *dataset.Dataset
	truth   []int // the digits that its images show
	content *labelpage.Content
	source  labelpage.Source                          // of what comes; none where it is zero
	trainer lapsvm.Trainer                            // by which machines learn: rules of thumb
	machine func(labelpage.Machine) labelpage.Machine // put around every machine; nil for none
	store   *store.Store
	relay   *relay
	id      string // that the page is told of the store
	url     string // with the token
	end     func()
}

// serveDigits serves n drawn digits, with the ten classes.
func serveDigits(t *testing.T, n int, seed uint64) *service {
	t.Helper()
	return serveDigitsIn(t, t.TempDir(), n, seed)
}

// serveDigitsIn is serveDigits with the store in a folder.
func serveDigitsIn(t *testing.T, folder string, n int, seed uint64) *service {
	t.Helper()
	set, truth := digits(n, seed)
	s := serveIn(t, folder, set, tenDigits...)
	s.truth = truth
	return s
}

// serve shows a set, with classes to begin with.
func serve(t *testing.T, set *dataset.Dataset, classes ...string) *service {
	t.Helper()
	return serveIn(t, t.TempDir(), set, classes...)
}

// serveIn is serve with the store in a folder.
func serveIn(t *testing.T, folder string, set *dataset.Dataset, classes ...string) *service {
	t.Helper()
	content := labelpage.NewContent(set, nil, nil)
	hashes, err := content.Hashes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "labels.db")
	kept, err := store.Open(t.Context(), path, store.Data{Name: "digits", Hashes: hashes})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := kept.Close(); err != nil {
			t.Error(err)
		}
	})
	var events []store.Event
	for _, name := range classes {
		events = append(events, store.Event{Person: "setup", Kind: store.ClassAdd, Name: name, Key: "class " + name})
	}
	if _, err := kept.Append(t.Context(), events); err != nil {
		t.Fatal(err)
	}
	s := &service{t: t, set: set, content: content, store: kept, relay: newRelay(t)}
	s.trainer.Recipe.RulesOfThumb = true
	s.start()
	return s
}

// start runs a server on the store, with a token of its own.
func (s *service) start() {
	s.t.Helper()
	learns := labelpage.Learning(s.trainer)
	opener := func(ctx context.Context, d *dataset.Dataset, labels []int, classes []string, stage func(string, float64)) (labelpage.Machine, error) {
		m, err := learns(ctx, d, labels, classes, stage)
		if err == nil && s.machine != nil {
			m = s.machine(m)
		}
		return m, err
	}
	token := rand.Text()
	server := labelpage.New(labelpage.Config{Name: "digits", Token: token, Content: s.content, Store: s.store, Open: opener, Source: s.source, Audits: -1, Exports: exportsBy(s.trainer), StoreID: s.id})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		s.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(s.t.Context()))
	done := make(chan error, 1)
	go func() { done <- server.Serve(ctx, l) }()
	s.end = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			s.t.Error(err)
		}
	})
	s.t.Cleanup(s.end)
	s.relay.lead(l.Addr().String())
	s.url = "http://" + s.relay.address + "/?token=" + token
}

// exportsBy makes models by a trainer, and a placeholder for the report.
func exportsBy(trainer lapsvm.Trainer) labelpage.Exports {
	return labelpage.Exports{
		Model: func(ctx context.Context, labelled *dataset.Dataset, _ func(part string, done, of int), w io.Writer) error {
			m, err := trainer.Fit(ctx, labelled)
			if err != nil {
				return err
			}
			return m.Write(w)
		},
		Report: func(_ context.Context, labelled *dataset.Dataset, _ func(part string, done, of int), w io.Writer) error {
			_, err := fmt.Fprintf(w, "<title>%d classes</title>", len(labelled.Classes))
			return err
		},
	}
}

// settled returns the classes' names of the rows that have one, by row from 1.
func (s *service) settled() map[int]string {
	all := make(map[int]string)
	s.store.View(func(st *store.State) {
		for row, label := range st.Labels() {
			all[row+1] = label
		}
	})
	return all
}

// part is a part of a test in a browser, with a server of its own.
type part struct {
	name string
	test func(*testing.T, context.Context)
}

// parts are what people do on the page.
var parts = []part{
	{"wrong token", wrongToken},
	{"labelling", labelling},
	{"first classes", firstClasses},
	{"speaks and hides", speaksAndHides},
	{"network cut", networkCut},
	{"closed page", closedPage},
	{"another server", anotherServer},
	{"full disk", fullDisk},
	{"read-only store", readOnlyStore},
	{"three people", threePeople},
	{"second opinions", secondOpinions},
	{"region", region},
	{"batch", batch},
	{"suspicious", suspicious},
	{"error to expect", errorToExpect},
	{"find", find},
	{"pictures", picturesAsTheyAre},
	{"rows and texts", rowsAndTexts},
	{"rows come", rowsCome},
	{"numbers", numbers},
	{"several classes", severalClasses},
	{"why", why},
	{"ordered classes", orderedClasses},
	{"accessible", accessible},
}

// TestPage drives the page in one browser.
func TestPage(t *testing.T) {
	b := chromium.Start(t)
	for _, part := range append(parts, part{"late answers", lateAnswers}, part{"turns", turns}) {
		t.Run(part.name, func(t *testing.T) { part.test(t, b) })
	}
}
