// Package embed makes vectors of texts and pictures by what others trained: a network in an ONNX file, run by the
// library onnxruntime, or a command. It keeps the vectors in a folder, so that the same inputs need no second run.
package embed

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"io/fs"
	"math"
	"slices"

	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/internal/numbers/parallel"
)

// Options say what makes vectors. Either Network or Command is given.
type Options struct {
	Network string // an ONNX file
	Runtime string // the library onnxruntime; "" for the one that the environment names, or the linker finds
	Command string // for the shell
	Cache   string // folder of vectors that are kept; "" for none

	// Expected are what made the vectors of the models that these are for; nil for a training. A network
	// whose files are others is not opened.
	Expected []dataset.EmbeddedBy

	KeepCommand bool  // models keep the text of the command, and not its hash alone
	Memory      int64 // for the answer of a command, for a network and for the vectors that are kept; 0 for no limit
	Processes   int   // of a command that run at a time; 0 for no limit

	// Of a network of pictures: width and height, 0 for those of the network or its metadata; the mean and the
	// deviation of red, green and blue between 0 and 1, nil for those of the metadata, else 0 and 1.
	Width, Height   int
	Mean, Deviation []float64

	Getenv  func(string) string // finds the library; nil for no environment
	Stderr  io.Writer           // what a command says; nil for nowhere
	Threads int                 // of a network; 0 for all processors
}

// Embedder makes vectors. Its methods may be called by several goroutines.
type Embedder struct {
	source source
	by     dataset.EmbeddedBy
	cache  *cache // nil for none
}

// source is a network or a command. vectors has as many as inputs. Where pictures cannot be read the error is a [dataset.Unmade], and none or the
// vectors of the others stand beside it.
type source interface {
	vectors(ctx context.Context, inputs []string, pictures bool) ([][]float32, error)
}

// Open opens a network, or remembers a command, and opens the folder of kept vectors. It fails where a network or
// a library cannot be loaded, and names the places it looked at. It fails where the folder cannot be made.
func Open(o Options) (*Embedder, error) {
	e := new(Embedder)
	var key string
	switch {
	case o.Network != "" && o.Command != "":
		return nil, fmt.Errorf("vectors are made by a network or by a command, not by both")
	case o.Command != "":
		c := &command{text: o.Command, stderr: o.Stderr, memory: o.Memory}
		if o.Processes > 0 {
			c.places = make(chan struct{}, o.Processes)
		}
		key = c.key()
		e.source, e.by = c, dataset.EmbeddedBy{Kind: "command", Hash: key}
		if o.KeepCommand {
			e.by.Name = o.Command
		}
	default:
		n, err := openNetwork(o)
		if err != nil {
			return nil, err
		}
		e.source, e.by = n, dataset.EmbeddedBy{Kind: "network", Name: o.Network, Hash: n.hash, Files: n.files}
		key = n.hash
	}
	if o.Cache != "" {
		var err error
		if e.cache, err = openCache(o.Cache, key, o.Memory); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// With returns the embedder for a piece of work that ends when ctx is done.
func (e *Embedder) With(ctx context.Context) dataset.Embedder { return bound{e, ctx} }

type bound struct {
	*Embedder
	ctx context.Context
}

// Source says what makes the vectors.
func (e *Embedder) Source() dataset.EmbeddedBy { return e.by }

// Embed implements dataset.Embedder. Equal inputs are asked for once.
func (b bound) Embed(inputs []string, pictures bool) ([][]float32, error) {
	keys := make([]key, len(inputs))
	all := make([][]float32, len(inputs))
	place := make(map[key]int) // among those that are asked for
	var missing []string
	var missed []key
	failed := make(dataset.Unmade)
	for i, input := range inputs {
		k, err := keyOf(input, pictures)
		if err != nil && pictures {
			if unmade := unread(b.ctx, []string{input}, 0); unmade != nil {
				failed[i] = unmade[0]
				continue
			}
		}
		if err != nil {
			return nil, err
		}
		keys[i] = k
		if all[i] = b.cache.get(k); all[i] != nil {
			continue
		}
		if _, asked := place[k]; !asked {
			place[k] = len(missing)
			missing, missed = append(missing, input), append(missed, k)
		}
	}
	var made [][]float32
	var err error
	if len(missing) > 0 {
		made, err = b.source.vectors(b.ctx, missing, pictures)
	}
	var unmade dataset.Unmade
	if err != nil && !errors.As(err, &unmade) {
		return nil, err
	}
	if made == nil { // the others were not tried
		made = make([][]float32, len(missing))
	}
	for i := range all {
		if all[i] != nil || failed[i] != nil {
			continue
		}
		at := place[keys[i]]
		if all[i] = made[at]; unmade[at] != nil {
			failed[i] = unmade[at]
		}
	}
	for k := len(made) - 1; k >= 0; k-- {
		if made[k] == nil {
			made, missed = slices.Delete(made, k, k+1), slices.Delete(missed, k, k+1)
		}
	}
	if err := b.cache.put(missed, made); err != nil {
		return nil, err
	}
	if len(failed) > 0 {
		return all, failed
	}
	return all, nil
}

// unread returns the errors of pictures that cannot be read, by their places; nil for none.
func unread(ctx context.Context, paths []string, memory int64) dataset.Unmade {
	if memory == 0 {
		memory = math.MaxInt64
	}
	room, failures := files.NewImageRoom(memory), make([]error, len(paths))
	parallel.Do(ctx, len(paths), func(_, i int) {
		failures[i] = room.Decode(ctx, paths[i], func(image.Image) {})
	})
	var all dataset.Unmade
	for i, err := range failures {
		if isUnread(err) {
			if all == nil {
				all = make(dataset.Unmade)
			}
			all[i] = err
		}
	}
	return all
}

// isUnread reports whether an error is of one picture alone.
func isUnread(err error) bool {
	var file *dataset.Error
	return errors.As(err, &file) && !errors.Is(err, dataset.ErrMemory) && !errors.Is(err, fs.ErrNotExist)
}
