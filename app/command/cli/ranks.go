package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"lapsvm/dataset"
	"lapsvm/internal/ranks/comm"
	"lapsvm/internal/ranks/mpi"
	"lapsvm/internal/system/machine"
	"lapsvm/internal/system/unfinished"
)

// ranks describes this process among the processes that a launcher of MPI started. The zero
// value is a process that works alone.
type ranks struct {
	launch    mpi.Launch
	several   bool
	apart     error  // why they cannot work together, where that is known
	library   string // of --mpi
	errors    people // where errors go; rank 0 alone prints anything else
	transport *mpi.Transport
	comm      *comm.Comm      // nil alone, and before the command joins
	ctx       context.Context // done when another rank ends
	own, all  processors      // of this rank, and of all ranks of this machine
	here      int             // ranks of this machine
}

// Comm joins the ranks that work on the command, nil for a process alone.
func (p *Program) Comm() *comm.Comm { return p.ranks.comm }

// Launcher returns the name of the launcher that started this process and others, "" for a process
// alone.
func (p *Program) Launcher() string {
	if !p.ranks.several {
		return ""
	}
	return p.ranks.launch.By
}

// MPILibrary returns the name of the library of MPI that ranks have joined by.
func (p *Program) MPILibrary() string { return p.ranks.transport.Library() }

// mpiOff is the value of --mpi by which each process works alone.
const mpiOff = "off"

// launchedRanks finds out how the process was started, by its environment and by --mpi. This
// must be known before anything is printed.
func launchedRanks(args []string, getenv func(string) string, stderr io.Writer) ranks {
	r := ranks{library: mpiArgument(args), errors: people{stderr}}
	if r.library != mpiOff {
		r.launch, r.several, r.apart = mpi.Launched(getenv)
	}
	return r
}

// mpiArgument returns the value of --mpi.
func mpiArgument(args []string) (value string) {
	for k, arg := range args {
		if arg == "--" {
			break
		}
		if text, found := strings.CutPrefix(arg, "--mpi="); found {
			value = text
		} else if arg == "--mpi" && k+1 < len(args) {
			value = args[k+1]
		}
	}
	return value
}

// OnRanks marks a command that ranks work on together.
const OnRanks = "ranks"

// addRanks adds --mpi to all commands below one, and shows it where ranks work together.
func (p *Program) addRanks(c *cobra.Command) {
	for _, sub := range c.Commands() {
		// launchedRanks has read it.
		sub.Flags().String("mpi", "", "MPI library, under mpirun or srun (default: the launcher's); off: each process works alone")
		sub.Flags().Lookup("mpi").Hidden = sub.Annotations[OnRanks] == ""
		p.addRanks(sub)
	}
}

// checkRanks refuses a command that every process of a launcher would do for itself.
func (p *Program) checkRanks(c *cobra.Command) error {
	switch r := &p.ranks; {
	case !r.several, c.Annotations[OnRanks] != "", c.GroupID == ToolsGroup && c.Name() == "help", c.Hidden, c.HasParent() && c.Parent().Name() == "completion":
		return nil
	default:
		return Usagef("%s works in one process, but %s started %d: start one process, or give --mpi off, so that each works for itself", c.CommandPath(), r.launch.By, r.launch.Size)
	}
}

// join makes the process one of the started ranks, if there are two or more. Then
// p.ranks.comm is not nil, and the context of the command is done when another rank ends. Ranks that were not called alike fail.
func (p *Program) join(c *cobra.Command, args []string) error {
	r := &p.ranks
	if !r.several || c.Annotations[OnRanks] == "" {
		return nil
	}
	ctx, err := r.join(c.Context())
	if err != nil {
		return err
	}
	c.SetContext(ctx)
	r.transport.TellWaiting(waitsFor, waitsAgain, p.waits)
	if err := r.agree(c, args); err != nil {
		return err
	}
	return r.takePart(c)
}

// How long others are waited for until that is said, and again.
const (
	waitsFor   = 30 * time.Second
	waitsAgain = time.Minute
)

// waits shows the ranks that this one waits for, the time waited, and the present step of
// this one.
func (p *Program) waits(ranks []int, waited time.Duration) {
	if p.Quiet {
		return
	}
	text := fmt.Sprintf("waiting for %s since %d s", rankNames(ranks), int(waited.Seconds()))
	if task := p.Progress.task(); task != "" {
		text += ", at " + task
	}
	text += ": a slower machine or a file that does not come, or a process that hangs"
	if own := p.ranks.launch.Rank; own > 0 {
		fmt.Fprintf(p.ranks.errors, "warning: rank %d is %s\n", own, text)
		return
	}
	slog.New(warningHandler{p, new(sync.Map)}).Warn(text)
}

// rankNames names the first of many ranks.
func rankNames(ranks []int) string {
	const shown = 5
	if len(ranks) == 1 {
		return fmt.Sprintf("rank %d", ranks[0])
	}
	var names []string
	for _, r := range ranks[:min(len(ranks), shown)] {
		names = append(names, strconv.Itoa(r))
	}
	text := "ranks " + strings.Join(names, ", ")
	if more := len(ranks) - shown; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// takePart has a rank take its part of the processors and, where --memory does not say
// otherwise, of the memory of its machine.
func (r *ranks) takePart(c *cobra.Command) error {
	host, err := os.Hostname()
	if err != nil {
		return err
	}
	own := seat{host, machine.Processors()}
	seats, err := dataset.All(dataset.NewRanks(c.Context(), r.comm), own)
	if err != nil {
		return err
	}
	r.share(own, seats, runtime.GOMAXPROCS(0))
	if r.here > r.all.threads {
		r.transport.Crowded()
	}
	runtime.GOMAXPROCS(r.own.threads)
	flag := c.Flags().Lookup("memory")
	if flag == nil || flag.Changed {
		return nil
	}
	free, err := MemoryBudget("")
	if err != nil || free == 0 {
		return err
	}
	return flag.Value.Set(fmt.Sprintf("%dMB", max(free/int64(r.here)>>20, 1)))
}

// seat is where a rank runs.
type seat struct {
	Host       string // name of the machine
	Processors []int  // that the rank may run on; nil where that is unknown
}

// processors are some that a rank runs on.
type processors struct {
	threads int   // at once
	numbers []int // nil where they are those that the process has
}

// share finds the processors of this rank, which may run so many threads, and those of all ranks of
// its machine. Ranks with the same processors share them out, and a rank that the launcher has bound
// to others keeps its own.
func (r *ranks) share(own seat, seats []seat, threads int) {
	sharing, here := 0, 0
	var union []int
	for _, other := range seats {
		if other.Host != own.Host {
			continue
		}
		here++
		if slices.Equal(other.Processors, own.Processors) {
			sharing++
		}
		union = append(union, other.Processors...)
	}
	slices.Sort(union)
	union = slices.Compact(union)
	r.own, r.all, r.here = processors{threads: max(1, threads/sharing)}, processors{threads: threads}, here
	if more := len(union) - len(own.Processors); more > 0 {
		r.own.numbers, r.all = own.Processors, processors{threads + more, union}
	}
}

// limit allows so many threads for each rank. A rank that works alone may run those of the ranks that wait.
func (r *ranks) limit(threads int) {
	r.own.threads, r.all.threads = min(r.own.threads, threads), min(r.all.threads, threads*r.here)
	runtime.GOMAXPROCS(r.own.threads)
}

// alone gives this rank the processors of all ranks of its machine while these wait, or else its own.
func (r *ranks) alone(alone bool) {
	p := r.own
	if alone {
		p = r.all
	}
	if p.numbers == nil || machine.RunOn(p.numbers) == nil {
		runtime.GOMAXPROCS(p.threads)
	}
}

func (r *ranks) join(ctx context.Context) (context.Context, error) {
	if r.apart == nil {
		var err error
		if r.transport, ctx, err = mpi.Join(ctx, r.launch, r.library, os.Getenv); err == nil {
			r.comm, r.ctx = comm.New(ctx, r.transport)
			return r.ctx, nil
		}
		if errors.Is(err, mpi.ErrNotJoined) {
			return ctx, err
		}
		r.apart = err
	}
	hint := "; --mpi LIB names the library, and --mpi off has each process work for itself"
	if !mpi.Supported || errors.Is(r.apart, mpi.ErrNotTogether) {
		hint = "; --mpi off has each process work for itself"
	}
	return ctx, usageError{fmt.Errorf("%w%s", r.apart, hint)}
}

// forOthers is how long a rank that ends waits until the others end too.
const forOthers = 3 * time.Second

// forOutput is how long a launcher has to read what ranks have printed before it is told to end them. MPICH's exits as soon as it is told
// (fn_abort in its pmiserv_pmi_v1.c), and what it has not read is lost.
const forOutput = 300 * time.Millisecond

// leave ends the process as one of the ranks, with a code, and a text to print where it
// failed. It returns the code of the lowest rank that failed by itself. A text that a lower rank prints is
// not printed again. ctx is the context of the process; a signal ends it.
func (r *ranks) leave(ctx context.Context, code int, text string, err error) int {
	if code == ExitDone {
		if r.transport == nil {
			return ExitDone
		}
		if err = r.transport.Finish(r.ctx); err == nil {
			return ExitDone
		}
		code, text = ExitFailed, err.Error()
	}
	if r.transport == nil {
		// All ranks may have this error, and one is to print it.
		alone := errors.Is(err, mpi.ErrNotJoined)
		if !alone {
			_, err := r.join(ctx)
			alone = err != nil
		}
		if alone {
			if r.launch.Local == 0 || !r.endedByFirst(ctx) {
				r.print(text)
			}
			r.launch.GiveUp(code, os.Getenv)
			return code
		}
	}
	if ended := new(mpi.Ended); errors.As(err, &ended) || errors.Is(err, context.Canceled) && errors.As(context.Cause(r.ctx), &ended) {
		code, text = ended.Code, ""
	}
	first, abort := r.transport.Fail(code, text, forOthers, func() { r.print(text) })
	if abort {
		time.Sleep(forOutput)
		unfinished.RemoveAll()
		r.transport.Abort(first)
	}
	if abort || r.launch.Exits {
		return first
	}
	ended := ctx.Done()
	if ctx.Err() != nil {
		ended = nil // a second signal ends the process
	}
	select {
	case <-ended:
	case <-time.After(forOthers):
		r.transport.Abort(first)
	}
	return first
}

// forFirst is how long a rank waits for the first of its machine. A busy machine took more than two
// seconds until the launcher had ended the others.
const forFirst = 6 * time.Second

// endedByFirst waits until the first rank of a machine has said why it cannot join, and ended
// the others. It reports whether that is so, or would be if the launcher did.
func (r *ranks) endedByFirst(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return true
	case <-time.After(forFirst):
		return errors.Is(r.apart, mpi.ErrNotTogether)
	}
}

// print prints the text of an error, which names the rank.
func (r *ranks) print(text string) {
	if r.launch.Rank > 0 {
		text = fmt.Sprintf("rank %d: %s", r.launch.Rank, text)
	}
	printError(r.errors, "lapsvm", text)
}
