// Package answer has the outputs of a model for people: labels, decision values,
// probabilities and explanations as columns, as CSV and as JSON. The command and the server
// share it, so that both give the same answers to the last bit.
package answer

import (
	"lapsvm"
	"lapsvm/dataset/files"
)

// Options returns the options for reading points for a model: its columns by name, its
// encoding, its label column, its images.
func Options(m *lapsvm.Model) files.Options {
	return files.Options{Label: m.Label(), Features: m.Dim(), Encoding: m.Encoding().ForOthers(), Columns: m.Features(), Image: m.Image()}
}
