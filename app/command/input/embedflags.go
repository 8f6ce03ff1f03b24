package input

import (
	"context"
	"os"
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
	needed                           bool // by the model, whose columns say what is missing
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
	f.open = new(opened)
	cli.AddSection(flags, "Embedding", func(flags *pflag.FlagSet) {
		flags.StringVar(&f.network, "embed", "", "ONNX file of a network that makes vectors of images or, with tokenizer.json beside it, of texts; it needs the library onnxruntime")
		flags.StringVar(&f.command, "embed-with", "", "command that makes vectors: it reads lines {\"text\": …} or {\"path\": …} and writes as many vectors, as npy or as JSON lines")
		flags.StringVar(&f.cache, "embed-cache", "", "folder that keeps the vectors of texts and images, so that a second run is quick; it is made if it is missing")
		flags.StringVar(&f.runtime, "onnxruntime", "", "file of the library onnxruntime (default: where it usually is)")
		flags.StringVar(&f.size, "embed-size", "", "width and height of the images that the network takes, such as 224x224 (default: as the network says)")
		flags.Float64SliceVar(&f.mean, "embed-mean", nil, "mean of red, green and blue between 0 and 1, subtracted before the network (default: its metadata image_mean, else 0)")
		flags.Float64SliceVar(&f.deviation, "embed-deviation", nil, "deviation of red, green and blue, by which the network's images are divided (default: its metadata image_std, else 1)")
	})
}

// For returns what makes vectors until ctx is done, nil where no flag names anything.
func (f *EmbedFlags) For(ctx context.Context, p *cli.Program) (dataset.Embedder, error) {
	if f.network == "" && f.command == "" {
		if !f.needed && (f.cache != "" || f.runtime != "" || f.size != "" || f.mean != nil || f.deviation != nil) {
			return nil, cli.Usagef("nothing makes vectors: give --embed or --embed-with, or leave out the flags of an embedding")
		}
		return nil, nil
	}
	f.open.once.Do(func() { f.open.embedder, f.open.err = f.openNow(p) })
	if f.open.err != nil {
		return nil, f.open.err
	}
	return f.open.embedder.With(ctx), nil
}

func (f *EmbedFlags) openNow(p *cli.Program) (*embed.Embedder, error) {
	o := embed.Options{Network: f.network, Command: f.command, Cache: f.cache, Runtime: f.runtime, Mean: f.mean, Deviation: f.deviation, Getenv: os.Getenv, Stderr: p.Errors()}
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
	return embed.Open(o)
}

// LikeModel has the network of a model taken that was trained with one, where no flag names another and its file is there. A file that has
// changed is refused when it is read. A command is never taken from a model.
func (f *EmbedFlags) LikeModel(m *lapsvm.Model) {
	by, needs := m.Encoding().NeedsEmbedder()
	f.needed = needs
	if !needs || f.network != "" || f.command != "" || by.Kind != "network" {
		return
	}
	if _, err := os.Stat(by.Name); err == nil {
		f.network = by.Name
	}
}
