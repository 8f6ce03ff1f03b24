package train

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"lapsvm/internal/numbers/objective"
	"lapsvm/kernel"
	"lapsvm/points"
)

// finish puts the recipe of a draft that was read from JSON into r.
func (d *Draft) finish(r *Recipe) error {
	if d.name != "" {
		k, err := kernel.New(d.name, d.parameters)
		if err != nil {
			return err
		}
		d.Recipe.Kernel = k
	}
	if d.inNorm != nil && !*d.inNorm && d.Recipe.Bias == objective.BiasInNorm {
		d.Recipe.Bias = objective.BiasOutside
	}
	*r = d.Recipe
	return nil
}

// NewDraft returns a draft with the defaults of the flags.
func NewDraft() *Draft {
	d := new(Draft)
	for _, s := range Settings() {
		if s.Default == "" {
			continue
		}
		if err := s.Set(d, s.Default); err != nil {
			panic("train: the default of " + s.Key + " " + err.Error())
		}
	}
	return d
}

// Written returns the recipe that flags have written. The kernel is open where they name neither a
// kernel nor a width. It fails for settings that exclude each other.
func (d *Draft) Written() (r Recipe, err error) {
	if d.name == "" && d.parameters.Sigma > 0 {
		d.name = kernel.Names("")[0]
	}
	for _, s := range Settings() {
		if solver := d.Recipe.Solver; s.Only != "" && s.written(d) && solver != Auto && solver != s.Only {
			return r, fmt.Errorf("--%s belongs to the solver %s, and --solver is %s: leave one of the two out", s.Flag, s.Only, solver)
		}
	}
	err = d.finish(&r)
	return r, err
}

// openScaling is the word for a scaling that is left open.
const openScaling points.Standardise = "auto"

// scaling is a scaling by its name, which is auto where the scaling is open.
type scaling points.Standardise

func (s *scaling) String() string { return string(cmp.Or(points.Standardise(*s), openScaling)) }

func (s *scaling) Set(text string) error {
	if *s = scaling(text); points.Standardise(text) == openScaling {
		*s = ""
	}
	return nil
}

func (s *scaling) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

func (s *scaling) UnmarshalText(text []byte) error {
	return s.Set(cmp.Or(string(text), string(points.AsIs)))
}

// laplacian says by a word whether a Laplacian is unnormalised.
type laplacian bool

func (l *laplacian) String() string {
	if *l {
		return "unnormalised"
	}
	return "normalised"
}

func (l *laplacian) Set(text string) error {
	if *l = text == "unnormalised"; text != l.String() && text != "" {
		return fmt.Errorf("unknown Laplacian %q: there are normalised and unnormalised", text)
	}
	return nil
}

func (l *laplacian) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

func (l *laplacian) UnmarshalText(text []byte) error { return l.Set(string(text)) }

// bias is a bias by its name. Older files have true or false.
type bias objective.Bias

func (b *bias) String() string { return objective.Bias(*b).String() }

func (b *bias) Set(text string) error {
	is, err := objective.ParseBias(text)
	*b = bias(is)
	return err
}

func (b *bias) MarshalJSON() ([]byte, error) { return json.Marshal(b.String()) }

func (b *bias) UnmarshalJSON(text []byte) error {
	word := strings.Trim(string(text), `"`)
	switch word { // of older files
	case "true":
		word = objective.BiasInNorm.String()
	case "false":
		word = objective.NoBias.String()
	}
	return b.Set(word)
}

// intrinsic is the weight of the intrinsic norm of a recipe. A weight of 0 is a supervised machine.
type intrinsic struct{ r *Recipe }

func (i *intrinsic) empty() bool { return !(i.r.GammaI > 0) && !i.r.Supervised }

func (i *intrinsic) String() string {
	if i.r.GammaI == 0 && !i.r.Supervised {
		return "auto"
	}
	return strconv.FormatFloat(i.r.GammaI, 'g', -1, 64)
}

func (i *intrinsic) Set(text string) error {
	if text == "auto" {
		i.r.GammaI, i.r.Supervised = 0, false
		return nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return fmt.Errorf("takes a number or auto, not %q", text)
	}
	if !(v >= 0) {
		return fmt.Errorf("must not be negative, but is %v; 0 gives the supervised machine", v)
	}
	i.r.GammaI, i.r.Supervised = v, v == 0
	return nil
}

func (i *intrinsic) MarshalJSON() ([]byte, error) { return json.Marshal(i.r.GammaI) }

func (i *intrinsic) UnmarshalJSON(text []byte) error {
	err := json.Unmarshal(text, &i.r.GammaI)
	i.r.Supervised = i.r.GammaI == 0
	return err
}

// prior is the prior of a recipe by its name. Older files have shares here too, A=0.3,B=0.7.
type prior Recipe

func (p *prior) empty() bool { return p.Prior == NoPrior }

func (p *prior) MarshalJSON() ([]byte, error) { return json.Marshal(p.Prior) }

func (p *prior) UnmarshalJSON(text []byte) error {
	err := json.Unmarshal(text, &p.Prior)
	if name := string(p.Prior); strings.Contains(name, "=") {
		p.Prior = NoPrior
		p.ClassPrior, err = ParseClassPrior(strings.Split(name, ","))
	}
	return err
}

// ParseClassPrior reads shares of classes such as A=0.3.
func ParseClassPrior(texts []string) (map[string]float64, error) {
	prior := make(map[string]float64)
	for _, text := range texts {
		at := strings.LastIndex(text, "=")
		share, err := strconv.ParseFloat(text[at+1:], 64)
		if at < 0 || err != nil {
			return nil, fmt.Errorf("a prior is balanced, labelled, or the share of every class as in A=0.3,B=0.7, not %q", text)
		}
		if _, twice := prior[text[:at]]; twice {
			return nil, fmt.Errorf("the prior gives the class %q twice", text[:at])
		}
		prior[text[:at]] = share
	}
	return prior, nil
}

// PriorText returns the prior in words, "" without one: its name, or the share of
// every class as in A=0.3,B=0.7.
func (r Recipe) PriorText() string {
	if r.ClassPrior == nil {
		return string(r.Prior)
	}
	return sharesText(r.ClassPrior)
}
