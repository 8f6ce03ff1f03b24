package train

import (
	"errors"
	"slices"

	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/system/fault"
	"lapsvm/kernel"
)

// Draft is a recipe whose settings are written one by one. The name and the parameters of its kernel
// become a kernel at the end.
type Draft struct {
	Recipe Recipe
	// WeightFile is the file that the flag of the class weights names. The program reads the
	// weights into the recipe.
	WeightFile string

	name       string // of the kernel
	parameters kernel.Parameters
	distances  bool        // the kernel is that of distances; a recipe has its name
	outside    biasOutside // beside a bias
	said       saidKind    // of the labels
}

// NewDraft returns a draft with the defaults of the flags under some headings.
func NewDraft(groups ...string) *Draft {
	d := new(Draft)
	for _, s := range Settings() {
		if s.Default == "" || !slices.Contains(groups, s.Group) {
			continue
		}
		if err := s.Set(d, s.Default); err != nil {
			panic("train: the default of " + s.Key + " " + err.Error())
		}
	}
	return d
}

// draftOf returns the draft of a recipe.
func draftOf(r Recipe) *Draft {
	d := &Draft{Recipe: r, said: saidOf(r.Kind)}
	if r.Kernel != nil {
		d.name, d.parameters = r.Kernel.Kind().Name, r.Kernel.Parameters()
		if kernel.Custom(r.Kernel) {
			d.name = r.Kernel.String()
		}
	}
	return d
}

// Written returns the recipe that flags have written. The kernel is open where they name neither a
// kernel nor a width. It fails for settings that exclude each other.
func (d *Draft) Written() (r Recipe, err error) {
	if d.name == "" && d.parameters.Sigma > 0 && !d.distances {
		d.name = kernel.Names("")[0]
	}
	if err = d.finish(&r); err != nil {
		return r, err
	}
	var excluded *ExclusionError
	if _, err := r.WithDefaults(); errors.As(err, &excluded) { // trainings tell of the other errors
		return r, excluded
	}
	return r, nil
}

// finish puts the recipe of the draft into r, with its kernel, and its bias where that is outside.
func (d *Draft) finish(r *Recipe) error {
	if of := (kernel.Distances{}).Kind().Name; d.distances {
		if precomputed := (kernel.Precomputed{}).Kind().Name; d.name != "" && d.name != precomputed && d.name != of {
			return fault.Errorf("distances are no points for the kernel %s: leave the kernel out, or give the kernel %s", d.name, precomputed)
		}
		d.name = of
	}
	if d.name != "" {
		k, err := kernel.New(d.name, d.parameters)
		if err != nil {
			return err
		}
		d.Recipe.Kernel = k
	}
	if bool(d.outside) && d.Recipe.Bias == objective.BiasInNorm {
		d.Recipe.Bias = objective.BiasOutside
	}
	if err := d.finishKind(); err != nil {
		return err
	}
	*r = d.Recipe
	return nil
}
