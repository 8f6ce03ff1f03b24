// Package export writes trained models in the formats of other tools: ONNX for
// inference runtimes, LIBSVM's model text, and JSON that says everything.
//
// Each function takes the parts of a model, as [modelfile.ReadFile] and the
// method Contents of a model give them, and writes
//
//	f_c(x) = Σ_j α_cj·k(basis_j, scaled(x)) + b_c
//
// so that the other tool gives the same decision values and labels, to the
// accuracy that each function states. What a format cannot express is refused
// with the reason; then nothing is written.
package export

import (
	"fmt"
	"path/filepath"
	"strings"

	"lapsvm/internal/machines/modelfile"
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

// FormatOf returns the format that the name of a file tells: .onnx, .libsvm or
// .model, and .json. It fails for other names.
func FormatOf(path string) (Format, error) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".onnx":
		return FormatONNX, nil
	case ".libsvm", ".model":
		return FormatLIBSVM, nil
	case ".json":
		return FormatJSON, nil
	}
	return "", fmt.Errorf("the name %s does not tell a format: end it in .onnx, .libsvm, .model or .json", path)
}

func ownKernel(k kernel.Kernel) error {
	return fmt.Errorf("the kernel %v is the program's own, which no format can express: only %s can be exported", k, strings.Join(kernel.Names(""), ", "))
}

// expansionAlone reports a model whose decisions are more than its expansion, which no
// format has a place for.
func expansionAlone(c *modelfile.Contents) error {
	if c.Local != nil {
		return fmt.Errorf("the model adds to its expansion what the nearest of its %d training points say, which no other format can express: train it with --compact, which makes an expansion alone", c.Local.Points.Len())
	}
	return nil
}
