package labelpage

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"lapsvm/app/labelpage/store"
	"lapsvm/dataset/files"
)

// Config is the configuration of a server: the data to show and the store of their labels.
type Config struct {
	Name    string   // of the data
	Content *Content // that the page begins with
	Store   *store.Store
	Open    Opener
	Exports Exports
	// Source is watched while the page is open, and its new rows are taken in. With its
	// zero value nothing is watched.
	Source Source
	// Warnings are shown on the page as long as it is open.
	Warnings []string
	// Audits is N where one point in N is drawn at random to measure the machine's
	// accuracy; 0 means 10, −1 none.
	Audits int
	// Hosts are accepted names of the server, besides those of the loopback and addresses.
	Hosts []string
	// Token is the token that requests must carry; "" makes one. A restarted program gives
	// the token of before, so that open pages still work.
	Token string
	// StoreID names the store, see [store.Store.ID].
	StoreID string
}

// Server serves the page.
type Server struct {
	Config
	rows      atomic.Pointer[Content]  // the rows there are
	notices   atomic.Pointer[[]string] // what became of the data meanwhile, for people
	troubled  string                   // the notice that says why the rows cannot be taken in
	engine    *engine
	token     string
	whys      explaining
	room      *files.ImageRoom // for pictures while they are decoded
	changes   changes
	stating   sync.Mutex
	states    int64 // the number of the last one taken, which stating is for one at a time
	offers    offers
	exporting exporting
	ctx       context.Context // of the server
}

// New makes a server.
func New(c Config) *Server {
	if c.Audits == 0 {
		c.Audits = 10
	}
	s := &Server{Config: c, token: cmp.Or(c.Token, rand.Text()), room: files.NewImageRoom(pictureRoom), states: time.Now().UnixMicro(), ctx: context.Background()}
	s.rows.Store(c.Content)
	s.notices.Store(new([]string))
	s.engine = newEngine(c.Store, c.Content.Data, c.Open, s.changes.tell)
	return s
}

// content returns the rows there are.
func (s *Server) content() *Content { return s.rows.Load() }

// Limits of requests. Answers have no limit of time: the stream stays open.
const (
	headerTime  = 10 * time.Second
	requestTime = time.Minute
	idleTime    = 2 * time.Minute
	endTime     = 3 * time.Second // for requests that go on when the server is to end
	headerBytes = 16 << 10
	bodyBytes   = 8 << 20
)

// Serve answers on l and learns labels until ctx is done, then lets requests that go on
// end. Everything that was acknowledged is in the store.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	working, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	s.ctx = working
	var behind sync.WaitGroup
	behind.Go(func() { s.engine.run(working) })
	behind.Go(func() { s.watch(working) })
	server := &http.Server{Handler: s.Handler(), ReadHeaderTimeout: headerTime, ReadTimeout: requestTime, IdleTimeout: idleTime, MaxHeaderBytes: headerBytes,
		BaseContext: func(net.Listener) context.Context { return working }}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(l) }()
	var err error
	select {
	case err = <-failed:
	case <-ctx.Done():
	}
	s.changes.end()
	stop()
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTime)
	defer cancel()
	if server.Shutdown(ending) != nil {
		server.Close()
	}
	behind.Wait()
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// Handler returns the handlers behind the checks of guard.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.page)
	mux.HandleFunc("GET /assets/{name}", s.asset)
	mux.HandleFunc("GET /api/state", s.getState)
	mux.HandleFunc("GET /api/next", s.getNext)
	mux.HandleFunc("GET /api/points", s.getPoints)
	mux.HandleFunc("GET /api/image/{name}", s.getImage)
	mux.HandleFunc("POST /api/events", s.postEvents)
	mux.HandleFunc("POST /api/undo", s.postTurn)
	mux.HandleFunc("POST /api/redo", s.postTurn)
	mux.HandleFunc("GET /api/why", s.getWhy)
	mux.HandleFunc("GET /api/search", s.getSearch)
	mux.HandleFunc("GET /api/similar", s.getSimilar)
	mux.HandleFunc("GET /api/map", s.getMap)
	mux.HandleFunc("GET /api/map/colours", s.getColours)
	mux.HandleFunc("POST /api/region", s.postRegion)
	mux.HandleFunc("GET /api/suspicious", s.getSuspicious)
	mux.HandleFunc("GET /api/people", s.getPeople)
	mux.HandleFunc("GET /api/export/{name}", s.getExport)
	mux.HandleFunc("GET /api/stream", s.getStream)
	return s.guard(mux)
}
