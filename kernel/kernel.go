// Package kernel holds the kernel functions. Each is a scalar map of a
// [points.Statistic] of two points, with the squared norms ‖x‖² and ‖y‖² at hand:
// a Gram matrix is a matrix of statistics, such as a matrix product, followed by
// one map over its entries.
//
// A kernel is one file, which holds all that is particular to it, and one line of
// [Kinds]. What it needs and what can be done with it is told by its [Kind]: by
// that, and not by its type, other packages decide.
package kernel

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"lapsvm/points"
)

// Kernel is a symmetric positive semi-definite function of two points. A program
// may add its own, with a Kind of its own (the zero Kind is one that sees inner
// products and of which nothing else is known) and both maps; a type that embeds
// a kernel of this package passes for that. A model with a kernel of the
// program's own cannot be written to a file.
type Kernel interface {
	Kind() Kind
	// Parameters returns the parameters, defaults filled in.
	Parameters() Parameters
	// Validate reports parameters outside the kernel's domain.
	Validate() error
	// String names the kernel with its parameters, for people.
	String() string
	// Map replaces every statistic values[j] of x and y_j by k(x, y_j), given
	// xx = ‖x‖² and yy[j] = ‖y_j‖². values and yy have the same length.
	Map(values []float64, xx float64, yy []float64)
	// Map32 is Map in float32, for rows of a Gram matrix that is stored so.
	Map32(values []float32, xx float32, yy []float32)
}

// Kind is what the kernels of one formula have in common.
type Kind struct {
	Name       string           // in flags and files
	Formula    string           // in the letters that the flags have for the parameters
	Parameters []string         // those that it has, by the names that [Parameters] has in JSON
	Statistic  points.Statistic // what it needs of two points
	// Shift says that it depends on x − y alone, so that moving all points by the
	// same vector leaves it as it is: with points.Products on ‖x − y‖.
	Shift bool
	// Linear says that an expansion is a weight vector, of which a decision value is
	// the inner product with the point.
	Linear bool
	// Given says that the values of a point are those of the kernel with all points,
	// so that a table of points is their Gram matrix.
	Given bool
	// New makes a kernel of the parameters that it has, without looking at them.
	New func(Parameters) Kernel
}

// Kinds lists the kernels of this package; the first is the default.
func Kinds() []Kind {
	return []Kind{
		Gaussian{}.Kind(),
		Polynomial{}.Kind(),
		Linear{}.Kind(),
		Laplacian{}.Kind(),
		Precomputed{}.Kind(),
	}
}

// Parameters are the numbers of a kernel, by the names of the command's flags and
// of model files. Each kernel says what they are for it.
type Parameters struct {
	Sigma  float64 `json:"sigma,omitempty"`
	Degree int     `json:"degree,omitempty"`
	Gamma  float64 `json:"gamma,omitempty"`
	Coef0  float64 `json:"coef0,omitempty"`
}

// Has reports whether the kernels have a parameter of this name.
func (k Kind) Has(parameter string) bool { return slices.Contains(k.Parameters, parameter) }

// Own reports whether k is a kernel of the program's own and not of this package.
func Own(k Kernel) bool {
	return !slices.ContainsFunc(Kinds(), func(kind Kind) bool {
		return reflect.TypeOf(kind.New(Parameters{})) == reflect.TypeOf(k)
	})
}

// Names lists the names of Kinds, those alone that have the parameter where one
// is given.
func Names(parameter string) []string {
	var names []string
	for _, kind := range Kinds() {
		if parameter == "" || kind.Has(parameter) {
			names = append(names, kind.Name)
		}
	}
	return names
}

// New makes the kernel of a name with the parameters that it has, which it does
// not look at: see [Kernel].Validate. It fails for a name that no kernel has.
func New(name string, p Parameters) (Kernel, error) {
	for _, kind := range Kinds() {
		if kind.Name == name {
			return kind.New(p), nil
		}
	}
	return nil, fmt.Errorf("unknown kernel %q: there are %s", name, strings.Join(Names(""), ", "))
}
