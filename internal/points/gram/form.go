// Package gram makes the Gram matrix of a kernel on a set of points available as an operator, and
// evaluates kernel expansions.
//
// An operator multiplies columns. It has one of five forms ([Form]): half of the matrix stored, the
// matrix computed anew for every product, the points in place of the matrix, the points as the
// matrix, or a matrix made from a few landmarks. [Choose] picks a form for the memory allowed,
// [Open] makes the matrix in it.
package gram

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"lapsvm/internal/system/fault"
	"lapsvm/internal/system/size"
	"lapsvm/kernel"
	"lapsvm/points"
)

// Precision is the storage of Gram entries in bits. Sums are float64, but see
// [Half.Mul].
type Precision int

// The precisions.
const (
	Single Precision = 32 // float32
	Double Precision = 64 // float64
)

// OrDouble is the advice to take Double, for the end of a sentence with other advice. It is empty
// for Double.
func (p Precision) OrDouble() string {
	if p == Double {
		return ""
	}
	return ", or take precision 64"
}

// Form is a way of having a Gram matrix.
type Form string

// The forms.
const (
	FormPrecomputed Form = "precomputed" // the points are its rows
	FormPoints      Form = "points"      // XXᵀ, by the points X themselves; "features" in older files
	FormHalf        Form = "half"        // half of it stored
	FormStreamed    Form = "streamed"    // computed anew for every product
	FormLandmarks   Form = "landmarks"   // made of a few of the points: [Landmarks]
)

// form is what is particular to a form.
type form struct {
	name        Form
	rows        bool // gives whole rows, and so has a factor
	approximate bool // is not quite the matrix, and so taken where it is named alone
	table       bool // is for rows of a table, and for no others
	// fits reports whether points and a kernel can be had so; nil means always.
	fits func(p *points.Points, k kernel.Kernel) bool
	// pays reports whether it is worth while; nil means always.
	pays func(p *points.Points) bool
	// bytes is the memory on top of the points, with so many landmarks.
	bytes func(p *points.Points, precision Precision, landmarks int) int64
	// work is roughly what a product takes: bytes that are read, and multiply-adds. There are n points of d features, so many columns, and so many bytes an
	// entry. nil means that of half of the matrix.
	work func(n, d, columns, bytes float64) (read, done float64)
	// reason says why the form is chosen; allowed is the memory in words.
	reason func(p *points.Points, precision Precision, allowed string) string
	// open makes the matrix of a kernel whose width is found, and writes it into o.
	open func(ctx context.Context, p *points.Points, k kernel.Kernel, r Request, o *Opened) error
}

// forms is the table of forms, the one that is preferred first. To add one is a file
// with its row, and a line here.
func forms() []form {
	return []form{precomputed(), byPoints(), half(), streamed(), landmarks()}
}

// formOf returns the row of a form. For the empty form it is FormPrecomputed for given kernel
// values, else FormHalf. It panics where the form is impossible for the kernel.
func formOf(name Form, p *points.Points, k kernel.Kernel) form {
	if name == "" {
		if name = FormHalf; inTable(k) {
			name = FormPrecomputed
		}
	}
	all := forms()
	at := slices.IndexFunc(all, func(f form) bool { return f.name == name })
	if at < 0 || !all[at].can(p, k) {
		panic(fmt.Sprintf("gram: the kernel (%v) in the form %q", k, name))
	}
	return all[at]
}

// Work returns roughly what a product of the matrix with so many columns takes: bytes that are read, and multiply-adds. There are n points of d features,
// and so many bytes an entry.
func (f Form) Work(n, d, columns, bytes float64) (read, done float64) {
	for _, one := range forms() {
		if one.name == f && one.work != nil {
			return one.work(n, d, columns, bytes)
		}
	}
	return n * n / 2 * bytes * math.Ceil(columns/16), 2 * n * n * columns
}

// can reports whether a kernel can be had in the form.
func (f *form) can(p *points.Points, k kernel.Kernel) bool {
	return f.table == inTable(k) && (f.fits == nil || f.fits(p, k))
}

// UnmarshalText reads the name of a form, also as older programs wrote it. It fails
// for a name that no form has.
func (f *Form) UnmarshalText(text []byte) error {
	name, names := Form(text), []string(nil)
	if name == "features" {
		name = FormPoints
	}
	for _, one := range forms() {
		names = append(names, string(one.name))
	}
	if name != "" && !slices.Contains(names, string(name)) {
		return fmt.Errorf("unknown form of the Gram matrix %q: there are %s", name, strings.Join(names, ", "))
	}
	*f = name
	return nil
}

// Storage is the form of a Gram matrix, what it takes, and why it was chosen.
type Storage struct {
	Form   Form
	Bytes  int64 // memory on top of the points
	Reason string
}

// Demand is what [Choose] has to heed.
type Demand struct {
	Memory int64 // bytes that may be used; 0 means any number
	Rows   bool  // whole rows are needed, not only products
	Form   Form  // the only one that will do; "" leaves the choice
	// Landmarks is how many of the points [FormLandmarks] is made of.
	Landmarks int
}

// Choose decides how to have the Gram matrix of p. It takes the first possible form that pays,
// meets the demand d and fits into the memory. The order of the forms is: the points as the matrix;
// the points in place of the matrix, where a product with them reads less; half of the matrix
// stored; the matrix computed anew for every product. Landmarks are taken only where the recipe
// names them. It fails where no form fits, or a named form is not possible.
func Choose(p *points.Points, k kernel.Kernel, precision Precision, d Demand) (Storage, error) {
	allowed := "any memory"
	if d.Memory > 0 {
		allowed = size.Text(d.Memory)
	}
	least := int64(-1) // of what would do but for the memory
	for _, f := range forms() {
		named := f.name == d.Form
		switch {
		case d.Form != "" && !named || !named && (f.approximate || f.pays != nil && !f.pays(p)):
			continue
		case named && !f.can(p, k):
			return Storage{}, fault.Errorf("the Gram matrix of the kernel (%v) cannot be had in the form %s, which the recipe names: leave the form out", k, f.name)
		case named && d.Rows && !f.rows:
			return Storage{}, fault.Errorf("the solver needs rows of the Gram matrix, which the form %s does not have: leave the form out of the recipe, or take the solver pcg", f.name)
		case !f.can(p, k) || d.Rows && !f.rows:
			continue
		}
		bytes := f.bytes(p, precision, d.Landmarks)
		switch {
		case d.Memory > 0 && bytes > d.Memory && named:
			return Storage{}, fault.Memory.Errorf("the recipe names the form %s for the Gram matrix of %d points, which takes %s, but %s may be used: allow more memory, or leave the form out",
				f.name, p.Len(), size.Text(bytes), allowed)
		case d.Memory > 0 && bytes > d.Memory:
			if least < 0 {
				least = bytes
			}
			continue
		case named:
			return Storage{f.name, bytes, "the recipe names this form"}, nil
		}
		return Storage{f.name, bytes, f.reason(p, precision, allowed)}, nil
	}
	if least < 0 {
		return Storage{}, fault.Errorf("the Gram matrix of the kernel (%v) on %d points of %d features cannot be had in the form %q: leave the form out of the recipe", k, p.Len(), p.Dim(), d.Form)
	}
	return Storage{}, fault.Memory.Errorf("the Gram matrix of %d points takes %s, but %s may be used: take fewer points, precision 32, the solver pcg, or allow more memory",
		p.Len(), size.Text(least), allowed)
}
