// Package labelling has the commands that get labels and check them: label, suggest and audit.
package labelling

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"lapsvm"
	"lapsvm/app/command/cli"
	"lapsvm/app/command/input"
	"lapsvm/app/labelpage"
	"lapsvm/app/labelpage/store"
	"lapsvm/app/labelpage/tasks"
	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
)

// labelRequest holds the flags of label.
type labelRequest struct {
	data           input.DataFlags
	training       input.TrainFlags
	output         cli.OutputFlags
	store, address string
	imports        string
	labels         string // file
	classes        []string
	audits         int
	kind           task.Kind
}

// Label returns the command label, which serves the page to label on.
func Label(p *cli.Program) *cobra.Command {
	var r labelRequest
	c := &cobra.Command{
		Use:   "label DATA",
		Short: "Label on a page in the browser, where the model learns as labels come",
		Long: `label opens a page on this machine to label DATA on: images, texts, rows of a table
or vectors. It asks for the points that teach the model most, and predicts all others after
every label. Labels are classes, each with a key, or numbers with --regression. With --ordered the keys
1, 2, 3 … are the classes from the lowest to the highest. With --multi-label
a key switches a class on or off, and Enter confirms what a row has. A label is on
disk before the page shows it as taken. DATA may have some labels or none, and rows that are
added to DATA meanwhile are taken in. Open the printed address in a browser of this machine;
end the command with Ctrl-C, and go on later with the same command.`,
		Example: `  lapsvm label points.csv
  lapsvm label photos/ --classes cat,dog,neither
  lapsvm label flats.csv --regression
  lapsvm label reviews.csv --ordered poor,fair,good
  lapsvm label posts.csv --multi-label ';' --classes sport,politics,law
  lapsvm label points.csv --import labels.csv`,
		Args: cli.Arguments("DATA"),
		RunE: func(c *cobra.Command, args []string) error { return runLabel(p, c, args[0], &r) },
	}
	c.Flags().SortFlags = false
	c.Flags().StringVar(&r.store, "store", "", "file that labels are kept in, a database of SQLite (default: DATA.labels.db, beside DATA)")
	c.Flags().StringVar(&r.address, "address", "", "host and port to serve the page on (default: as the last time, at first a free port of 127.0.0.1); port 0 takes any free port, and only a host outside the loopback lets other machines in")
	c.Flags().StringVar(&r.imports, "import", "", "file of labels to begin with, as --labels reads it, and perhaps with a column person")
	c.Flags().StringSliceVar(&r.classes, "classes", nil, "names of the classes to begin with, separated by commas; more are added on the page")
	c.Flags().IntVar(&r.audits, "audits", 10, "one point in N is drawn at random and shown without a prediction, to measure the model's accuracy; 0 for none")
	r.data.Register(c.Flags())
	r.data.Embed.RegisterKeep(c.Flags())
	r.data.RegisterColumns(c.Flags())
	r.data.RegisterLabels(c.Flags())
	r.data.RegisterEdges(c.Flags())
	parts := r.training.Define()
	c.Flags().AddFlagSet(parts)
	r.output.Register(p, c)
	// The page shows the recipe of the model. The following flags are for other commands; they stay
	// accepted for the sake of shared config files.
	for _, name := range []string{"one-class", "stop", "check-every", "max-iter", "tolerance", "json"} {
		if f := c.Flags().Lookup(name); f != nil {
			f.Hidden = true
		}
	}
	cli.ForBeginners(c, "classes", "store", "address", "import", "label", "id", "text", "image-size", "regression", "multi-label", "ordered")
	return c
}

// check refuses a request that cannot be answered, before anything is read.
func (r *labelRequest) check(flags *pflag.FlagSet, data string) error {
	switch {
	case data == "-":
		return cli.Usagef("label cannot read standard input, because it reads its data again later: give a file or a folder")
	case len(r.data.Selected) > 0:
		return cli.Usagef("--select drops rows, but labels are kept by the number of the row: leave --select out")
	case r.training.Draft.Recipe.Supervised:
		return cli.Usagef("--gamma-i 0 ignores the points without a label: give another value, or leave the flag out")
	case flags.Changed("audits") && r.audits < 0 || r.audits == 1:
		return cli.Usagef("--audits takes 0, or a number from 2 on, not %d", r.audits)
	}
	if flags.Changed("address") {
		host, port, err := net.SplitHostPort(r.address)
		if err != nil {
			return cli.Usagef("--address takes a host and a port such as 127.0.0.1:8000, not %q", r.address)
		}
		if host == "" { // which would be all addresses, and was not asked for
			r.address = net.JoinHostPort("127.0.0.1", port)
		}
	}
	if r.store == "" {
		r.store = input.StoreOf(data)
	}
	if r.audits == 0 {
		r.audits = -1
	}
	return nil
}

// runLabel serves the page until it is interrupted.
func runLabel(p *cli.Program, c *cobra.Command, data string, r *labelRequest) error {
	ctx := c.Context()
	if err := r.check(c.Flags(), data); err != nil {
		return err
	}
	t, err := r.training.Trainer(ctx, &r.data)
	if column, _ := c.Flags().GetString("label"); err == nil {
		err = of(t.Recipe.Kind).check(r, column)
	}
	if err != nil {
		return err
	}
	r.kind = t.Recipe.Kind
	source := &labelSource{name: data, p: p}
	if err := source.begin(); err != nil {
		return err
	}
	progress := p.Watch(&r.output)
	r.data.Keep, r.data.MayLackLabels = true, true
	r.labels, r.data.Labels = r.data.Labels, "" // which go into the store beside those of the data
	d, err := r.data.Read(ctx, p, data)
	progress.Done()
	if err != nil {
		return err
	}
	input.ShowColumns(p, d, t.Recipe, &r.output, false)
	if len(d.Classes) > 0 {
		input.ShowOtherLabels(p, d, t.Recipe, &r.output)
	}
	content, err := input.ContentOf(d, data, r.data.ID)
	if err != nil {
		return err
	}
	progress.Begin("looking for changes of the data")
	hashes, err := cli.Interruptible(ctx, func() ([]string, error) { return content.Hashes(ctx) })
	progress.Done()
	if err != nil {
		return cli.BadData(err)
	}
	s, err := store.Open(ctx, r.store, store.Data{Name: input.SourceName(data), Hashes: hashes, RowIs: content.Called, Kind: t.Recipe.Kind, Memory: t.Memory})
	if err != nil {
		return input.StoreError(err)
	}
	defer s.Close()
	if err := s.AddClasses(ctx, r.classes); err != nil {
		return input.StoreError(err)
	}
	left, err := importLabels(ctx, p, s, d, data, r)
	if err != nil {
		return input.StoreError(err)
	}
	source.as(&r.data, content)
	if err := serveLabels(ctx, p, s, content, t, r, source, append(left, driftWarnings(s.Drift())...)); err != nil {
		return err
	}
	if err := s.Close(); err != nil {
		return err
	}
	if !r.output.Quiet {
		fmt.Fprintf(p.Errors(), "to train with these labels: %s\n", trainCommand(c.Flags(), data, r.store))
	}
	return nil
}

// trainCommand is the command that trains with the labels of a store. It repeats the flags that say what labels are.
func trainCommand(flags *pflag.FlagSet, data, store string) string {
	words := []string{"lapsvm", "train", cli.Quoted(data), "--labels", cli.Quoted(store)}
	for _, name := range []string{"label", "id", "format", "regression", "multi-label", "ordered"} {
		f := flags.Lookup(name)
		if f == nil || !f.Changed {
			continue
		}
		text := f.Value.String()
		if list, is := f.Value.(pflag.SliceValue); is {
			text = strings.Join(list.GetSlice(), ",")
		}
		if words = append(words, "--"+name); f.NoOptDefVal == "" {
			words = append(words, cli.Quoted(text))
		}
	}
	return strings.Join(append(words, "-o", "MODEL"), " ")
}

// importLabels takes the labels of the data and of --import into the store. left names the labels
// of the data that the store cannot take.
func importLabels(ctx context.Context, p *cli.Program, s *store.Store, d *dataset.Dataset, data string, r *labelRequest) (left []string, err error) {
	given, left := labelpage.GivenBy(d, nil)
	if err := tellImport(ctx, p, s, store.FromData, given, "of the data", r); err != nil {
		return nil, err
	}
	if r.labels != "" {
		if err := importGiven(ctx, p, s, d, data, r); err != nil {
			return nil, err
		}
	}
	if r.imports == "" {
		return left, nil
	}
	all, err := cli.Interruptible(ctx, func() ([]store.Given, error) { return readLabels(s, d, r) })
	if err != nil {
		return nil, cli.BadData(err)
	}
	return left, tellImport(ctx, p, s, importName(s.Path(), r.imports), all, "of "+r.imports, r)
}

// importGiven takes the labels of --labels into the store, as labels of the data.
func importGiven(ctx context.Context, p *cli.Program, s *store.Store, d *dataset.Dataset, data string, r *labelRequest) error {
	memory, err := cli.MemoryBudget(r.data.Memory)
	if err != nil {
		return err
	}
	g, err := input.LabelsFor(ctx, p, r.labels, data, d, r.data.ID, r.kind, memory)
	if err != nil {
		return err
	}
	var all []store.Given
	for _, row := range slices.Sorted(maps.Keys(g.Class)) {
		if class := g.Class[row]; class != "" {
			all = append(all, store.Given{Row: row, Class: class, Person: store.FromData})
		}
	}
	return tellImport(ctx, p, s, importName(s.Path(), r.labels), all, "of "+r.labels, r)
}

// importName returns the name of a file of labels in a store. It is the path from the store's
// folder, which is the same wherever the command is given.
func importName(store, file string) string {
	name, err := filepath.Abs(file)
	if folder, failed := filepath.Abs(filepath.Dir(store)); err == nil && failed == nil {
		if path, failed := filepath.Rel(folder, name); failed == nil {
			name = path
		}
	}
	return "file " + filepath.ToSlash(cmp.Or(name, file))
}

// readLabels reads the labels of --import. Those of no person are the data's.
func readLabels(s *store.Store, d *dataset.Dataset, r *labelRequest) (all []store.Given, err error) {
	memory, err := cli.MemoryBudget(r.data.Memory)
	if err != nil {
		return nil, err
	}
	f, err := tasks.ReadFile(r.imports, r.kind.Separator, memory)
	if err != nil {
		return nil, err
	}
	var classes []string
	s.View(func(st *store.State) {
		for _, c := range st.Classes() {
			classes = append(classes, c.Name)
		}
	})
	err = f.Each(input.RowsOf(d, r.data.ID, f), classes, func(row int, class, person string) error {
		g := store.Given{Row: row, Class: class, Person: cmp.Or(person, store.FromData)}
		all = append(all, g)
		return s.Check(g)
	})
	return all, err
}

func tellImport(ctx context.Context, p *cli.Program, s *store.Store, source string, given []store.Given, from string, r *labelRequest) error {
	added, err := s.Import(ctx, source, given)
	if added > 0 && !r.output.Quiet {
		fmt.Fprintf(p.Errors(), "%s %s taken\n", cli.Count(added, "label", "labels"), from)
	}
	return err
}

// serveLabels serves the page of an open store until it is interrupted.
func serveLabels(ctx context.Context, p *cli.Program, s *store.Store, content *labelpage.Content, t lapsvm.Trainer, r *labelRequest, source *labelSource, warnings []string) error {
	id, err := s.ID(ctx)
	if err != nil {
		return input.StoreError(err)
	}
	l, address, err := listen(ctx, p, s, r)
	if err != nil {
		return err
	}
	defer l.Close()
	host, _, _ := net.SplitHostPort(r.address)
	server := labelpage.New(labelpage.Config{Name: input.SourceName(source.name), Content: content, Store: s, Open: labelpage.Learning(t), Exports: exportsOf(t, source.name), Source: source.watched(),
		Warnings: warnings, Audits: r.audits, Hosts: []string{host}, Token: address.token, StoreID: id})
	for _, text := range warnings {
		p.Warnings(&r.output).Warn(text)
	}
	if tcp, is := l.Addr().(*net.TCPAddr); is && !tcp.IP.IsLoopback() {
		p.Warnings(&r.output).Warn("other machines can reach this page, without encryption: give its address with the token only to those who label")
	}
	fmt.Fprintf(p.Errors(), "labelling on %s\n", address)
	if !r.output.Quiet {
		fmt.Fprintf(p.Errors(), "labels are kept in %s; end with Ctrl-C\n", s.Path())
	}
	p.Left()
	return server.Serve(ctx, l)
}

// driftWarnings says how the data changed since the store was last open.
func driftWarnings(d store.Drift) []string {
	var all []string
	list := func(rows []string) string {
		const most = 20
		shown := slices.Clone(rows[:min(len(rows), most)])
		for k := range shown {
			shown[k] = input.Printable(shown[k])
		}
		text := fmt.Sprint(shown)
		if len(rows) > most {
			text += fmt.Sprintf(" and %d more", len(rows)-most)
		}
		return text
	}
	if len(d.Gone) > 0 {
		all = append(all, fmt.Sprintf("the data changed: the contents of %s with labels are no longer there, %s; their labels are kept in the store and count for no other", cli.Count(len(d.Gone), "row", "rows"), list(d.Gone)))
	}
	if len(d.Moved) > 0 {
		all = append(all, fmt.Sprintf("the data changed: %s with labels moved, and the labels with their contents, %s", cli.Count(len(d.Moved), "row", "rows"), list(d.Moved)))
	}
	if len(d.Back) > 0 {
		all = append(all, fmt.Sprintf("the contents of %s are back, and their labels count again, %s", cli.Count(len(d.Back), "row", "rows"), list(d.Back)))
	}
	return all
}
