package export

import (
	"lapsvm/internal/describe"
	"lapsvm/internal/system/fault"
)

// described adds what a description makes of the points x, as describe.Description.Apply has it, and
// returns its name.
func (g *graph) described(d describe.Description, x string) (string, error) {
	if of, ok := d.(*describe.OfColumns); ok {
		return g.describedTexts(of, x)
	}
	return g.describedPictures(d.(*describe.OfPictures), x)
}

// describedPictures adds what a description makes of pictures x.
func (g *graph) describedPictures(d *describe.OfPictures, x string) (string, error) {
	var parts []string
	shape, picture := describe.Prepared(d.Shape), g.picture(d, x)
	for k := range d.Parts {
		part, err := g.part(&d.Parts[k], shape, picture)
		if err != nil {
			return "", err
		}
		parts = append(parts, part)
	}
	g.node("described_single", "Concat", parts, attribute{"axis", 1})
	g.cast("described", "described_single", elementDouble)
	return "described", nil
}

// part adds the components of what a part says of pictures of the given shape.
func (g *graph) part(p *describe.Part, s describe.Shape, picture string) (string, error) {
	defer g.scope(p.Name + "_")()
	switch p.Name {
	case describe.HOG:
		g.gradients(s, picture)
	case describe.Patches:
		g.patches(s, p.Filters, picture)
	case describe.RawPixels:
		g.reshape("numbers", picture, s.Inputs())
	default:
		return "", errNoGraph(p.Name)
	}
	g.singles("mean", p.Mean, len(p.Mean))
	g.singles("components", p.Components, len(p.Mean), p.Dim())
	g.node("centred", "Sub", []string{"numbers", "mean"})
	g.node("described", "MatMul", []string{"centred", "components"})
	return g.name("described"), nil
}

func errNoGraph(description string) error {
	return fault.Errorf("no ONNX graph is known of the description %s: train the model with %s, or export with %s a graph of the points that lapsvm encode MODEL DATA OUT writes", description, fault.Option{In: "Recipe", Name: "Describe", Value: "none"}, fault.Option{In: "export", Name: "Encoded"})
}

// picture adds the pictures in the rows x, N×colours×height×width, in the size in which they are described.
func (g *graph) picture(d *describe.OfPictures, x string) string {
	defer g.scope("picture_")()
	g.numbers("shift", nil, d.Shift)
	g.numbers("factor", nil, d.Factor)
	g.node("moved", "Sub", []string{x, "shift"})
	g.node("multiplied", "Mul", []string{"moved", "factor"})
	g.limit("limited", "multiplied")
	g.cast("values", "limited", elementFloat)
	from, to := d.Shape, describe.Prepared(d.Shape)
	g.reshape("dots", "values", from.Height, from.Width, from.Colours)
	g.node("planes", "Transpose", []string{"dots"}, attribute{"perm", []int64{0, 3, 1, 2}})
	if d.Aligned {
		return g.aligned(from, to, "planes")
	}
	picture := "planes"
	if from.Width != to.Width {
		g.singles("across", describe.Resampling(from.Width, to.Width), from.Width, to.Width)
		g.node("wide", "MatMul", []string{picture, "across"})
		picture = "wide"
	}
	if from.Height != to.Height {
		g.transposed("down", describe.Resampling(from.Height, to.Height), from.Height, to.Height)
		g.node("high", "MatMul", []string{"down", picture})
		picture = "high"
	}
	return g.name(picture)
}

// limit adds out, x in the bounds of what descriptions count, and returns its name.
func (g *graph) limit(out, x string) string {
	g.numbers(out+"_least", nil, -describe.Beyond)
	g.numbers(out+"_most", nil, describe.Beyond)
	g.node(out, "Clip", []string{x, out + "_least", out + "_most"})
	return g.name(out)
}
