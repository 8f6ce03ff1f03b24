package train

import (
	"fmt"
	"slices"

	"lapsvm/dataset"
	"lapsvm/internal/machines/solve"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/points/graph"
)

// Summary tells how a model was trained.
type Summary struct {
	N                int     `json:"n"`
	D                int     `json:"d"`
	Labelled         int     `json:"labelled"`
	Unlabelled       int     `json:"unlabelled"`
	Objective        float64 `json:"objective"`                        // J summed over the machines
	Iterations       float64 `json:"iterations"`                       // mean per machine
	LineSearchSteps  float64 `json:"line_search_steps"`                // intervals tried in all iterations, mean per machine
	ErrorVectors     int     `json:"error_vectors"`                    // |E| summed over the machines
	Status           string  `json:"status"`                           // why the solver stopped
	TrainingError    float64 `json:"training_error"`                   // percent of the labelled points, or of the answers for several classes; 0 of a regression
	TrainingRMSE     float64 `json:"training_rmse,omitempty"`          // of a regression, of the labelled points
	TrainingDistance float64 `json:"training_rank_distance,omitempty"` // of ordered classes, the mean distance of ranks of the labelled points
	Gram             string  `json:"gram_choice"`                      // how the Gram matrix was had, and why
	Seconds          Seconds `json:"seconds"`
	*NeighbourSearch
	Ranks *RanksSummary `json:"ranks,omitempty"` // nil of one process
	// Checkpoint tells which parts were taken from the folder of [Run].Checkpoint and which
	// were made, in words; nil without.
	Checkpoint []string      `json:"-"`
	NewPoints  *NewPoints    `json:"new_points,omitempty"`   // nil but of landmarks
	Edges      *EdgesWeigh   `json:"edges,omitempty"`        // nil without given edges
	Unused     bool          `json:"edges_unused,omitempty"` // edges are given, and the machine is supervised
	Graph      *graph.Health `json:"-"`                      // nil for a supervised machine and for a model that was read
	HeldOut    *HeldOut      `json:"-"`                      // what calibration learnt from; nil without, and like Graph
	LeftOut    []float64     `json:"-"`                      // of a regression: what machines without it say of each labelled row, in the unit of the labels; nil without Calibrate, and like Graph
	LeftAsNew  []float64     `json:"-"`                      // likewise, were the row a new one
	LeftParts  int           `json:"-"`                      // that all labels were divided into for LeftOut
	Scores     [][]float64   `json:"-"`                      // [row][class] decision values of the training points; nil like Graph
}

// NeighbourSearch tells how the neighbours of the graph were found.
type NeighbourSearch struct {
	Kind        string  `json:"neighbour_search"` // exact or approximate
	Recall      float64 `json:"recall"`           // share of the nearest neighbours that were found
	RecallError float64 `json:"recall_error"`     // its standard error
	Reason      string  `json:"neighbour_search_choice"`
}

// SearchOf puts how neighbours were found into the words of a summary.
func SearchOf(f graph.Found) *NeighbourSearch {
	s := &NeighbourSearch{"exact", f.Recall, f.RecallError, f.Reason}
	if f.Approximate {
		s.Kind = "approximate"
	}
	return s
}

// String returns it in words.
func (s *NeighbourSearch) String() string {
	if s.Kind == "exact" {
		return fmt.Sprintf("exact: %s", s.Reason)
	}
	return fmt.Sprintf("approximate, %.1f %% (± %.1f) of the nearest found: %s", 100*s.Recall, 100*s.RecallError, s.Reason)
}

// Seconds is the time that the parts of a training took.
type Seconds struct {
	Graph     float64 `json:"graph"`
	Gram      float64 `json:"gram"`
	Solve     float64 `json:"solve"`
	Calibrate float64 `json:"calibrate"`
	NewPoints float64 `json:"new_points"` // what the model has for them, where it is made of landmarks
	Compare   float64 `json:"compare"`    // with a machine on the labelled points alone, where that is trained after the model
}

// add adds the time that another training took.
func (s *Seconds) add(of Seconds) {
	s.Graph, s.Gram, s.Solve, s.Calibrate, s.NewPoints = s.Graph+of.Graph, s.Gram+of.Gram, s.Solve+of.Solve, s.Calibrate+of.Calibrate, s.NewPoints+of.NewPoints
}

// features returns the number of features of the points, before they were described.
func (p *Problem) features() int {
	if p.Description != nil {
		return p.Description.Inputs()
	}
	return p.Geometry.Points().Dim()
}

// summarise tells of a training up to its minimum.
func (p *Problem) summarise(m *minimum, run Run) Summary {
	g, t := p.Geometry, p.Task
	s := Summary{N: g.Len(), D: p.features(), Labelled: len(t.Labelled), Unlabelled: t.Points - len(t.Labelled), Graph: p.health, Gram: p.reason, Checkpoint: p.kept}
	if !p.Recipe.Supervised {
		s.NeighbourSearch = SearchOf(g.Search())
	}
	iterations, lineSearchSteps := 0, 0
	for c := range m.Objective {
		s.Objective += m.Objective[c]
		s.ErrorVectors += m.ErrorVectors[c]
		iterations += m.Iterations[c]
		lineSearchSteps += m.LineSearchSteps[c]
	}
	machines := float64(len(m.Objective))
	s.Iterations, s.LineSearchSteps = float64(iterations)/machines, float64(lineSearchSteps)/machines
	s.Status = string(m.Status[0])
	for _, limit := range []solve.Status{solve.IterationLimit, solve.TimeLimit} {
		if slices.Contains(m.Status, limit) {
			s.Status = string(limit)
		}
	}
	s.Seconds = Seconds{Graph: g.Seconds().Neighbours, Gram: g.Seconds().Gram, Solve: m.seconds}
	run.log().Info("solve", "iterations", s.Iterations, "objective", s.Objective, "status", s.Status, "seconds", s.Seconds.Solve)
	return s
}

// decide records what the outputs [machine][point] say of the training points.
func (s *Summary) decide(t *task.Task, outputs [][]float64, supervised bool) {
	if !supervised {
		s.Scores = t.Coding().Scores(outputs)
	}
	known, labels, at := t.Known(), make([]int, len(t.Labelled)), make([][]float64, len(outputs))
	for machine, f := range outputs {
		at[machine] = make([]float64, len(t.Labelled))
		for k, i := range t.Labelled {
			labels[k], at[machine][k] = k, f[i]
		}
	}
	kindOf(t.Kind).trained(s, known, labels, at)
}

// warnOfUnlabelled warns of classes of d that no row has a label of, unless the
// validation points have them.
func (run Run) warnOfUnlabelled(d *dataset.Dataset, t *task.Task) {
	for _, name := range t.UnlabelledClasses(d) {
		if run.Validation == nil || dataset.FindClass(run.Validation.Classes, name) < 0 {
			run.log().Warn("class without a labelled point is left out", "class", name)
		}
	}
}

// logGraph tells of a graph.
func (run Run) logGraph(r *graph.Health) {
	run.log().Info("graph", "points", r.Points, "edges", r.Edges, "components", len(r.Components))
	if r.WithoutLabel > 0 {
		run.log().Warn("some components of the graph have no labelled point; the kernel alone decides there",
			"points", r.WithoutLabel, "components", len(r.Components))
	}
}
