package tools

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"lapsvm/app/command/cli"
	"lapsvm/internal/ranks/comm"
)

// rankSpeed describes the ranks of a run and the speed of their messages.
type rankSpeed struct {
	Library string   `json:"library"`
	Hosts   []string `json:"hosts"`   // by rank
	Latency float64  `json:"latency"` // seconds of a sum of 8 bytes
	Rate    float64  `json:"rate"`    // bytes a second that each sends, in long exchanges with all
}

// The numbers of measured sums and exchanges, and the bytes sent by a rank in one exchange.
const (
	sumsMeasured      = 1000
	exchangesMeasured = 5
	exchangeSize      = 64 << 20
)

// measureRanks measures, on all ranks together.
func measureRanks(ctx context.Context, c *comm.Comm, library, host string) (*rankSpeed, error) {
	names, err := c.Gather(ctx, []byte(host))
	if err != nil {
		return nil, err
	}
	s := &rankSpeed{Library: library}
	for _, name := range names {
		s.Hosts = append(s.Hosts, string(name))
	}
	one := make([]float64, 1)
	s.Latency, err = seconds(ctx, c, sumsMeasured, func() error { return c.Sum(ctx, one) })
	if err != nil {
		return nil, err
	}
	receive, send := make([][]byte, c.Size()), make([][]byte, c.Size())
	for k := range send {
		if k != c.Rank() {
			receive[k], send[k] = make([]byte, exchangeSize/(c.Size()-1)), make([]byte, exchangeSize/(c.Size()-1))
		}
	}
	each, err := seconds(ctx, c, exchangesMeasured, func() error { return c.Exchange(ctx, receive, send) })
	s.Rate = exchangeSize / each
	return s, err
}

// seconds returns how long one call takes the slowest rank, after a first that is not
// counted.
func seconds(ctx context.Context, c *comm.Comm, times int, do func() error) (float64, error) {
	if err := do(); err != nil {
		return 0, err
	}
	began := time.Now()
	for range times {
		if err := do(); err != nil {
			return 0, err
		}
	}
	took := []float64{time.Since(began).Seconds() / float64(times)}
	err := c.Max(ctx, took)
	return took[0], err
}

func benchRanks(ctx context.Context, p *cli.Program, json bool) error {
	if p.Comm() == nil {
		return cli.Usagef("--ranks measures processes that work together: mpirun -n 2 lapsvm bench --ranks")
	}
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	s, err := measureRanks(ctx, p.Comm(), p.MPILibrary(), host)
	if err != nil || json {
		if err == nil {
			err = cli.PrintJSON(p.Stdout, s)
		}
		return err
	}
	on := make(map[string]int)
	var hosts []string
	for _, host := range s.Hosts {
		if on[host]++; on[host] == 1 {
			hosts = append(hosts, host)
		}
	}
	for k, host := range hosts {
		hosts[k] = fmt.Sprintf("%s (%d)", host, on[host])
	}
	fmt.Fprintf(p.Text, "%s by %s, %s\n", cli.Count(len(s.Hosts), "rank", "ranks"), p.Launcher(), s.Library)
	fmt.Fprintf(p.Text, "on %s\n", strings.Join(hosts, ", "))
	fmt.Fprintf(p.Text, "a sum of 8 bytes takes %.3g µs, and a rank sends %.3g GB/s in long exchanges\n", s.Latency*1e6, s.Rate/1e9)
	return nil
}
