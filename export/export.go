// Package export writes trained models in the formats of other tools: ONNX for inference
// runtimes, LIBSVM's model text, and JSON with all parts of a model.
//
// Each function takes the parts of a model, from the method Contents of lapsvm.Model, and writes
//
//	f_c(x) = Σ_j α_cj·k(basis_j, scaled(described(x))) + b_c
//
// The other tool then gives the same decision values and labels, to the accuracy that each
// function states. A function fails for what its format cannot express, and then writes nothing.
package export

import (
	"fmt"
	"path/filepath"
	"strings"

	"lapsvm/internal/machines/modelfile"
	"lapsvm/internal/system/fault"
	"lapsvm/kernel"
)

// Format names a format.
type Format string

// The formats.
const (
	FormatONNX   Format = "onnx"
	FormatLIBSVM Format = "libsvm"
	FormatJSON   Format = "json"
)

// FormatOf returns the format by the ending of a file name: .onnx, .libsvm or .model, or .json. It
// fails for other endings.
func FormatOf(path string) (Format, error) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".onnx":
		return FormatONNX, nil
	case ".libsvm", ".model":
		return FormatLIBSVM, nil
	case ".json":
		return FormatJSON, nil
	}
	return "", fault.Errorf("the name %s does not tell a format: end it in .onnx, .libsvm, .model or .json", path)
}

func errCustomKernel(k kernel.Kernel) error {
	return fmt.Errorf("the kernel %v is the program's own, which no format can express: only %s can be exported", k, strings.Join(kernel.Names(""), ", "))
}

// withoutLocal fails for a model that adds a Local, which no format can express.
func withoutLocal(c *modelfile.Contents) error {
	if c.Local != nil {
		return fault.Lacks.Errorf("the model corrects its decisions by the nearest of its %d training points, and no other format can express this: train it with %s, which leaves the correction out", c.Local.Points.Len(), fault.Option{In: "Recipe", Name: "Compact", Value: true})
	}
	return nil
}
