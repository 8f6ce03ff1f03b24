package command

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/spf13/cobra"

	"lapsvm/app/command/cli"
	"lapsvm/app/command/input"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/internal/numbers/parallel"
)

// mostGenerated is the largest number of images that an idx file is written with.
const mostGenerated = 1 << 31

// deformedPerPiece is how many images one piece of work deforms.
const deformedPerPiece = 64

func generate(p *cli.Program) *cobra.Command {
	var data input.DataFlags
	var output cli.OutputFlags
	var n int
	var seed uint64
	c := &cobra.Command{
		Use:   "generate IMAGES OUT",
		Short: "Make many deformed images of labelled ones, for measurements at size",
		Long: `generate writes deformed copies of IMAGES with their labels. A copy is of an image
drawn by the seed; it is rotated, scaled, sheared and shifted a little, and a smooth
random field displaces its parts. OUT is an idx file as MNIST has, such as
big-images-idx3-ubyte, or with .gz; labels go to the file beside it. The same
images, seed and number give the same files. The files serve to measure speed and
memory at size: they hold no more to learn than IMAGES.`,
		Example: `  lapsvm-lab generate train-images-idx3-ubyte.gz big-images-idx3-ubyte -n 1000000`,
		Args:    cli.Arguments("IMAGES", "OUT"),
		RunE: func(c *cobra.Command, args []string) error {
			if n < 1 || n >= mostGenerated {
				return cli.Usagef("-n must be from 1 to %d, not %d", mostGenerated-1, n)
			}
			progress := p.Watch(&output)
			d, err := data.Read(c.Context(), p, args[0])
			if err != nil {
				return err
			}
			images, err := deformed(d, n, seed)
			if err != nil {
				return err
			}
			progress.Begin("deforming images")
			if err := files.WriteImages(c.Context(), args[1], images); err != nil {
				return err
			}
			progress.Done()
			if output.JSON {
				return cli.PrintJSON(p.Stdout, generateResult{args[1], n, images.Height * images.Width, d.Classes, seed})
			}
			if !output.Quiet {
				fmt.Fprintf(p.Text, "%s: %s of %d×%d dots, %s\n", args[1], cli.Count(n, "image", "images"), images.Width, images.Height, cli.Count(len(d.Classes), "class", "classes"))
			}
			return nil
		},
	}
	c.Flags().SortFlags = false
	c.Flags().IntVarP(&n, "number", "n", 100000, "how many images")
	c.Flags().Uint64Var(&seed, "seed", 1, "seed of all that is drawn")
	c.Flags().Int("threads", 0, "threads (default: all processors)")
	data.Register(c.Flags())
	output.Register(p, c)
	cli.ForBeginners(c, "number", "seed", "select", "json", "quiet")
	return c
}

// generateResult is the JSON of generated images.
type generateResult struct {
	File    string   `json:"file"`
	N       int      `json:"n"`
	D       int      `json:"d"`
	Classes []string `json:"classes"`
	Seed    uint64   `json:"seed"`
}

// deformed describes n deformed images of the labelled rows of d. Image i depends on d,
// the seed and i alone.
func deformed(d *dataset.Dataset, n int, seed uint64) (files.MadeImages, error) {
	none := files.MadeImages{}
	if d.Image.None() || d.Image.Colour {
		return none, cli.Usagef("generate needs grey images, such as idx files or a folder of images without --colour")
	}
	rows := d.Labelled()
	if len(rows) == 0 {
		return none, cli.Usagef("no image has a label: give images with labels, as idx files have them beside")
	}
	values := make([]byte, len(d.Classes))
	for c, name := range d.Classes {
		v, err := strconv.ParseUint(name, 10, 8)
		if err != nil {
			return none, cli.Usagef("the class %q is no whole number from 0 to 255, as idx files have them", name)
		}
		values[c] = byte(v)
	}
	width, height := d.Image.Size()
	size, white := width*height, d.Image.Brightest()
	source := func(i int) (row int, rng *rand.Rand) {
		rng = rand.New(rand.NewPCG(seed, uint64(i)))
		return rows[rng.IntN(len(rows))], rng
	}
	labels := make([]byte, n)
	for i := range labels {
		row, _ := source(i)
		labels[i] = values[d.Y[row]]
	}
	made := func(ctx context.Context, to []byte, from, end int) error {
		type scratch struct {
			deformer *dataset.Deformer
			image    []float64
		}
		all := make([]scratch, parallel.Threads(ctx))
		return parallel.Run(parallel.Part(ctx, from/deformedPerPiece, (n+deformedPerPiece-1)/deformedPerPiece), (end-from+deformedPerPiece-1)/deformedPerPiece, func(worker, piece int) {
			w := &all[worker]
			if w.deformer == nil {
				*w = scratch{dataset.NewDeformer(width, height), make([]float64, size)}
			}
			for i := from + piece*deformedPerPiece; i < min(from+(piece+1)*deformedPerPiece, end); i++ {
				row, rng := source(i)
				d.Points.CopyRow(w.image, row)
				w.deformer.Deform(to[(i-from)*size:(i-from+1)*size], w.image, white, rng)
			}
		})
	}
	return files.MadeImages{Count: n, Height: height, Width: width, Labels: labels, Make: made}, nil
}
