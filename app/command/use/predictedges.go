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

// registerEdges adds the flags of rows without features.
func (r *predictRequest) registerEdges(flags *pflag.FlagSet) {
	cli.AddSection(flags, "Reading", func(flags *pflag.FlagSet) {
		flags.StringVar(&r.data.Edges, "edges", "", "of a model of rows without features: file of the edges of DATA's rows to the training rows, as train reads it; by number from is a row of DATA, and to one of the training")
		flags.StringSliceVar(&r.data.ID, "id", nil, "with --edges: columns that name the rows (default: the column called id, or the only one)")
	})
}

// checkEdges refuses edges where features decide, and rows without features where there are no edges.
func (r *predictRequest) checkEdges(p *cli.Program, path string, m *lapsvm.Model) error {
	switch {
	case r.data.Edges == "" && m.Featureless():
		return cli.Usagef("%s was trained on rows without features, and decides new ones by their edges to these: give --edges FILE", path)
	case r.data.Edges == "" && len(r.data.ID) > 0:
		return cli.Usagef("--id names the rows that --edges joins: give --edges too, or leave --id out")
	case r.data.Edges == "":
		return nil
	case !m.Featureless():
		return cli.Usagef("%s decides rows by their features, and --edges is for models of rows without any: leave it out", path)
	case !p.Comm().Alone():
		return cli.Usagef("--edges is for a single process: predict without other ranks")
	case r.explain > 0 || r.sorting.into != "":
		return cli.Usagef("--explain and --sort-into are about features and images, which the rows of %s have not: leave them out", path)
	}
	return nil
}

// readByEdges reads rows without features, and makes points of their edges to the training rows.
func (r *predictRequest) readByEdges(ctx context.Context, p *cli.Program, m *lapsvm.Model, from input.Source) (*dataset.Dataset, error) {
	o, err := r.data.Options(ctx, p)
	if err != nil {
		return nil, err
	}
	o.TextAlone, o.Label, o.ID = true, "", nil
	d, err := from.Read(ctx, p, nil, o)
	if err != nil {
		return nil, err
	}
	if d.Kept == nil {
		return nil, cli.Usagef("rows that edges join are those of a table: %s", cli.Alternatives(cli.FormatNames(cli.IsTable)))
	}
	id := r.data.ID
	for _, name := range id {
		if !slices.Contains(d.Kept.Names, name) {
			return nil, cli.Usagef("no column is called %q: --id names those with the names of the rows", name)
		}
	}
	for _, name := range d.Kept.Names {
		if r.data.ID == nil && (strings.EqualFold(name, "id") || len(d.Kept.Names) == 1) {
			id = []string{name}
		}
	}
	names := input.NamesOf(d, id)
	rows := files.EdgeRows{Len: len(d.Kept.Rows), Names: names.Names, Named: names.Names != nil}
	known := m.Features()
	arcs, notes, err := files.ReadEdgesTo(r.data.Edges, rows, files.EdgeRows{Len: m.Dim(), Names: known, Named: known != nil}, files.Options{Memory: o.Memory, Decimal: o.Decimal})
	if err != nil {
		return nil, err
	}
	r.tellAlone(p, rows.Len, arcs)
	byEdges := &dataset.Dataset{Y: make([]int, rows.Len), Kept: names.Alone(d.Kept), Notes: notes}
	if r.keep {
		byEdges.Kept = d.Kept
	}
	input.ShowNotes(p, byEdges)
	byEdges.Points, err = m.RowsByEdges(rows.Len, arcs)
	return byEdges, err
}

// mostAlone is the most rows without an edge that are named.
const mostAlone = 10

// tellAlone warns of rows without an edge.
func (r *predictRequest) tellAlone(p *cli.Program, rows int, arcs []dataset.Arc) {
	joined := make([]bool, rows)
	for _, a := range arcs {
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
	p.Warnings(&r.output).Warn(fmt.Sprintf("%s no edge to a row of the training, so that the bias alone decides: row %s", cli.Count(alone, "row has", "rows have"), text))
}
