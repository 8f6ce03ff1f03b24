package export

import (
	"fmt"

	"lapsvm/internal/describe"
)

// describedTexts adds what a description makes of the encoded columns x of a table with texts.
func (g *graph) describedTexts(d *describe.OfColumns, x string) (string, error) {
	var parts []string
	for k := range d.Parts {
		part, err := g.textPart(k, &d.Parts[k], x)
		if err != nil {
			return "", err
		}
		parts = append(parts, part)
	}
	g.node("described", "Concat", parts, attribute{"axis", 1})
	return "described", nil
}

// textPart adds what part k says of the encoded columns x.
func (g *graph) textPart(k int, p *describe.Part, x string) (string, error) {
	defer g.scope(fmt.Sprintf("%s_%d_", p.Name, k))()
	g.integers("axis", 1)
	var runs []string
	for k, run := range p.Columns {
		name := fmt.Sprintf("columns_%d", k)
		g.integers(name+"_from", int64(run[0]))
		g.integers(name+"_to", int64(run[1]))
		g.node(name, "Slice", []string{x, name + "_from", name + "_to", "axis"})
		runs = append(runs, name)
	}
	g.node("columns", "Concat", runs, attribute{"axis", 1})
	switch p.Name {
	case describe.Latent, describe.RareWords, describe.WordVectors:
		return g.latent("columns", p), nil
	case describe.Numbers, describe.Vectors:
		return g.limit("limited", g.scaled("columns", *p.Scaling)), nil
	case describe.Factors, describe.HalfWhitened:
		m := p.Dim()
		g.singles("components_single", p.Components, len(p.Components)/m, m)
		g.cast("components", "components_single", elementDouble)
		g.node("numbers", "MatMul", []string{g.limit("limited", g.scaled("columns", *p.Scaling)), "components"})
		return g.name("numbers"), nil
	}
	return "", errNoGraph(p.Name)
}

// latent adds the numbers of describe.Latent, z = xV/‖xV‖, or zeros where xV is short beside x.
func (g *graph) latent(x string, p *describe.Part) string {
	m := p.Dim()
	g.singles("components_single", p.Components, len(p.Components)/m, m)
	g.cast("components", "components_single", elementDouble)
	g.numbers("least", nil, describe.LeastKnown)
	g.numbers("nothing", nil, 0)
	g.node("product", "MatMul", []string{g.unitNorm(x), "components"})
	g.node("square", "ReduceSumSquare", []string{"product"}, attribute{"axes", []int64{1}}, attribute{"keepdims", 1})
	g.node("length", "Sqrt", []string{"square"})
	g.node("known", "Greater", []string{"length", "least"})
	g.node("divisor", "Max", []string{"length", "least"})
	g.node("direction", "Div", []string{"product", "divisor"})
	g.node("numbers", "Where", []string{"known", "direction", "nothing"})
	return g.name("numbers")
}
