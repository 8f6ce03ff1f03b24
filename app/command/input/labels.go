package input

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"lapsvm/app/command/cli"
	"lapsvm/app/labelpage"
	"lapsvm/app/labelpage/store"
	"lapsvm/app/labelpage/tasks"
	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
)

// RegisterLabels registers the flag for labels in a file of their own.
func (f *DataFlags) RegisterLabels(flags *pflag.FlagSet) {
	cli.AddSection(flags, "Reading", func(flags *pflag.FlagSet) {
		flags.StringVar(&f.Labels, "labels", "", "file of labels that take precedence over the labels in DATA: a table in any format of tables with the columns row (from 1) or id, and label; the store of a label page; Label Studio's export as JSON; or Prodigy's JSON lines")
	})
}

// GivenLabels are the labels of a file for the rows of a data set.
type GivenLabels struct {
	Path   string
	Class  map[int]string // of every row that got a label; "" where labels differ
	notes  []dataset.Note
	file   *tasks.File // nil of a store
	memory int64
}

// openLabels reads a file of labels as far as it needs no data. A store is read later.
func openLabels(path string, kind task.Kind, memory int64) (*GivenLabels, error) {
	g := &GivenLabels{Path: path, memory: memory}
	if store.IsStore(path) {
		return g, nil
	}
	var err error
	if g.file, err = tasks.ReadFile(path, kind.Separator, memory); err != nil {
		return nil, cli.BadData(err)
	}
	g.notes = g.file.Notes
	return g, nil
}

// needText reports whether rows are found by more than their numbers and names.
func (g *GivenLabels) needText() bool { return g.file == nil || g.file.ByText() }

// LabelsFor reads the labels of a file, or of the store of a label page, for the rows of d, which
// was read of the data called name. Its columns have to be kept. Lists of classes in a store have the separator of the kind between them. Doubts about them go to standard
// error.
func LabelsFor(ctx context.Context, p *cli.Program, path, name string, d *dataset.Dataset, ids []string, kind task.Kind, memory int64) (*GivenLabels, error) {
	g, err := cli.Interruptible(ctx, func() (*GivenLabels, error) { return openLabels(path, kind, memory) })
	if err != nil {
		return nil, err
	}
	if err := g.find(ctx, name, d, ids, kind); err != nil {
		return nil, err
	}
	ShowNotes(p, &dataset.Dataset{Notes: slices.DeleteFunc(g.notes, func(n dataset.Note) bool { return !n.Doubtful })})
	return g, nil
}

// find finds the rows of d that the labels are for.
func (g *GivenLabels) find(ctx context.Context, name string, d *dataset.Dataset, ids []string, kind task.Kind) error {
	if g.file == nil {
		return g.ofStore(ctx, name, d, ids, kind)
	}
	l, err := g.file.Of(RowsOf(d, ids, g.file), d.Classes)
	if err != nil {
		return cli.BadData(err)
	}
	line := fmt.Sprintf("%s of %s taken", cli.Count(len(l.Class), "label", "labels"), g.Path)
	if l.Passed > 0 {
		line += fmt.Sprintf("; %s passed over there", cli.Count(l.Passed, "task was", "tasks were"))
	}
	if l.Rejected > 0 {
		line += fmt.Sprintf("; %s rejected, which counts for nothing where several classes are left", cli.Count(l.Rejected, "label was", "labels were"))
	}
	g.take(l.Class, l.Differ, line)
	return nil
}

// RowsOf returns the rows of d, of which the columns asked for name rows, as a file of labels may call them.
func RowsOf(d *dataset.Dataset, ids []string, f *tasks.File) *tasks.Rows {
	names, key := NamesOf(d, ids), ""
	if len(names.Columns) == 1 {
		key = d.Kept.Names[names.Columns[0]]
	}
	var texts []string
	if !d.Kept.None() && f.ByText() {
		texts = make([]string, len(d.Y))
		for i := range texts {
			texts[i] = TextOf(d, i)
		}
	}
	return tasks.NewRows(len(d.Y), key, names.Names, texts)
}

// take takes labels, of which some rows have several, and says so.
func (g *GivenLabels) take(class map[int]string, differ []int, line string) {
	g.Class = class
	g.notes = append(g.notes, dataset.Note{Message: dataset.Messagef("%s", line)})
	if len(differ) > 0 {
		for _, row := range differ {
			class[row] = ""
		}
		g.notes = append(g.notes, dataset.Note{Message: dataset.Messagef("rows got different labels, and count as unlabelled: %s", rowNumbers(differ)), Doubtful: true})
	}
}

// ofStore reads the labels of a store.
func (g *GivenLabels) ofStore(ctx context.Context, name string, d *dataset.Dataset, ids []string, kind task.Kind) error {
	content, err := ContentOf(d, name, ids)
	if err != nil {
		return err
	}
	l, err := cli.Interruptible(ctx, func() (*store.Labels, error) {
		hashes, err := content.Hashes(ctx)
		if err != nil {
			return nil, err
		}
		return store.ReadLabels(ctx, g.Path, store.Data{Name: SourceName(name), Hashes: hashes, RowIs: content.Called, Kind: kind, Memory: g.memory})
	})
	if err != nil {
		return StoreError(err)
	}
	g.take(l.Class, l.Differ, fmt.Sprintf("%s of %s taken", cli.Count(len(l.Class), "label", "labels"), g.Path))
	if l.Lost != "" {
		g.notes = append(g.notes, dataset.Note{Message: dataset.Messagef("the classes in %s %s", g.Path, l.Lost), Doubtful: true})
	}
	if n := len(l.Drift.Gone); n > 0 {
		g.notes = append(g.notes, dataset.Note{Message: dataset.Messagef("the contents of %s with labels in %s are not in the data any more, and their labels count for nothing", cli.Count(n, "row", "rows"), g.Path), Doubtful: true})
	}
	return nil
}

// StoreOf returns the name of the store that a label page of data keeps where nobody names another.
func StoreOf(data string) string { return filepath.Clean(data) + ".labels.db" }

// StoreError gives an error of a store its exit code.
func StoreError(err error) error {
	if store.NotStore.Is(err) || store.OtherSet.Is(err) || store.Invalid.Is(err) || store.Damaged.Is(err) {
		return cli.BadData(err)
	}
	return err
}

// ContentOf returns the contents of the rows that were read of the data called name.
func ContentOf(d *dataset.Dataset, name string, ids []string) (*labelpage.Content, error) {
	from, err := NewSource([]string{name})
	if err != nil {
		return nil, err
	}
	var paths []string
	if from.IsImages() {
		paths = from.Paths(d.Kept)
	}
	return labelpage.NewContent(d, paths, ids), nil
}

// relabelled returns d with the labels that were given, under the rules for labels.
func (g *GivenLabels) relabelled(d *dataset.Dataset, rules dataset.LabelRules) (*dataset.Dataset, error) {
	respelt := dataset.Note{}
	if rules.Single() {
		respelt = g.spellAs(d.Classes)
	}
	if rules.Values == nil { // then every class is one, whatever it is called
		rules.Values = slices.Clone(d.Classes)
		for _, class := range g.Class {
			if class != "" {
				rules.Values = append(rules.Values, class)
			}
		}
		slices.Sort(rules.Values)
		rules.Values = slices.Compact(rules.Values)
	}
	rules.Named = d.Classes
	all := dataset.NewLabels(nil, false, rules)
	for i, y := range d.Y {
		class, given := g.Class[i]
		if !given && y != dataset.Unlabelled {
			class = d.Classes[y]
		}
		err := error(nil)
		if class == "" {
			err = all.AddNone()
		} else {
			err = all.Add([]byte(class))
		}
		if err != nil {
			return nil, err
		}
	}
	labelled := *d
	labelled.Notes = nil
	if err := all.Finish(&labelled); err != nil {
		return nil, err
	}
	labelled.Notes = slices.Concat(d.Notes, labelled.Notes, g.notes)
	if respelt.Error() != "" {
		labelled.Notes = append(labelled.Notes, respelt)
	}
	return &labelled, nil
}

// spellAs spells the labels of classes as the data do, and returns a note of those that were spelt otherwise.
func (g *GivenLabels) spellAs(classes []string) (note dataset.Note) {
	rows := make(map[[2]string]int) // of each spelling and class
	for row, label := range g.Class {
		if k := dataset.FindClass(classes, label); k >= 0 && classes[k] != label {
			g.Class[row] = classes[k]
			rows[[2]string{label, classes[k]}]++
		}
	}
	var words []string
	for pair, n := range rows {
		words = append(words, fmt.Sprintf("%q (%d) is %q", pair[0], n, pair[1]))
	}
	if slices.Sort(words); len(words) > 0 {
		note = dataset.Note{Message: dataset.Messagef("labels of %s are numbers of the data spelt otherwise: %s", g.Path, strings.Join(words, ", ")), OfLabels: true}
	}
	return note
}

// rowNumbers lists rows by their numbers from 1.
func rowNumbers(rows []int) string {
	const most = 10
	var texts []string
	for _, i := range rows[:min(len(rows), most)] {
		texts = append(texts, strconv.Itoa(i+1))
	}
	if more := len(rows) - most; more > 0 {
		texts = append(texts, fmt.Sprintf("%d more", more))
	}
	return strings.Join(texts, ", ")
}
