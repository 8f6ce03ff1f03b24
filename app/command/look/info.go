// Package look has the commands that show data and models: graph and info.
package look

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"lapsvm"
	"lapsvm/app/answer"
	"lapsvm/app/command/cli"
	"lapsvm/app/command/input"
	"lapsvm/app/command/learn"
	"lapsvm/app/summary"
	"lapsvm/calibrate"
	"lapsvm/dataset"
	"lapsvm/internal/machines/drift"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/system/size"
)

// Info returns the command info, which shows what is in a model file.
func Info(p *cli.Program) *cobra.Command {
	var output cli.OutputFlags
	c := &cobra.Command{
		Use:   "info MODEL",
		Short: "Show what is in a model file",
		Long: `info shows how a model was trained, and on what: its classes, its features in
their order, of which --json lists all, what the columns of a table were taken
for, and its recipe. With --json the recipe is whole: train --recipe takes it.`,
		Example: `  lapsvm info model.lapsvm
  lapsvm info model.lapsvm --json > recipe.json`,
		Args: cli.Arguments("MODEL"),
		RunE: func(c *cobra.Command, args []string) error {
			m, err := input.LoadModel(c.Context(), args[0])
			if err != nil {
				return err
			}
			checksum, err := input.FileChecksum(c.Context(), args[0])
			if err != nil {
				return err
			}
			if output.JSON {
				return cli.PrintJSON(p.Stdout, learn.RecipeJSON(m.Recipe(), newInfoResult(m, checksum)))
			}
			lines := modelLines(m)
			if checksum != "" {
				lines = append(lines, infoLine{"checksum", checksum + " (the first digits of the file's SHA-256)"})
			}
			for _, entry := range m.Recipe().Entries() {
				lines = append(lines, infoLine{entry.Name, entry.Text})
			}
			for _, line := range slices.Concat(lines, memberLines(m.Recipe()), viewLines(m.Recipe()), importanceLines(m), trainingLines(m)) {
				fmt.Fprintf(p.Text, "%-17s %s\n", line.name, line.value)
			}
			for _, column := range newColumnResults(m.Encoding()) {
				fmt.Fprintf(p.Text, "column %q: %s\n", column.Name, column.Text)
			}
			return nil
		},
	}
	output.Register(p, c)
	return c
}

// infoResult is the JSON of a model, beside its recipe.
type infoResult struct {
	lapsvm.Training
	Classes     []string           `json:"classes"`
	Features    []string           `json:"features,omitempty"`
	Label       string             `json:"label,omitempty"`
	Columns     []columnResult     `json:"columns,omitempty"`    // of a table, where they were encoded
	Importance  []importanceResult `json:"importance,omitempty"` // of the columns of a table
	Image       imageResult        `json:"image,omitzero"`
	Basis       int                `json:"basis"`
	Machines    int                `json:"machines"`
	Kept        *keptResult        `json:"kept_points,omitempty"` // training points whose nearest add to decisions
	Calibration *calibrationResult `json:"calibration"`
	Thresholds  []float64          `json:"thresholds,omitempty"` // of several classes at once, for the probability of each
	Skipped     []string           `json:"skipped,omitempty"`    // parts of a later program, which this one does not know
	Checksum    string             `json:"checksum,omitempty"`   // of the file; "" of a pipe
}

func newInfoResult(m *lapsvm.Model, checksum string) infoResult {
	r := infoResult{m.Training(), m.Classes(), m.Features(), m.Label(), newColumnResults(m.Encoding()), newImportanceResults(m), imageResult(m.Image()),
		m.Basis(), m.Machines(), newKeptResult(m.Local()), newCalibrationResult(m.Calibration()), nil, m.Skipped(), checksum}
	if each := m.Predictor().Each(); each != nil {
		r.Thresholds = each.Threshold
	}
	return r
}

// importanceResult is the JSON of what a column does.
type importanceResult struct {
	lapsvm.Importance
	Direction string `json:"direction,omitempty"` // in words
}

func newImportanceResults(m *lapsvm.Model) (all []importanceResult) {
	for _, i := range m.Importance() {
		all = append(all, importanceResult{i, answer.Direction(m, i)})
	}
	return all
}

// columnResult is the JSON of a column of an encoding.
type columnResult struct {
	Name     string       `json:"name"`
	Kind     dataset.Kind `json:"kind"`
	Features int          `json:"features"`
	Missing  int          `json:"missing"`
	Text     string       `json:"text"` // for people
}

func newColumnResults(e *dataset.Encoding) []columnResult {
	var all []columnResult
	for k := range e.All() {
		c := &e.Columns[k]
		all = append(all, columnResult{c.Name, c.Kind, c.Width(), c.Missing, c.String()})
	}
	return all
}

// keptResult is the JSON of the training points that a model keeps for new ones.
type keptResult struct {
	Points      int     `json:"points"`
	Bytes       int64   `json:"bytes"`      // of the points, in memory
	Neighbours  int     `json:"neighbours"` // the nearest so many add to a decision
	Recall      float64 `json:"recall"`     // share of these that the index finds
	RecallError float64 `json:"recall_error"`
}

func newKeptResult(l *gram.Local) *keptResult {
	if l == nil {
		return nil
	}
	found := l.Index.Found()
	return &keptResult{l.Points.Len(), l.Points.Bytes(), l.Neighbours, found.Recall, found.RecallError}
}

// keptText describes the correction by the nearest training points.
func keptText(k *keptResult) string {
	return fmt.Sprintf("the mean residual of the %d nearest of %d training points, %s, is added; their index finds %.1f %% (± %.1f) of the nearest",
		k.Neighbours, k.Points, size.Text(k.Bytes), 100*k.Recall, 100*k.RecallError)
}

// infoLine is a line of info's output.
type infoLine struct{ name, value string }

// modelLines describe the model's input and contents.
func modelLines(m *lapsvm.Model) []infoLine {
	classes := answer.KindOf(m.Kind()).Listed(namesText(m.Classes()))
	lines := []infoLine{
		{"classes", classes},
		{"expansion", fmt.Sprintf("%s in %s", cli.Count(m.Machines()*m.Views(), "machine", "machines"), cli.Count(m.Basis(), "basis point", "basis points"))},
		{"features", featuresText(m)},
		{"trained on", fmt.Sprintf("%d labelled and %d unlabelled points", m.Training().Labelled, m.Training().Unlabelled)},
	}
	if kept := newKeptResult(m.Local()); kept != nil {
		lines = append(lines, infoLine{"neighbours add", keptText(kept)})
	}
	if skipped := m.Skipped(); len(skipped) > 0 {
		lines = append(lines, infoLine{"not known here", strings.Join(skipped, ", ") + ", of a newer lapsvm"})
	}
	if image := m.Image(); !image.None() {
		text := fmt.Sprintf("%d×%d, %s", image.Width, image.Height, map[bool]string{true: "colour", false: "luma"}[image.Colour])
		if image.White != 0 {
			text += fmt.Sprintf(", white is %g", image.White)
		}
		if summary.Aligned(m) != "" {
			text += ", aligned"
		}
		lines = append(lines, infoLine{"images", text})
	}
	return lines
}

// membersShown is how many machines of a mean memberLines lists.
const membersShown = 10

// memberLines describe the members of a mean, those of the largest weights first;
// none where the model is one machine.
func memberLines(r lapsvm.Recipe) []infoLine {
	if n := learn.UnlistedMembers(r); n > 0 {
		return []infoLine{{"mean of", fmt.Sprintf("%d machines, which this file of an older program does not list", n)}}
	}
	if len(r.Members) < 2 {
		return nil
	}
	lines := []infoLine{{"mean of", fmt.Sprintf("%d machines, the one above has %.3g %%; --json lists all", len(r.Members), 100*r.Leading().Weight)}}
	members := slices.Clone(r.Members)
	slices.SortStableFunc(members, func(a, b lapsvm.Member) int { return cmp.Compare(b.Weight, a.Weight) })
	for k, m := range members {
		if k == membersShown {
			return append(lines, infoLine{"", fmt.Sprintf("… %d more", len(members)-k)})
		}
		one := fmt.Sprintf("%.3g %%: the labels alone, weight %g", 100*m.Weight, m.GammaA)
		if m.GammaI > 0 {
			one = fmt.Sprintf("%.3g %%: %s, power %d, weights %g and %g", 100*m.Weight, cli.Count(m.Neighbours, "neighbour", "neighbours"), m.LaplacianDegree, m.GammaA, m.GammaI)
		}
		lines = append(lines, infoLine{"", one})
	}
	return lines
}

// viewLines list the machines that a model is the mean of.
func viewLines(r lapsvm.Recipe) []infoLine {
	if r.Views() == 1 {
		return nil
	}
	left := 1.0
	for _, v := range r.Beside {
		left -= v.Weight
	}
	lines := []infoLine{{"views", fmt.Sprintf("the machine above has %.3g %% of the mean, and beside it", 100*left)}}
	for _, v := range r.Beside {
		lines = append(lines, infoLine{"", fmt.Sprintf("%.3g %%: %s, %v", 100*v.Weight, v.Name, v.Recipe.Kernel)})
	}
	return lines
}

// trainingLines describe the course of the training.
func trainingLines(m *lapsvm.Model) []infoLine {
	training := m.Training()
	var lines []infoLine
	if training.NeighbourSearch != nil {
		lines = append(lines, infoLine{"neighbour search", training.NeighbourSearch.String()})
	}
	if training.NewPoints != nil {
		lines = append(lines, infoLine{"new points", training.NewPoints.String()})
	}
	return append(lines, []infoLine{
		{"iterations", fmt.Sprintf("%.4g: %s", training.Iterations, training.Status)},
		{"objective", fmt.Sprintf("%.10g", training.Objective)},
		{"drift", profileText(m.Profile(), answer.KindOf(m.Kind()).Classes())},
		{"probabilities", probabilitiesText(m)},
	}...)
}

// importanceShown is how many columns importanceLines lists.
const importanceShown = 10

// importanceLines say what the columns of a table do to decisions, those that do most first.
func importanceLines(m *lapsvm.Model) []infoLine {
	all := m.Importance()
	if all == nil {
		return nil
	}
	classes := answer.KindOf(m.Kind()).Classes()
	what := "mean change of the number"
	if classes {
		what = "mean change of the decision value and share of rows of another class"
	}
	lines := []infoLine{{"columns' effects", what + ", where a column has what is usual; direction"}}
	for k, i := range all {
		if k == importanceShown {
			return append(lines, infoLine{"", fmt.Sprintf("… %d more", len(all)-k)})
		}
		name := input.Printable(i.Column)
		if i.Usual != "" {
			name += " = " + input.Printable(i.Usual)
		}
		text := fmt.Sprintf("%s: %.3g", name, i.Effect)
		if classes {
			text += fmt.Sprintf(", %.3g %%", 100*i.Changed)
		}
		if direction := answer.Direction(m, i); direction != "" {
			text += ", " + input.Printable(direction)
		}
		lines = append(lines, infoLine{"", text})
	}
	return lines
}

// profileText describes a model's record of its training points.
func profileText(p *drift.Profile, classes bool) string {
	if p == nil {
		return "nothing is known, as in files of older programs"
	}
	known := fmt.Sprintf("known of the training: ranges of %s", cli.Count(len(p.Columns), "column", "columns"))
	if len(p.Columns) == 1 && p.Columns[0].Feature == drift.WholeRow {
		known = "known of the training: the largest values of rows"
	}
	if p.Rows != nil {
		known += fmt.Sprintf(", %ss of %s", p.Rows.Measure, cli.Count(p.Rows.Count, "row", "rows"))
	}
	if !classes {
		return known
	}
	return known + ", shares of classes"
}

// featuresListed is how many names of features are listed.
const featuresListed = 20

// featuresText is the number of features, and their names in order.
func featuresText(m *lapsvm.Model) string {
	if m.Featureless() {
		return fmt.Sprintf("none: the graph tells the %d rows apart", m.Dim())
	}
	var names []string
	for k, name := range m.Features() {
		if k == featuresListed {
			names = append(names, fmt.Sprintf("… %d more", m.Dim()-k))
			break
		}
		names = append(names, input.Printable(name))
	}
	if names == nil {
		return fmt.Sprintf("%d without names", m.Dim())
	}
	return fmt.Sprintf("%d: %s", m.Dim(), strings.Join(names, ", "))
}

// namesText lists names.
func namesText(names []string) string {
	shown := make([]string, len(names))
	for k, name := range names {
		shown[k] = input.Printable(name)
	}
	return strings.Join(shown, ", ")
}

// imageResult is the JSON of the images that a model takes.
type imageResult struct {
	Width  int     `json:"width"`
	Height int     `json:"height"`
	Colour bool    `json:"colour"`
	White  float64 `json:"white,omitempty"` // 1 where it is left out
}

// calibrationResult is the JSON of a calibration.
type calibrationResult struct {
	Slope   float64 `json:"slope"`
	HeldOut int     `json:"held_out"` // 0: assumed
}

func newCalibrationResult(c *calibrate.Calibration) *calibrationResult {
	if c == nil {
		return nil
	}
	return &calibrationResult{c.Slope, c.HeldOut}
}

func probabilitiesText(m *lapsvm.Model) string {
	switch c, each := m.Calibration(), m.Predictor().Each(); {
	case each != nil:
		var thresholds []string
		for k, name := range m.Classes() {
			thresholds = append(thresholds, fmt.Sprintf("%.3g of %s", each.Threshold[k], name))
		}
		return fmt.Sprintf("slope and threshold for each class, from %s: %s", cli.Count(each.HeldOut, "held-out label", "held-out labels"), strings.Join(thresholds, ", "))
	case c == nil:
		return "none"
	case c.HeldOut == 0:
		return fmt.Sprintf("slope %.6g, assumed: no label could be held out", c.Slope)
	default:
		return fmt.Sprintf("slope %.6g, from %s", c.Slope, cli.Count(c.HeldOut, "held-out label", "held-out labels"))
	}
}
