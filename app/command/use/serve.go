package use

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"lapsvm/app/command/cli"
	"lapsvm/app/command/input"
	"lapsvm/app/server"
	"lapsvm/dataset"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/system/fault"
)

// serveRequest holds the flags of serve.
type serveRequest struct {
	output                 cli.OutputFlags
	address                string
	tokenFile              string
	certificate, key       string
	maxBody, memory        string
	maxRows, concurrency   int
	batch                  int
	timeout, drain, reload time.Duration
	logRequests            bool
	embed                  input.EmbedFlags
}

// Serve returns the command serve, which answers requests with models.
func Serve(p *cli.Program) *cobra.Command {
	var r serveRequest
	c := &cobra.Command{
		Use:   "serve MODEL...",
		Short: "Answer with models over HTTP (Open Inference Protocol)",
		Long: `serve answers over HTTP with models: tensors by the Open Inference Protocol,
version 2 or 1, and rows of tables as CSV, JSON, JSON lines or Parquet, whose columns are
found by name as in predict. MODEL is a model file, or a folder of them: NAME.lapsvm, or
NAME/VERSION.lapsvm, of which the latest version answers where none is named.

Files that change are read again without losing a request. While a file is damaged or not
yet whole, the model before it stays. After Ctrl-C or SIGTERM the server answers the requests
that it has, and ends.

Open its address in a browser for a page that describes the models; /openapi.json describes
all addresses, and /metrics has the numbers for Prometheus.`,
		Example: `  lapsvm serve model.lapsvm
  lapsvm serve models/ --address 0.0.0.0:8080 --token-file token.txt --tls-cert cert.pem --tls-key key.pem
  curl -H 'Content-Type: text/csv' --data-binary @points.csv http://127.0.0.1:8080/v2/models/model/predict`,
		Args: cli.Arguments("MODEL..."),
		RunE: func(c *cobra.Command, args []string) error { return runServe(p, c, args, &r) },
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVar(&r.address, "address", "127.0.0.1:8080", "host and port to serve on; port 0 takes any free port, and only a host outside the loopback lets other machines in")
	flags.StringVar(&r.tokenFile, "token-file", "", "file with the token that requests must have, as Authorization: Bearer TOKEN (default: none needed)")
	flags.StringVar(&r.certificate, "tls-cert", "", "PEM file with the certificate, for https; read again when it changes")
	flags.StringVar(&r.key, "tls-key", "", "PEM file with its key")
	cli.AddSection(flags, "Limits", func(flags *pflag.FlagSet) {
		flags.StringVar(&r.maxBody, "max-body", "64MB", "largest body of a request")
		flags.StringVar(&r.memory, "memory", "", "memory of all requests together, their bodies, rows and answers, such as 500MB, 8GB or 40%; models come on top (default: 16 times --max-body, less where less is free)")
		flags.IntVar(&r.maxRows, "max-rows", 100000, "most rows of a request")
		flags.IntVar(&r.concurrency, "concurrency", 256, "requests computed at a time; further requests are told to come again")
		flags.IntVar(&r.batch, "batch", 192, "rows of several requests computed together")
		flags.DurationVar(&r.timeout, "timeout", time.Minute, "time for a request, and for its body")
		flags.DurationVar(&r.drain, "drain", 30*time.Second, "time that open requests still get once the server is told to end")
		flags.DurationVar(&r.reload, "reload", 2*time.Second, "time between two checks whether the files changed; SIGHUP checks at once; 0 for no checks")
		flags.Int("threads", 0, "threads that compute (default: all processors)")
	})
	r.embed.Register(flags)
	r.embed.RegisterProcesses(flags)
	flags.BoolVar(&r.logRequests, "log-requests", false, "write a line to standard error for every request, not only for failed ones")
	r.output.Register(p, c)
	for _, name := range []string{"json", "progress"} {
		flags.Lookup(name).Hidden = true
	}
	cli.ForBeginners(c, "address", "token-file", "tls-cert", "tls-key", "max-body", "concurrency", "timeout", "log-requests")
	return c
}

// check refuses a request that cannot be answered, before anything is read.
func (r *serveRequest) check() (limits server.Limits, err error) {
	host, port, err := net.SplitHostPort(r.address)
	if err != nil {
		return limits, cli.Usagef("--address takes a host and a port such as 127.0.0.1:8080, not %q", r.address)
	}
	if host == "" { // which would be all addresses, and was not asked for
		r.address = net.JoinHostPort("127.0.0.1", port)
	}
	if (r.certificate == "") != (r.key == "") {
		return limits, cli.Usagef("--tls-cert and --tls-key go together: give both, or none")
	}
	body, err := cli.ParseSize("max-body", r.maxBody)
	if err != nil {
		return limits, err
	}
	memory, err := r.budget(body)
	if err != nil {
		return limits, err
	}
	for _, n := range []struct {
		flag  string
		value int
	}{{"max-rows", r.maxRows}, {"concurrency", r.concurrency}, {"batch", r.batch}} {
		if n.value < 1 {
			return limits, cli.Usagef("--%s takes a number from 1 on, not %d", n.flag, n.value)
		}
	}
	const longest = 24 * time.Hour
	if min(r.timeout, r.drain) <= 0 || max(r.timeout, r.drain) > longest || r.reload < 0 {
		return limits, cli.Usagef("--timeout and --drain take a time such as 30s, 24h at most, and --reload one or 0")
	}
	return server.Limits{Body: body, Memory: memory, Rows: r.maxRows, Requests: r.concurrency, Batch: r.batch, Time: r.timeout, Drain: r.drain}, nil
}

// budget returns the memory for requests with bodies of limited size.
func (r *serveRequest) budget(body int64) (int64, error) {
	memory, err := cli.MemoryBudget(r.memory)
	if err != nil || r.memory != "" && memory > 0 {
		return memory, err
	}
	const bodies = 16
	usual := bodies * min(body, math.MaxInt64/bodies)
	if memory == 0 { // how much is free cannot be told
		return usual, nil
	}
	return min(usual, memory), nil
}

// runServe serves models until it is interrupted.
func runServe(p *cli.Program, c *cobra.Command, paths []string, r *serveRequest) error {
	ctx := c.Context()
	limits, err := r.check()
	if err != nil {
		return err
	}
	token, err := readToken(ctx, r.tokenFile)
	if err != nil {
		return err
	}
	var certificate *server.Certificate
	if r.certificate != "" {
		certificate, err = cli.Interruptible(ctx, func() (*server.Certificate, error) { return server.ReadCertificate(r.certificate, r.key) })
		if err != nil {
			return cli.BadData(err)
		}
	}
	host, _, _ := net.SplitHostPort(r.address)
	level := slog.LevelInfo
	if r.logRequests {
		level = slog.LevelDebug
	}
	var log io.Writer = p.Errors()
	if r.output.Quiet {
		log = io.Discard
	}
	poll := r.reload
	if poll == 0 {
		poll = -1
	}
	s := server.New(server.Config{Paths: paths, Embedder: func(ctx context.Context) (dataset.Embedder, error) { return r.embed.For(ctx, p, limits.Memory) }, Version: cli.ThisBuild().String(), Token: token, Host: host, Certificate: certificate, Limits: limits, Threads: parallel.Threads(ctx), Poll: poll, Reloaded: func() { limitHeap(limits.Memory) },
		Log: slog.New(slog.NewJSONHandler(log, &slog.HandlerOptions{Level: level}))})
	debug.SetMemoryLimit(math.MaxInt64) // until it is known what models take
	if err := s.Reload(ctx); err != nil && (ctx.Err() != nil || s.Models() == 0 || !isFolder(paths)) {
		return cli.BadData(err)
	}
	if s.Models() == 0 {
		return cli.BadData(fmt.Errorf("there is no model in %s: it must hold NAME%s or NAME/VERSION%s", paths[0], server.Ending, server.Ending))
	}
	r.embed.Expect(s.Embedded()...)
	if _, err := r.embed.For(ctx, p, limits.Memory); err != nil { // before the first request
		return err
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", r.address)
	if err != nil {
		return fault.Errorf("cannot serve on %s: %w: choose another with --address, or port 0 for any free one", r.address, err)
	}
	defer l.Close()
	scheme, warn := "http", p.Warnings(&r.output).Warn
	if certificate != nil {
		scheme = "https"
	}
	if tcp, is := l.Addr().(*net.TCPAddr); is && !tcp.IP.IsLoopback() {
		if token == "" {
			warn("other machines can ask this server, without a token: give one with --token-file")
		}
		if certificate == nil {
			warn("other machines can reach this server, without encryption: give --tls-cert and --tls-key, or have a proxy before it")
		}
	}
	stop := onHangup(func() { _ = s.Reload(ctx) })
	defer stop()
	p.Left()
	fmt.Fprintf(p.Errors(), "serving on %s://%s\n", scheme, l.Addr())
	return s.Serve(ctx, l)
}

// limitHeap makes the garbage collector keep within the memory for requests plus the present
// memory of the models. It gets a little less, as it ends a collection late where much is
// taken at once; requests count more than they keep.
func limitHeap(requests int64) {
	runtime.GC()
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	if models := int64(sample[0].Value.Uint64()); requests < math.MaxInt64-models {
		debug.SetMemoryLimit(models + requests - requests/8)
	}
}

// isFolder reports whether any of the paths is a folder, whose other models serve while one
// is damaged.
func isFolder(paths []string) bool {
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			return true
		}
	}
	return false
}

// readToken reads the file of a token.
func readToken(ctx context.Context, path string) (string, error) {
	if path == "" {
		return "", nil
	}
	const shortest, most = 16, 4 << 10
	text, err := cli.ReadText(ctx, path, most)
	if err != nil {
		return "", cli.BadData(err)
	}
	token := string(bytes.TrimSpace(text))
	if len(token) < shortest || bytes.ContainsAny([]byte(token), " \t\r\n") {
		return "", cli.BadData(fmt.Errorf("%s has no token: it must be one word of %d characters or more", path, shortest))
	}
	return token, nil
}
