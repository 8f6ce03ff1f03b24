package export

import (
	"lapsvm/internal/machines/modelfile"
	"lapsvm/internal/machines/task"
)

// kind is a row of the kinds of label: how other tools have it.
type kind struct {
	scores string // the output of an ONNX graph that has decision values
	named  bool   // the file of such a graph names the classes
	// answer adds the outputs that follow from decision values.
	answer func(g *graph, c *modelfile.Contents, scores string)
	svm    string // LIBSVM's type of machine; "" for none
}

// kindOf returns the row of a kind of label.
func kindOf(of task.Name) kind {
	switch of {
	case task.OfOneClass:
		return kind{"scores", false, (*graph).class, "one_class"}
	case task.OfNumbers:
		return kind{"value", false, func(*graph, *modelfile.Contents, string) {}, "epsilon_svr"}
	case task.OfSeveral:
		return kind{"scores", true, (*graph).several, ""}
	case task.OfOrdered:
		return kind{"scores", true, (*graph).class, "c_svc"}
	}
	return kind{"scores", false, (*graph).class, "c_svc"}
}
