package learn

import (
	"lapsvm"
	"lapsvm/app/summary"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/system/machine"
)

// trainResult is the JSON of a training, beside its recipe.
type trainResult struct {
	lapsvm.Training
	Rows       int               `json:"rows"` // of the data; those beyond the n that take part are decided as new points
	Classes    []string          `json:"classes"`
	Members    int               `json:"members"`              // machines whose mean the model is, 1 for one
	Checkpoint []string          `json:"checkpoint,omitempty"` // which parts were taken from the folder, and which were made
	Planned    int64             `json:"planned_bytes"`        // memory that the plan of the training expects, beside the program's own
	PeakBytes  int64             `json:"peak_bytes"`
	Seconds    trainSeconds      `json:"seconds"`
	Predicted  []predictedResult `json:"predicted,omitempty"`         // on the unlabelled points
	Suspicious []int             `json:"suspicious_labels,omitempty"` // rows from 1 whose labels look wrong
	Landmarks  int               `json:"landmarks"`                   // points that stand for the Gram matrix; 0 for all

	picturesFound bool // by the likeness of columns
}

type trainSeconds struct {
	Read      float64 `json:"read"`
	Choose    float64 `json:"choose"` // parameters
	Auto      float64 `json:"auto"`   // the same, by its older name
	Graph     float64 `json:"graph"`
	Gram      float64 `json:"gram"`
	Solve     float64 `json:"solve"`
	Calibrate float64 `json:"calibrate"`
	NewPoints float64 `json:"new_points"` // what the model has for them, of landmarks
	Compare   float64 `json:"compare"`    // with a machine on the labelled points alone
	Total     float64 `json:"total"`
}

// parts are the times for people.
func (s trainSeconds) parts() []summary.Time {
	parts := []summary.Time{{Part: "reading", Seconds: s.Read}, {Part: "choosing parameters", Seconds: s.Choose}, {Part: "graph", Seconds: s.Graph},
		{Part: "Gram matrix", Seconds: s.Gram}, {Part: "solving", Seconds: s.Solve}, {Part: "probabilities", Seconds: s.Calibrate}}
	if s.NewPoints > 0 {
		parts = append(parts, summary.Time{Part: "new points", Seconds: s.NewPoints})
	}
	if s.Compare > 0 {
		parts = append(parts, summary.Time{Part: "comparison", Seconds: s.Compare})
	}
	return parts
}

// newTrainResult is the result of a training on data of so many rows. The times are in seconds.
func newTrainResult(m *lapsvm.Model, rows int, read, choose, total float64) trainResult {
	t, recipe := m.Training(), m.Recipe()
	landmarks := 0
	if recipe.Solver == train.Landmarks {
		landmarks = recipe.Landmarks
	}
	return trainResult{
		Landmarks: landmarks,
		Training:  t, Rows: rows, Classes: m.Classes(), Members: len(recipe.Machines()), PeakBytes: machine.Peak(), Checkpoint: t.Checkpoint,
		Seconds: trainSeconds{read, choose, choose, t.Seconds.Graph, t.Seconds.Gram, t.Seconds.Solve, t.Seconds.Calibrate, t.Seconds.NewPoints, t.Seconds.Compare, total},
	}
}
