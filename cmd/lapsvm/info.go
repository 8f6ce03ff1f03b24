package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"lapsvm"
	"lapsvm/calibrate"
	"lapsvm/dataset"
	"lapsvm/graph"
	"lapsvm/objective"
)

func (p *program) info() *cobra.Command {
	var report reportFlags
	c := &cobra.Command{
		Use:   "info MODEL",
		Short: "Show what is in a model file",
		Long: `info shows how a model was trained, and on what: its classes, its features in
their order, of which --json lists all, and what the columns of a table were
taken for.`,
		Args: arguments("MODEL"),
		RunE: func(c *cobra.Command, args []string) error {
			m, err := loadModel(args[0])
			if err != nil {
				return err
			}
			if report.json {
				return printJSON(p.stdout, objects{m.Recipe(), newLeading(m.Recipe()), struct {
					lapsvm.Training
					Classes     []string           `json:"classes"`
					Features    []string           `json:"features,omitempty"`
					Label       string             `json:"label,omitempty"`
					Columns     []columnResult     `json:"columns,omitempty"` // of a table, where they were encoded
					Image       *imageResult       `json:"image,omitempty"`
					Basis       int                `json:"basis"`
					Machines    int                `json:"machines"`
					Calibration *calibrationResult `json:"calibration"`
				}{m.Training(), m.Classes(), m.Features(), m.Label(), newColumnResults(m.Encoding()), newImageResult(m.Image()), m.Basis(), m.Machines(), newCalibrationResult(m.Calibration())}})
			}
			recipe, leading, training := m.Recipe(), m.Recipe().Leading(), m.Training()
			rows := [][2]string{
				{"classes", strings.Join(m.Classes(), ", ")},
				{"kernel", m.Kernel().String()},
				{"expansion", fmt.Sprintf("%s in %s", count(m.Machines(), "machine", "machines"), count(m.Basis(), "basis point", "basis points"))},
				{"features", featuresText(m)},
				{"preprocessing", string(recipe.Standardise)},
				{"trained on", fmt.Sprintf("%d labelled and %d unlabelled points", training.Labelled, training.Unlabelled)},
				{"gamma-a, gamma-i", fmt.Sprintf("%g, %g", leading.GammaA, leading.GammaI)},
				{"loss", string(recipe.Loss)},
				{"bias", biasText(recipe.Bias)},
			}
			if image := m.Image(); image != nil {
				rows = append(rows, [2]string{"images", fmt.Sprintf("%d×%d, %s", image.Width, image.Height, map[bool]string{true: "colour", false: "luma"}[image.Colour])})
			}
			if prior := recipe.PriorText(); prior != "" {
				rows = append(rows, [2]string{"prior", prior})
			}
			if !recipe.Supervised {
				width := ""
				if recipe.Graph.HeatWidth > 0 {
					width = fmt.Sprintf(", width %.6g", recipe.Graph.HeatWidth)
				}
				rows = append(rows,
					[2]string{"graph", fmt.Sprintf("%d %s neighbours, %s weights%s", leading.Neighbours, recipe.Graph.Metric, recipe.Graph.Weights, width)},
					[2]string{"laplacian", fmt.Sprintf("%s, power %d", laplacianText(recipe.Graph), leading.LaplacianDegree)})
			}
			if text := membersText(recipe); text != "" {
				rows = append(rows, [2]string{"mean of", text})
			}
			rows = append(rows,
				[2]string{"solver", fmt.Sprintf("%s, %.4g iterations: %s", recipe.Solver, training.Iterations, training.Status)},
				[2]string{"objective", fmt.Sprintf("%.10g", training.Objective)},
				[2]string{"probabilities", calibrationText(m.Calibration())})
			for _, row := range rows {
				fmt.Fprintf(p.stdout, "%-17s %s\n", row[0], row[1])
			}
			for _, column := range newColumnResults(m.Encoding()) {
				fmt.Fprintf(p.stdout, "column %q: %s\n", column.Name, column.Text)
			}
			return nil
		},
	}
	report.register(c)
	return c
}

// featuresListed is how many names of features are listed.
const featuresListed = 20

// featuresText is the number of features, and their names in order.
func featuresText(m *lapsvm.Model) string {
	var names []string
	for k, name := range m.Features() {
		if k == featuresListed {
			names = append(names, fmt.Sprintf("… %d more", m.Dim()-k))
			break
		}
		names = append(names, printable(name))
	}
	if names == nil {
		return fmt.Sprintf("%d without names", m.Dim())
	}
	return fmt.Sprintf("%d: %s", m.Dim(), strings.Join(names, ", "))
}

// imageResult is the JSON of what became of images.
type imageResult struct {
	Width  int  `json:"width"`
	Height int  `json:"height"`
	Colour bool `json:"colour"`
}

func newImageResult(m *dataset.Image) *imageResult { return (*imageResult)(m) }

func biasText(b objective.Bias) string {
	switch b {
	case objective.NoBias:
		return "none"
	case objective.BiasInNorm:
		return "yes, part of the intrinsic norm"
	}
	return "yes, outside the intrinsic norm"
}

func laplacianText(o graph.Options) string {
	if o.Unnormalised {
		return "unnormalised"
	}
	return "normalised"
}

// membersText says what a model is the mean of, "" where it is one machine.
func membersText(r lapsvm.Recipe) string {
	switch c := r.Choice; {
	case len(r.Members) > 1:
		return fmt.Sprintf("%d machines, of which the one above counts most, %.3g %%; --json lists all", len(r.Members), 100*r.Leading().Weight)
	case c != nil && c.Averaged > 1 && r.Solver == lapsvm.Deformed:
		return fmt.Sprintf("%d machines, which this file of an older program does not list", c.Averaged)
	}
	return ""
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

func calibrationText(c *calibrate.Calibration) string {
	switch {
	case c == nil:
		return "none"
	case c.HeldOut == 0:
		return fmt.Sprintf("slope %.6g, assumed: no label could be held out", c.Slope)
	}
	return fmt.Sprintf("slope %.6g, from %s", c.Slope, count(c.HeldOut, "held-out label", "held-out labels"))
}
