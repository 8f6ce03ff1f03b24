package input

import (
	"context"
	"math"
	"slices"
	"strconv"

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

// namedOtherwise doubts edges that tell rows by their places. It looks for columns of whole numbers by which the same file tells
// other rows.
func (f *DataFlags) namedOtherwise(d *dataset.Dataset, placed dataset.Edges, o files.Options) (doubts []dataset.Note) {
	for _, j := range wholeColumns(d) {
		rows, row := files.EdgeRows{Len: len(d.Y), Names: make([]string, len(d.Y)), Named: true}, make([]float64, d.Points.Dim())
		for i := range rows.Names {
			d.Points.CopyRow(row, i)
			rows.Names[i] = strconv.FormatFloat(row[j], 'f', -1, 64)
		}
		if !distinct(rows.Names) {
			continue
		}
		named, _, err := files.ReadEdges(f.Edges, rows, files.Options{Memory: o.Memory, Decimal: o.Decimal, Charset: o.Charset})
		if err == nil && !(slices.Equal(named.From, placed.From) && slices.Equal(named.To, placed.To)) {
			doubts = append(doubts, dataset.Note{Doubtful: true, Message: dataset.Messagef("%s: rows are told by their places, but the column %q has these numbers for other rows; give %s if these are meant",
				f.Edges, d.Features[j], dataset.Option{Name: "ID", Value: []string{d.Features[j]}})})
		}
	}
	return doubts
}

// wholeColumns returns the columns of a table that are whole numbers from 0 on in all rows.
func wholeColumns(d *dataset.Dataset) (all []int) {
	if d.Points == nil || len(d.Features) != d.Points.Dim() {
		return nil
	}
	for j := range d.Features {
		all = append(all, j)
	}
	row := make([]float64, d.Points.Dim())
	for i := 0; i < len(d.Y) && len(all) > 0; i++ {
		d.Points.CopyRow(row, i)
		all = slices.DeleteFunc(all, func(j int) bool { return row[j] < 0 || row[j] != math.Trunc(row[j]) || math.IsInf(row[j], 0) })
	}
	return all
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
	if rows.Names == nil {
		found.notes = append(found.notes, f.namedOtherwise(d, found.edges, o)...)
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
