// Package kernel holds the kernel functions: [Gaussian], [Laplacian], [Polynomial], [Linear],
// [Precomputed] and [Distances]. Each is a scalar function of a [points.Statistic] of two points and of
// their squared norms ‖x‖² and ‖y‖². So a Gram matrix is a matrix of statistics, such as a
// matrix product, with one function applied to every entry.
//
// The [Kind] of a kernel says what the kernel needs and what it allows. Other packages decide by
// the Kind, never by the type.
package kernel

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"lapsvm/points"
)

// Kernel is a symmetric positive semi-definite function of two points.
//
// A program may add a kernel of its own with a Kind and both maps. The zero Kind is that of a
// kernel of inner products without other properties. A type that embeds a kernel of this package
// has its Kind, and is treated like it. A model with a kernel of the program's own cannot be
// written to a file.
type Kernel interface {
	Kind() Kind
	// Parameters returns the parameters, with defaults filled in.
	Parameters() Parameters
	// Validate reports parameters outside the kernel's domain.
	Validate() error
	// String returns the name and the parameters in words.
	String() string
	// Map replaces every statistic values[j] of x and y_j by k(x, y_j), given
	// xx = ‖x‖² and yy[j] = ‖y_j‖². values and yy have the same length.
	Map(values []float64, xx float64, yy []float64)
	// Map32 is Map in float32, for Gram matrices stored as float32.
	Map32(values []float32, xx float32, yy []float32)
}

// Kind describes the kernels of one formula.
type Kind struct {
	Name       string           // name in flags and files
	Formula    string           // the formula in letters: σ, D, γ and c for Sigma, Degree, Gamma and Coef0
	Parameters []string         // names of the parameters that the formula has, as in the JSON of [Parameters]
	Statistic  points.Statistic // the number of two points that the kernel is a function of
	// Shift says that the kernel depends on x − y alone, so that moving all points by the same
	// vector changes no value. A kernel of points.Products then depends on ‖x − y‖.
	Shift bool
	// Linear says that an expansion equals one weight vector w per machine, with the decision
	// value ⟨w, x⟩ + b.
	Linear bool
	// Given says that row i of a table of points holds a number for point i and each of all points.
	// With the statistic points.Entries the kernel is a function of it. Else it is the kernel value,
	// and the table of the training points is their Gram matrix.
	Given bool
	// New makes a kernel with the parameters that the formula has. It does not check them.
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
		Distances{}.Kind(),
	}
}

// Parameters holds the parameters of any kernel, by the names in flags and model files. A kernel
// uses those that its Kind lists.
type Parameters struct {
	Sigma  float64 `json:"sigma,omitempty"`
	Degree int     `json:"degree,omitempty"`
	Gamma  float64 `json:"gamma,omitempty"`
	Coef0  float64 `json:"coef0,omitempty"`
}

// Has reports whether the kernels have a parameter of this name.
func (k Kind) Has(parameter string) bool { return slices.Contains(k.Parameters, parameter) }

// BasisPoints reports whether the functions of the kernels stand on points, some of which may stand for all: on no weight
// vectors, and on no columns of a table.
func (k Kind) BasisPoints() bool { return !k.Linear && !k.Given }

// Distance returns the distance of row i of p to a basis point: the Euclidean one, or the one that is given.
func (k Kind) Distance(p *points.Points, i int, basis *points.Points, j int) float64 {
	if k.Given {
		return p.Distance(points.Entries, i, basis, j)
	}
	return p.Distance(points.Products, i, basis, j)
}

// OfFeatures reports whether a kernel sees the features of points, as one does that is open, nil. Such points can be scaled and
// described, and other kernels and metrics see them too. Else the rows are related: they have values or distances.
func OfFeatures(k Kernel) bool { return k == nil || !k.Kind().Given }

// Custom reports whether k is a kernel of a program and not of this package.
func Custom(k Kernel) bool {
	return !slices.ContainsFunc(Kinds(), func(kind Kind) bool {
		return reflect.TypeOf(kind.New(Parameters{})) == reflect.TypeOf(k)
	})
}

// Names returns the names of the kernels that have a parameter; "" returns the names of all.
func Names(parameter string) []string {
	var names []string
	for _, kind := range Kinds() {
		if parameter == "" || kind.Has(parameter) {
			names = append(names, kind.Name)
		}
	}
	return names
}

// New makes the kernel of a name with its parameters. It does not check the parameters, which
// Kernel.Validate does. It fails for an unknown name.
func New(name string, p Parameters) (Kernel, error) {
	for _, kind := range Kinds() {
		if kind.Name == name {
			return kind.New(p), nil
		}
	}
	return nil, fmt.Errorf("unknown kernel %q: there are %s", name, strings.Join(Names(""), ", "))
}
