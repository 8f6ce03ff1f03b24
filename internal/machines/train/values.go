package train

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"lapsvm/internal/points/graph"
	"maps"
	"math"
	"reflect"
	"strconv"
	"strings"

	"lapsvm/internal/numbers/objective"
	"lapsvm/points"
)

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

// neighbours is the number of neighbours in the graph. A number of 0 is a graph of given edges alone.
type neighbours struct{ o *graph.Options }

func (n *neighbours) empty() bool { return n.o.Neighbours == 0 && !n.o.EdgesAlone }

func (n *neighbours) String() string {
	switch {
	case n.o.EdgesAlone:
		return "0"
	case n.o.Neighbours == 0:
		return "auto"
	}
	return strconv.Itoa(n.o.Neighbours)
}

func (n *neighbours) Set(text string) error {
	n.o.Neighbours, n.o.EdgesAlone = 0, false
	if text == "auto" {
		return nil
	}
	v, err := strconv.Atoi(text)
	switch {
	case err != nil:
		return fmt.Errorf("takes a whole number or auto, not %q", text)
	case v < 0 || v > math.MaxInt32:
		return fmt.Errorf("must be from 0 to %d, or auto, not %s; 0 takes the given edges alone", math.MaxInt32, text)
	}
	n.o.Neighbours, n.o.EdgesAlone = v, v == 0
	return nil
}

func (n *neighbours) MarshalJSON() ([]byte, error) { return []byte(n.String()), nil }

func (n *neighbours) UnmarshalJSON(text []byte) error {
	err := json.Unmarshal(text, &n.o.Neighbours)
	n.o.EdgesAlone = err == nil && n.o.Neighbours == 0
	return err
}

// onOff is true or false in JSON, and on or off as a flag.
type onOff bool

func (o *onOff) String() string {
	if *o {
		return "on"
	}
	return "off"
}

func (o *onOff) Set(text string) error {
	*o = text == "on"
	return nil
}

// biasOutside says that a bias is outside the intrinsic norm. Its flag and its key say the contrary:
// that the bias is in the norm.
type biasOutside bool

func (b *biasOutside) String() string {
	if *b {
		return "off"
	}
	return "on"
}

func (b *biasOutside) Set(text string) error {
	*b = text == "off"
	return nil
}

func (b *biasOutside) UnmarshalJSON(text []byte) error {
	var in bool
	err := json.Unmarshal(text, &in)
	*b = biasOutside(!in)
	return err
}

// valueOf is a value that an interface may hold, of type V. Another value is empty.
type valueOf[I, V any] struct{ held *I }

func (v valueOf[I, V]) empty() bool {
	_, is := any(*v.held).(V)
	return !is
}

func (v valueOf[I, V]) MarshalJSON() ([]byte, error) { return json.Marshal(*v.held) }

func (v valueOf[I, V]) UnmarshalJSON(text []byte) error {
	var value V
	err := json.Unmarshal(text, &value)
	if reflect.ValueOf(value).Len() > 0 {
		*v.held = any(value).(I)
	}
	return err
}

// String returns the value as its flag takes it, "" without one.
func (v valueOf[I, V]) String() string {
	if any(*v.held) == nil {
		return ""
	}
	return any(*v.held).(fmt.Stringer).String()
}

// prior is a prior by its name. Its flag has shares too, and so have older files: A=0.3,B=0.7.
type prior struct{ valueOf[Prior, PriorRule] }

func (p *prior) UnmarshalJSON(text []byte) error {
	if err := p.valueOf.UnmarshalJSON(text); err != nil {
		return err
	}
	name, _ := (*p.held).(PriorRule)
	if !strings.Contains(string(name), "=") {
		return nil
	}
	*p.held = nil
	return p.Set(string(name))
}

// Set takes a rule, or shares beside those of an earlier call.
func (p *prior) Set(text string) error {
	if rule := PriorRule(text); text == "" || rule.check() == nil {
		*p.held = nil
		if text != "" {
			*p.held = rule
		}
		return nil
	}
	shares, _ := (*p.held).(ClassPrior)
	if shares = maps.Clone(shares); shares == nil {
		shares = make(ClassPrior)
	}
	parts, err := csv.NewReader(strings.NewReader(text)).Read()
	if err != nil {
		parts = []string{text}
	}
	for _, part := range parts {
		at := strings.LastIndex(part, "=")
		share, err := strconv.ParseFloat(part[at+1:], 64)
		if at < 0 || err != nil {
			return fmt.Errorf("takes balanced, labelled, or the share of every class as in A=0.3,B=0.7, not %q", part)
		}
		if _, twice := shares[part[:at]]; twice {
			return fmt.Errorf("gives the class %q twice", part[:at])
		}
		shares[part[:at]] = share
	}
	*p.held = shares
	return nil
}

// classWeight is the costs of errors by a name. Its flag may name a file too.
type classWeight struct {
	valueOf[ClassWeight, WeightRule]
	file *string
}

func (w *classWeight) String() string { return cmp.Or(*w.file, w.valueOf.String()) }

func (w *classWeight) Set(text string) error {
	*w.held, *w.file = nil, text
	if rule := WeightRule(text); rule.check() == nil {
		*w.held, *w.file = rule, ""
	}
	return nil
}
