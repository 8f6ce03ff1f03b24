package learn

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"lapsvm"
	"lapsvm/app/command/cli"
	"lapsvm/app/report"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/internal/machines/solve"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/system/atomicfile"
	"lapsvm/kernel"
	"lapsvm/points"
)

// demoShown is how many iterations the demo lists one by one.
const demoShown = 12

// Demo returns the command demo. Its tour runs commands of the program that root makes.
func Demo(p *cli.Program, root func(*cli.Program) *cobra.Command) *cobra.Command {
	var output cli.OutputFlags
	var out, data, keep string
	var seed uint64
	c := &cobra.Command{
		Use:   "demo",
		Short: "Train on a built-in set, draw the result, and show the commands to go on with",
		Long: `demo generates 200 points in two moons, and one point of each moon has a label.
It trains an SVM on the two labelled points alone, and a LapSVM on all points. It
prints the error after each iteration and draws both. Then it runs the commands
for data of your own on a small table, and shows their output: graph, train,
predict and evaluate. --keep leaves their files in a folder. --data writes the
points with all their labels, to try other commands on.`,
		Args: cli.Arguments(),
		RunE: func(c *cobra.Command, args []string) error {
			format := strings.TrimPrefix(filepath.Ext(out), ".")
			if format != "svg" && format != "png" {
				return cli.Usagef("the picture is written as .svg or .png, not %q", out)
			}
			if data != "" {
				if form, err := files.FormatOf(data); err != nil || !form.CanWrite() {
					return cli.Usagef("the name %q of --data does not tell a format to write, such as moons.csv", data)
				}
			}
			all := dataset.TwoMoons(200, 0.07, seed)
			if data != "" {
				if err := files.WriteFile(c.Context(), data, all, files.WriteOptions{}); err != nil {
					return err
				}
				p.Left()
			}
			if err := runDemo(c.Context(), p, all, out, format, &output); err != nil {
				return err
			}
			if (output.JSON || output.Quiet) && keep == "" {
				return nil
			}
			guide := *p
			if output.JSON || output.Quiet {
				guide.Text = io.Discard
			}
			return tour(c.Context(), &guide, root, seed, keep)
		},
	}
	c.Flags().StringVarP(&out, "output", "o", "lapsvm-demo.svg", "picture to write, .svg or .png")
	c.Flags().StringVar(&data, "data", "", "file to write the points to, with all their labels, such as moons.csv")
	c.Flags().StringVar(&keep, "keep", "", "folder to leave the table, the model and the report of the tour in (default: none is left)")
	c.Flags().Uint64Var(&seed, "seed", 3, "seed of the points")
	output.Register(p, c)
	return c
}

// demoResult is the JSON of the demo.
type demoResult struct {
	N          int       `json:"n"`
	Labelled   int       `json:"labelled"`
	SVM        float64   `json:"error_svm"`    // percent of the unlabelled points
	LapSVM     float64   `json:"error_lapsvm"` // the same
	Errors     []float64 `json:"errors"`       // after every iteration
	Iterations int       `json:"iterations"`   // until the stopping check
	Picture    string    `json:"picture"`
}

func runDemo(ctx context.Context, p *cli.Program, all *dataset.Dataset, out, format string, output *cli.OutputFlags) error {
	d := oneLabelEach(all)
	text := io.Writer(p.Text)
	if output.JSON || output.Quiet {
		text = io.Discard
	}
	fmt.Fprintf(text, "Two moons: %d points, 1 of each labelled.\n\n", len(d.Y))

	k := kernel.Gaussian{Sigma: 0.35}
	svm, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: k, GammaA: 1e-2, Supervised: true}}.Fit(ctx, d)
	if err != nil {
		return err
	}
	result := demoResult{N: len(d.Y), Labelled: len(d.Labelled()), Picture: out}
	labels, err := svm.Predict(ctx, d.Points)
	if err != nil {
		return err
	}
	result.SVM = hiddenError(d, all, func(i int) int { return labels[i] })

	fmt.Fprintf(text, "LapSVM, error on the unlabelled points after each iteration:\n")
	t := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: k, GammaA: 1e-2, GammaI: 1, Precision: gram.Double}}
	t.Recipe.Graph.Neighbours, t.Recipe.Graph.Degree = 6, 1
	t.Step = func(s *solve.Step) {
		if s.Iteration == 0 {
			return
		}
		wrong := hiddenError(d, all, func(i int) int {
			if s.F[0][i] > 0 {
				return 1
			}
			return 0
		})
		result.Errors = append(result.Errors, wrong)
		if s.Iteration <= demoShown {
			fmt.Fprintf(text, "%4d  %5.1f %%  %s\n", s.Iteration, wrong, strings.Repeat("#", int(wrong+0.5)))
		}
	}
	m, err := t.Fit(ctx, d)
	if err != nil {
		return err
	}
	result.Iterations = len(result.Errors)
	result.LapSVM = result.Errors[len(result.Errors)-1]
	if result.Iterations > demoShown {
		fmt.Fprintf(text, "   …\n%4d  %5.1f %%  (%s)\n", result.Iterations, result.LapSVM, m.Training().Status)
	}
	if err := drawDemo(ctx, out, format, d, svm, m); err != nil {
		return err
	}
	fmt.Fprintf(text, "\nSVM on the two labels alone: %5.1f %% wrong\nLapSVM with all the points:  %5.1f %% wrong\n\nThe picture is in %s\n",
		result.SVM, result.LapSVM, out)
	if output.JSON {
		return cli.PrintJSON(p.Stdout, result)
	}
	return nil
}

// oneLabelEach hides all labels but that of the first point of each class.
func oneLabelEach(all *dataset.Dataset) *dataset.Dataset {
	d := *all
	d.Y = make([]int, len(all.Y))
	kept := make([]bool, len(all.Classes))
	for i, y := range all.Y {
		d.Y[i] = dataset.Unlabelled
		if !kept[y] {
			d.Y[i], kept[y] = y, true
		}
	}
	return &d
}

// hiddenError is the share in percent of d's unlabelled points whose class in
// all is another.
func hiddenError(d, all *dataset.Dataset, class func(i int) int) float64 {
	wrong, count := 0, 0
	for _, i := range d.Unlabelled() {
		count++
		if class(i) != all.Y[i] {
			wrong++
		}
	}
	return 100 * float64(wrong) / float64(count)
}

func drawDemo(ctx context.Context, out, format string, d *dataset.Dataset, svm, m *lapsvm.Model) error {
	values := func(m *lapsvm.Model) func(p *points.Points) ([]float64, error) {
		return func(p *points.Points) ([]float64, error) {
			scores, err := m.Scores(ctx, p)
			f := make([]float64, len(scores))
			for i, s := range scores {
				f[i] = s[1]
			}
			return f, err
		}
	}
	return atomicfile.Write(out, func(w io.Writer) error {
		return report.DrawSurfaces(w, format, 0, []report.Surface{
			{Title: "SVM: two labels alone", Data: d, F: values(svm)},
			{Title: "LapSVM: with all the points", Data: d, F: values(m)},
		})
	})
}
