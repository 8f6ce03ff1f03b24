package use

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"lapsvm"
	"lapsvm/app/command/cli"
	"lapsvm/app/command/input"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
)

// registerEdges adds the flags of rows that edges join to those trained on.
func (r *predictRequest) registerEdges(flags *pflag.FlagSet) {
	cli.AddSection(flags, "Reading", func(flags *pflag.FlagSet) {
		flags.StringVar(&r.data.Edges, "edges", "", "of a model trained with --edges: file of the edges of DATA's rows to the training rows, as train reads it; by number from is a row of DATA, and to one of the training")
		flags.StringSliceVar(&r.data.ID, "id", nil, "with --edges: columns that name the rows (default: the column called id, or the only one)")
	})
}

// checkEdges refuses edges where features alone decide, and rows without features where there are no edges.
func (r *predictRequest) checkEdges(p *cli.Program, path string, m *lapsvm.Model) error {
	_, joined := m.JoinedRows()
	switch {
	case r.data.Edges == "" && m.Featureless():
		return cli.Usagef("%s was trained on rows without features, and decides new ones by their edges to these: give --edges FILE", path)
	case r.data.Edges == "" && len(r.data.ID) > 0:
		return cli.Usagef("--id names the rows that --edges joins: give --edges too, or leave --id out")
	case r.data.Edges == "":
		return nil
	case joined == 0 && m.EdgesUnused():
		input.ShowNotes(p, &dataset.Dataset{Notes: []dataset.Note{{Message: dataset.Messagef("%s was trained with edges, and goes without them, as its machine is supervised: features alone decide, and %s is not read", path, r.data.Edges)}}})
		r.data.Edges, r.data.ID = "", nil
		return nil
	case joined == 0:
		return cli.Usagef("%s was trained without edges, and decides rows by their features alone: leave --edges out, or train with it", path)
	case !p.Comm().Alone():
		return cli.Usagef("--edges is for a single process: predict without other ranks")
	case m.Featureless() && r.sorting.into != "":
		return cli.Usagef("--sort-into is about images, which the rows of %s are not: leave it out", path)
	case r.shares > 0:
		return cli.Usagef("--explain-shares is about what features say, and --edges moves it: leave one of the two out, or take --explain")
	case r.interval > 0 && !m.Featureless():
		return cli.Usagef("--interval is about what features say, and --edges moves it: leave one of the two out")
	}
	return nil
}

// readRows reads DATA, and with --edges the edges of its rows to those trained on.
func (r *predictRequest) readRows(ctx context.Context, p *cli.Program, m *lapsvm.Model, from input.Source, o files.Options) (*dataset.Dataset, error) {
	if r.data.Edges == "" {
		return from.Read(ctx, p, p.Comm(), o)
	}
	id := r.data.ID
	if m.Featureless() {
		bare, err := r.data.Options(ctx, p)
		if err != nil {
			return nil, err
		}
		o = bare
		o.TextAlone, o.Label = true, ""
	}
	o.ID = nil
	o.Keep = true // the names of the rows, too
	d, err := from.Read(ctx, p, nil, o)
	if err != nil {
		return nil, err
	}
	known, count := m.JoinedRows()
	if d.Kept.None() && (known != nil || len(id) > 0) {
		return nil, cli.Usagef("rows that edges join are those of a table: %s", cli.Alternatives(cli.FormatNames(cli.IsTable)))
	}
	for _, name := range id {
		if !slices.Contains(d.Kept.Names, name) {
			return nil, cli.Usagef("no column is called %q: --id names those with the names of the rows", name)
		}
	}
	for _, name := range d.Kept.Names {
		if id == nil && known != nil && (strings.EqualFold(name, "id") || len(d.Kept.Names) == 1) {
			id = []string{name}
		}
	}
	names := input.NamesOf(d, id)
	rows := files.EdgeRows{Len: len(d.Y), Names: names.Names, Named: names.Names != nil}
	arcs, notes, err := files.ReadEdgesTo(r.data.Edges, rows, files.EdgeRows{Len: count, Names: known, Named: known != nil}, files.Options{Memory: o.Memory, Decimal: o.Decimal, Charset: o.Charset})
	if err != nil {
		return nil, err
	}
	r.arcs = arcs
	r.tellAlone(p, m, rows.Len)
	input.ShowNotes(p, &dataset.Dataset{Notes: notes})
	joined := *d
	if m.Featureless() {
		joined = dataset.Dataset{Points: m.FeaturelessRows(rows.Len), Y: make([]int, rows.Len), Kept: d.Kept}
	}
	if !r.keep {
		joined.Kept = d.Kept.Only(names.Columns)
	}
	return &joined, nil
}

// mostAlone is the most rows without an edge that are named.
const mostAlone = 10

// tellAlone warns of rows without an edge.
func (r *predictRequest) tellAlone(p *cli.Program, m *lapsvm.Model, rows int) {
	joined := make([]bool, rows)
	for _, a := range r.arcs {
		joined[a.From] = true
	}
	var numbers []string
	alone := 0
	for i, is := range joined {
		if is {
			continue
		}
		if alone++; alone <= mostAlone {
			numbers = append(numbers, strconv.Itoa(i+1))
		}
	}
	if alone == 0 {
		return
	}
	text := strings.Join(numbers, ", ")
	if alone > mostAlone {
		text += fmt.Sprintf(" and %d more", alone-mostAlone)
	}
	by := "their features alone decide"
	if m.Featureless() {
		by = "the bias alone decides"
	}
	p.Warnings(&r.output).Warn(fmt.Sprintf("%s no edge to a row of the training, so that %s: row %s", cli.Count(alone, "row has", "rows have"), by, text))
}
