package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"lapsvm/dataset"
	"lapsvm/internal/numbers/parallel"
)

// Config is the configuration of a server: its models, its clients and its limits.
type Config struct {
	Paths       []string     // model files, and folders of them
	Version     string       // of the program
	Token       string       // that who asks must have; "" is none
	Host        string       // by which a server of the loopback may be asked beside its addresses
	Certificate *Certificate // that TLS is spoken with; nil is plain HTTP
	Limits      Limits
	Threads     int                                                 // that compute; 0 is one for each processor
	Log         *slog.Logger                                        // nil for none
	Reloaded    func()                                              // called when models have changed; may be nil
	Embedder    func(ctx context.Context) (dataset.Embedder, error) // what makes vectors of the texts of a request; nil for nothing
	Poll        time.Duration                                       // between two looks at the files; 0 is 2 s, less than 0 none
}

// Limits bound the resources of requests. Those that are 0 are the defaults.
type Limits struct {
	Body     int64         // bytes of a body; 64 MiB
	Memory   int64         // bytes that all requests and their answers take together, beside the models; 16 bodies
	Rows     int           // of a request; 100,000
	Requests int           // computed at a time; 256
	Batch    int           // rows of a batch; 192, a tile of the arithmetic
	Batches  int           // of few rows, of a model, computed at a time; one for every two threads: the others read and write
	Time     time.Duration // from the header of a request to its answer, and for its body; 60 s
	Drain    time.Duration // for requests that go on when the server is to end; 30 s
}

func (l Limits) defaults(threads int) Limits {
	set(&l.Body, 64<<20)
	set(&l.Memory, 16*min(l.Body, math.MaxInt64/16))
	l.Body = min(l.Body, l.Memory, math.MaxInt/4)
	set(&l.Rows, 100_000)
	set(&l.Requests, 256)
	set(&l.Batch, 192)
	set(&l.Batches, max(1, threads/2))
	set(&l.Time, time.Minute)
	set(&l.Drain, 30*time.Second)
	return l
}

func set[T comparable](to *T, value T) {
	if *to == *new(T) {
		*to = value
	}
}

// Limits of connections.
const (
	headerTime  = 10 * time.Second
	idleTime    = 2 * time.Minute
	headerBytes = 16 << 10
)

// Server answers requests with models.
type Server struct {
	Config
	ctx      context.Context // of batches and models; ended when the server has
	stop     context.CancelFunc
	metrics  *metrics
	places   chan struct{} // of requests that are computed
	memory   atomic.Int64  // bytes that requests hold
	ending   atomic.Bool
	loopback bool

	serving   atomic.Pointer[catalogue]
	reloading sync.Mutex
	files     map[string]*fileState // by path; guarded by reloading
}

// New makes a server. Call [Server.Reload] before it serves, to have models.
func New(c Config) *Server {
	base := parallel.WithLimit(context.Background(), c.Threads)
	c.Threads = parallel.Threads(base)
	c.Limits = c.Limits.defaults(c.Threads)
	set(&c.Poll, 2*time.Second)
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	c.Log = slog.New(brief{c.Log.Handler()})
	s := &Server{Config: c, metrics: newMetrics(), places: make(chan struct{}, c.Limits.Requests)}
	s.ctx, s.stop = context.WithCancel(base)
	s.serving.Store(&catalogue{})
	return s
}

// Models returns how many models are served.
func (s *Server) Models() int { return len(*s.serving.Load()) }

// Serve answers on l, and follows the files, until ctx is done. Then it takes no more
// connections, answers the requests that it has, for at most Limits.Drain, and ends. It also
// ends when l fails. It is called once.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	defer s.stop()
	ctx, cancel := context.WithCancel(ctx)
	if tcp, is := l.Addr().(*net.TCPAddr); is {
		s.loopback = tcp.IP.IsLoopback()
	}
	if s.Certificate != nil {
		l = s.Certificate.listener(l)
	}
	server := &http.Server{Handler: s.handler(), ReadHeaderTimeout: headerTime, ReadTimeout: s.Limits.Time, WriteTimeout: 2 * min(s.Limits.Time, math.MaxInt64/2), IdleTimeout: idleTime, MaxHeaderBytes: headerBytes,
		BaseContext: func(net.Listener) context.Context { return s.ctx }, ErrorLog: slog.NewLogLogger(s.Log.Handler(), slog.LevelWarn)}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(l) }()
	var following sync.WaitGroup
	following.Go(func() { s.follow(ctx) })
	defer following.Wait()
	defer cancel()
	select {
	case err := <-failed:
		server.Close()
		return fmt.Errorf("no more connections come: %w", err)
	case <-ctx.Done():
	}
	s.ending.Store(true)
	s.Log.Info("ending", "requests", len(s.places))
	drain, end := context.WithTimeout(s.ctx, s.Limits.Drain)
	defer end()
	if err := server.Shutdown(drain); err != nil {
		server.Close()
		s.Log.Error("ended before all requests were answered", "requests", len(s.places))
		return errors.New("requests went on when the time to end was over; they were given up")
	}
	s.Log.Info("ended")
	return nil
}

// follow looks at the files again and again until ctx is done.
func (s *Server) follow(ctx context.Context) {
	if s.Poll < 0 {
		return
	}
	tick := time.NewTicker(s.Poll)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			_ = s.Reload(ctx) // which logs what is wrong
		}
	}
}
