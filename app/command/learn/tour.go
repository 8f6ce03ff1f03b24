package learn

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"lapsvm/app/command/cli"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/internal/system/fault"
	"lapsvm/internal/system/unfinished"
)

// tourLabels is how many points of each class have a label in the tour's table.
const tourLabels = 4

// tour shows the commands for a user's own data on two moons, in files, with
// their output. The files stay where keep names a folder for them.
func tour(ctx context.Context, p *cli.Program, root func(*cli.Program) *cobra.Command, seed uint64, keep string) error {
	folder := keep
	if keep == "" {
		var err error
		if folder, err = unfinished.Folder("lapsvm-demo-"); err != nil {
			return fault.Errorf("no folder for the files of the tour: %w: name one by --keep", err)
		}
		defer unfinished.Remove(folder)
	} else if err := os.MkdirAll(keep, 0o777); err != nil {
		return err
	}
	all := dataset.TwoMoons(300, 0.12, seed+1)
	all.Features, all.Label = []string{"x", "y"}, "label"
	few := *all
	few.Y = make([]int, len(all.Y))
	left := map[int]int{}
	for i, y := range all.Y {
		if few.Y[i] = dataset.Unlabelled; left[y] < tourLabels {
			few.Y[i] = y
			left[y]++
		}
	}
	for name, d := range map[string]*dataset.Dataset{"points.csv": &few, "known.csv": all} {
		if err := files.WriteFile(ctx, filepath.Join(folder, name), d, files.WriteOptions{}); err != nil {
			return err
		}
	}
	fmt.Fprintf(p.Text, "\nThe same at the shell: points.csv has %d rows of two other moons, %d of them with a label.\n", len(few.Y), len(few.Labelled()))
	for _, stop := range []struct {
		args  string // files are those of the folder
		why   string
		lines int // of the output to show
	}{
		{"graph points.csv", "Do the points hang together, with a label in every part?", 12},
		{"train points.csv -o model.lapsvm --report training.html", "Parameters are chosen by the labels; training.html shows how it went:", 15},
		{"predict model.lapsvm points.csv --proba", "Every row gets a label and its probabilities:", 5},
		{fmt.Sprintf("evaluate known.csv --per-class %d --repeats 4", tourLabels), "How good is that? known.csv has all labels; hide them, and count:", 12},
	} {
		fmt.Fprintf(p.Text, "\n%s\n\n  $ lapsvm %s\n", stop.why, stop.args)
		if err := showCommand(ctx, p, root, folder, strings.Fields(stop.args), stop.lines); err != nil {
			return err
		}
	}
	if keep != "" {
		fmt.Fprintf(p.Text, "\nThe files are in %s\n", keep)
	} else {
		fmt.Fprintf(p.Text, "\nlapsvm demo --keep DIR leaves the files in a folder.\n")
	}
	return nil
}

// showCommand runs one command of the tour on the files of a folder. It shows the
// first most lines of the output.
func showCommand(ctx context.Context, p *cli.Program, root func(*cli.Program) *cobra.Command, folder string, args []string, most int) error {
	for k, arg := range args {
		if filepath.Ext(arg) != "" {
			args[k] = filepath.Join(folder, arg)
		}
	}
	var out bytes.Buffer
	command := root(cli.NewProgram(strings.NewReader(""), &out, io.Discard))
	command.SetArgs(args)
	if err := command.ExecuteContext(ctx); err != nil {
		return err
	}
	text := strings.ReplaceAll(out.String(), folder+string(filepath.Separator), "")
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for k, line := range lines {
		if k == most {
			fmt.Fprintf(p.Text, "  … %d more lines\n", len(lines)-k)
			break
		}
		fmt.Fprintln(p.Text, strings.TrimRight("  "+line, " "))
	}
	return nil
}
