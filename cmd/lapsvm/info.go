package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"lapsvm"
)

func (p *program) info() *cobra.Command {
	var report reportFlags
	c := &cobra.Command{
		Use:   "info MODEL",
		Short: "Show what is in a model file",
		Args:  arguments("MODEL"),
		RunE: func(c *cobra.Command, args []string) error {
			m, err := loadModel(args[0])
			if err != nil {
				return err
			}
			if report.json {
				return printJSON(p.stdout, struct {
					lapsvm.Training
					lapsvm.Config
					Classes  []string `json:"classes"`
					Features []string `json:"features,omitempty"`
					Label    string   `json:"label,omitempty"`
					Basis    int      `json:"basis"`
					Machines int      `json:"machines"`
				}{m.Training(), m.Config(), m.Classes(), m.Features(), m.Label(), m.Basis(), m.Machines()})
			}
			config, training := m.Config(), m.Training()
			rows := [][2]string{
				{"classes", strings.Join(m.Classes(), ", ")},
				{"kernel", m.Kernel().String()},
				{"expansion", fmt.Sprintf("%s in %s", count(m.Machines(), "machine", "machines"), count(m.Basis(), "basis point", "basis points"))},
				{"features", fmt.Sprint(m.Dim())},
				{"preprocessing", config.Standardise},
				{"trained on", fmt.Sprintf("%d labelled and %d unlabelled points", training.Labelled, training.Unlabelled)},
				{"gamma-a, gamma-i", fmt.Sprintf("%g, %g", config.GammaA, config.GammaI)},
				{"loss", config.Loss},
				{"bias", biasText(config)},
			}
			if config.Neighbours > 0 {
				rows = append(rows,
					[2]string{"graph", fmt.Sprintf("%d %s neighbours, %s weights, width %.6g", config.Neighbours, config.Metric, config.Weights, config.Heat)},
					[2]string{"laplacian", fmt.Sprintf("%s, power %d", config.Laplacian, config.LaplacianDegree)})
			}
			rows = append(rows,
				[2]string{"solver", fmt.Sprintf("%s, %.4g iterations: %s", config.Solver, training.Iterations, training.Status)},
				[2]string{"objective", fmt.Sprintf("%.10g", training.Objective)})
			for _, row := range rows {
				fmt.Fprintf(p.stdout, "%-17s %s\n", row[0], row[1])
			}
			return nil
		},
	}
	report.register(c)
	return c
}

func biasText(c lapsvm.Config) string {
	switch {
	case !c.Bias:
		return "none"
	case c.BiasInNorm:
		return "yes, part of the intrinsic norm"
	}
	return "yes, outside the intrinsic norm"
}
