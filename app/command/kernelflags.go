package command

import (
	"cmp"

	"github.com/spf13/pflag"

	"lapsvm/kernel"
)

// kernelFlags are the kernel and its parameters.
type kernelFlags struct {
	name         string
	sigma        autoNumber
	degree       int
	gamma, coef0 float64
}

func (f *kernelFlags) define(flags *pflag.FlagSet) {
	var formulas []string
	for _, kind := range kernel.Kinds() {
		formulas = append(formulas, kind.Name+" "+kind.Formula)
	}
	of := func(parameter string) string { return " of the kernel " + alternatives(kernel.Names(parameter)) }
	names := kernel.Names("")
	addOneOf(flags, &f.name, "kernel", "", alternatives(formulas)+" (default "+names[0]+"; linear for a table with text)", names...)
	flags.Var(&f.sigma, "sigma", "σ"+of("sigma")+"; this and the next flags with auto are chosen by held-out labels and the graph")
	flags.IntVar(&f.degree, "degree", 3, "D"+of("degree"))
	flags.Float64Var(&f.coef0, "coef0", 0, "c"+of("coef0"))
	flags.Float64Var(&f.gamma, "gamma", 1, "γ"+of("gamma"))
}

// kernel returns the kernel that the flags describe, and nil where they name none. The
// width is open where it is auto.
func (f *kernelFlags) kernel() (kernel.Kernel, error) {
	if f.sigma.value != nil && !(*f.sigma.value > 0) {
		return nil, Usagef("--sigma must be positive, not %v; auto chooses it", *f.sigma.value)
	}
	if f.name == "" && f.sigma.value == nil {
		return nil, nil // open
	}
	k, err := kernel.New(cmp.Or(f.name, kernel.Names("")[0]), kernel.Parameters{Sigma: f.sigma.or(0), Degree: f.degree, Gamma: f.gamma, Coef0: f.coef0})
	if err != nil {
		return nil, usageError{err}
	}
	return k, nil
}
