package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"lapsvm"
	"lapsvm/calibrate"
	"lapsvm/dataset"
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
				return printJSON(p.stdout, struct {
					lapsvm.Training
					lapsvm.Config
					Classes     []string           `json:"classes"`
					Features    []string           `json:"features,omitempty"`
					Label       string             `json:"label,omitempty"`
					Columns     []columnResult     `json:"columns,omitempty"` // of a table, where they were encoded
					Image       *imageResult       `json:"image,omitempty"`
					Basis       int                `json:"basis"`
					Machines    int                `json:"machines"`
					Calibration *calibrationResult `json:"calibration"`
				}{m.Training(), m.Config(), m.Classes(), m.Features(), m.Label(), newColumnResults(m.Encoding()), newImageResult(m.Image()), m.Basis(), m.Machines(), newCalibrationResult(m.Calibration())})
			}
			config, training := m.Config(), m.Training()
			rows := [][2]string{
				{"classes", strings.Join(m.Classes(), ", ")},
				{"kernel", m.Kernel().String()},
				{"expansion", fmt.Sprintf("%s in %s", count(m.Machines(), "machine", "machines"), count(m.Basis(), "basis point", "basis points"))},
				{"features", featuresText(m)},
				{"preprocessing", config.Standardise},
				{"trained on", fmt.Sprintf("%d labelled and %d unlabelled points", training.Labelled, training.Unlabelled)},
				{"gamma-a, gamma-i", fmt.Sprintf("%g, %g", config.GammaA, config.GammaI)},
				{"loss", config.Loss},
				{"bias", biasText(config)},
			}
			if image := m.Image(); image != nil {
				rows = append(rows, [2]string{"images", fmt.Sprintf("%d×%d, %s", image.Width, image.Height, map[bool]string{true: "colour", false: "luma"}[image.Colour])})
			}
			if config.Prior != "" {
				rows = append(rows, [2]string{"prior", config.Prior})
			}
			if config.Neighbours > 0 {
				rows = append(rows,
					[2]string{"graph", fmt.Sprintf("%d %s neighbours, %s weights, width %.6g", config.Neighbours, config.Metric, config.Weights, config.Heat)},
					[2]string{"laplacian", fmt.Sprintf("%s, power %d", config.Laplacian, config.LaplacianDegree)})
			}
			rows = append(rows,
				[2]string{"solver", fmt.Sprintf("%s, %.4g iterations: %s", config.Solver, training.Iterations, training.Status)},
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

func biasText(c lapsvm.Config) string {
	switch {
	case !c.Bias:
		return "none"
	case c.BiasInNorm:
		return "yes, part of the intrinsic norm"
	}
	return "yes, outside the intrinsic norm"
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
