package input

import (
	"context"
	"slices"

	"github.com/spf13/pflag"

	"lapsvm/app/command/cli"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
)

// RegisterEdges registers the flag for edges between the rows.
func (f *DataFlags) RegisterEdges(flags *pflag.FlagSet) {
	cli.AddSection(flags, "Reading", func(flags *pflag.FlagSet) {
		flags.StringVar(&f.Edges, "edges", "", "file of edges between the rows, beside those of neighbours, or with --neighbours 0 alone: a table with the columns from, to and perhaps weight, by number (from 1) or --id; a sparse matrix of SciPy (npz); or Matrix Market's coordinates (mtx)")
	})
}

// distinct reports whether there are names, each of one row, and none is empty.
func distinct(names []string) bool {
	seen := make(map[string]bool, len(names))
	for _, name := range names {
		if name == "" || seen[name] {
			return false
		}
		seen[name] = true
	}
	return names != nil
}

// namedByEdges returns the columns by whose values, which all differ, the edges name rows.
func (f *DataFlags) namedByEdges(ctx context.Context, p *cli.Program, from Source, o files.Options) (id []string) {
	o.Keep = true
	d, err := from.Read(ctx, p, f.ranks, o)
	if err != nil {
		return nil
	}
	for c, name := range d.Kept.Names {
		names, only := make([]string, len(d.Y)), d.Kept.Only([]int{c})
		for i := range names {
			names[i] = only.Name(i)
		}
		if name == d.Label || !distinct(names) {
			continue
		}
		if _, _, err := files.ReadEdges(f.Edges, files.EdgeRows{Len: len(names), Names: names, Named: true}, files.Options{Memory: o.Memory, Decimal: o.Decimal, Charset: o.Charset}); err == nil {
			id = append(id, name)
		}
	}
	return id
}

// withEdges returns d with the edges of the file.
func (f *DataFlags) withEdges(ctx context.Context, p *cli.Program, d *dataset.Dataset, o files.Options) (*dataset.Dataset, error) {
	if !p.Comm().Alone() {
		return nil, cli.Usagef("--edges is for a single process: train without other ranks")
	}
	type read struct {
		edges dataset.Edges
		notes []dataset.Note
	}
	rows := files.EdgeRows{Len: len(d.Y), Names: NamesOf(d, f.ID).Names, Named: len(f.ID) > 0}
	found, err := cli.Interruptible(ctx, func() (r read, err error) {
		r.edges, r.notes, err = files.ReadEdges(f.Edges, rows, files.Options{Memory: o.Memory, Decimal: o.Decimal, Charset: o.Charset})
		return r, err
	})
	if err != nil {
		return nil, err
	}
	with := *d
	with.Edges, with.Notes = found.edges, slices.Concat(d.Notes, found.notes)
	if distinct(rows.Names) { // by which the edges of new rows find them
		if with.Edges.Names = rows.Names; d.Featureless {
			with.Features = rows.Names
		}
	}
	return &with, nil
}
