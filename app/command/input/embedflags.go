package input

import (
	"context"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/pflag"

	"lapsvm"
	"lapsvm/app/command/cli"
	"lapsvm/app/embed"
	"lapsvm/dataset"
)

// EmbedFlags say what makes vectors of texts and pictures. Copies share what is opened.
type EmbedFlags struct {
	network, command, cache, runtime string
	size                             string
	mean, deviation                  []float64
	keep                             bool
	processes                        int                  // of a command at a time; 0 for no limit
	expected                         []dataset.EmbeddedBy // what made the vectors of the models; nil in a training
	flags                            *pflag.FlagSet
	open                             *opened
}

// opened is an embedder that is opened when it is first needed.
type opened struct {
	once     sync.Once
	embedder *embed.Embedder
	err      error
}

// Register adds the flags.
func (f *EmbedFlags) Register(flags *pflag.FlagSet) {
	f.open, f.flags = new(opened), flags
	cli.AddSection(flags, "Embedding", func(flags *pflag.FlagSet) {
		flags.StringVar(&f.network, "embed", "", "ONNX file of a network that makes vectors of images or, with tokenizer.json beside it, of texts; it needs the library onnxruntime")
		flags.StringVar(&f.command, "embed-with", "", "command that makes vectors: it reads lines {\"text\": …} or {\"path\": …} and writes as many vectors, as npy or as JSON lines")
		flags.StringVar(&f.cache, "embed-cache", "", "folder that keeps the vectors of texts and images, so that a second run is quick; it is made if it is missing")
		flags.StringVar(&f.runtime, "onnxruntime", "", "file of the library onnxruntime (default: in the folder ONNXRUNTIME_HOME, else where the system's linker looks)")
		flags.StringVar(&f.size, "embed-size", "", "width and height of the images that the network takes, such as 224x224 (default: as the network says)")
		flags.Float64SliceVar(&f.mean, "embed-mean", nil, "mean of red, green and blue between 0 and 1, subtracted before the network (default: its metadata image_mean, else 0)")
		flags.Float64SliceVar(&f.deviation, "embed-deviation", nil, "deviation of red, green and blue, by which the network's images are divided (default: its metadata image_std, else 1)")
	})
}

// RegisterKeep adds the flag for models that are written.
func (f *EmbedFlags) RegisterKeep(flags *pflag.FlagSet) {
	cli.AddSection(flags, "Embedding", func(flags *pflag.FlagSet) {
		flags.BoolVar(&f.keep, "keep-command", false, "keep the text of --embed-with in the model, where all who have the model can read it (default: its hash alone)")
	})
}

// RegisterProcesses adds the flag for commands of several requests.
func (f *EmbedFlags) RegisterProcesses(flags *pflag.FlagSet) {
	cli.AddSection(flags, "Embedding", func(flags *pflag.FlagSet) {
		flags.IntVar(&f.processes, "embed-processes", runtime.GOMAXPROCS(0), "processes of --embed-with that run at a time; further requests wait (default: the processors)")
	})
}

// For returns what makes vectors until ctx is done, nil where no flag names anything. It may take so much memory; 0 is no limit.
func (f *EmbedFlags) For(ctx context.Context, p *cli.Program, memory int64) (dataset.Embedder, error) {
	for _, name := range []string{"embed", "embed-with"} {
		if flag := f.flags.Lookup(name); flag.Changed && strings.TrimSpace(flag.Value.String()) == "" {
			return nil, cli.Usagef("--%s is empty: name what makes vectors, or leave it out", name)
		}
	}
	if f.processes < 0 || f.processes == 0 && f.flags.Changed("embed-processes") {
		return nil, cli.Usagef("--embed-processes takes a number from 1 on, not %d", f.processes)
	}
	if f.network == "" && f.command == "" {
		if f.expected == nil && (f.cache != "" || f.runtime != "" || f.size != "" || f.mean != nil || f.deviation != nil) {
			return nil, cli.Usagef("nothing makes vectors: give --embed or --embed-with, or leave out the flags of an embedding")
		}
		return nil, nil
	}
	f.open.once.Do(func() { f.open.embedder, f.open.err = f.openNow(p, memory) })
	if f.open.err != nil {
		return nil, f.open.err
	}
	return f.open.embedder.With(ctx), nil
}

func (f *EmbedFlags) openNow(p *cli.Program, memory int64) (*embed.Embedder, error) {
	o := embed.Options{Network: f.network, Command: f.command, Cache: f.cache, Runtime: f.runtime, Mean: f.mean, Deviation: f.deviation, Getenv: os.Getenv, Stderr: p.Errors(),
		Expected: f.expected, KeepCommand: f.keep, Memory: memory, Processes: f.processes}
	if f.size != "" {
		width, height, _ := strings.Cut(f.size, "x")
		o.Width, _ = strconv.Atoi(width)
		o.Height, _ = strconv.Atoi(height)
		if min(o.Width, o.Height) < 1 || max(o.Width, o.Height) > dataset.MaxImageSide {
			return nil, cli.Usagef("--embed-size takes a width and a height such as 224x224, not %q", f.size)
		}
	}
	if f.network != "" && f.command != "" {
		return nil, cli.Usagef("--embed and --embed-with both make vectors: give one")
	}
	if p.Quiet {
		o.Stderr = nil
	}
	embedder, err := embed.Open(o)
	if err != nil {
		return nil, cli.BadData(err)
	}
	return embedder, nil
}

// Like has the network that a flag names compared with that of a model before it is opened. Nothing is taken from the model itself: a stranger
// may have made it.
func (f *EmbedFlags) Like(m *lapsvm.Model) {
	if by, needs := m.Encoding().NeedsEmbedder(); needs {
		f.Expect(by)
	}
}

// Expect has the network that a flag names compared with what made the vectors of models.
func (f *EmbedFlags) Expect(by ...dataset.EmbeddedBy) { f.expected = append(f.expected, by...) }
