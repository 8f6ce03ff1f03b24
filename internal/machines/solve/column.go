package solve

import (
	"math"

	"lapsvm/internal/numbers/vec"
)

// column is one column of a running PCG.
type column struct {
	c          int
	z          *state
	d          *direction
	g, gOld    []float64 // ĝ and its predecessor
	gb, gbOld  float64   // ∂J/∂b, so that ĝ_b = β·gb
	beta       float64
	kg         []float64 // K·ĝ
	h          []float64 // scratch for the direction's h; nil where K·d serves
	gPg        float64   // ĝᵀPĝ
	start      ColumnStep
	stalled    bool // the last iteration brought no decrease of J
	refreshed  bool // the products are fresh and d is the steepest descent
	iterations int
	intervals  int
	status     Status // empty while active
}

// norms fills in ĝᵀPĝ and the norms of a step from ĝ and K·ĝ.
func (s *pcg) norms(col *column, step *ColumnStep) {
	b2 := col.gb * col.gb
	col.gPg = col.beta*b2 + vec.Dot(col.g, col.kg)
	step.Gradient = math.Sqrt(b2 + vec.Dot(col.kg, col.kg))
	step.Preconditioned = col.preconditioned()
	step.Product = math.Sqrt(max(0, col.gPg))
}

// preconditioned returns ‖ĝ‖.
func (col *column) preconditioned() float64 {
	b := col.beta * col.gb
	return math.Sqrt(b*b + vec.Dot(col.g, col.g))
}

// biasWeight returns β for a column, from its first gradient.
func (s *pcg) biasWeight(col *column) float64 {
	if s.o.BiasWeight > 0 {
		return s.o.BiasWeight
	}
	loss, weights := 0.0, 0.0
	for k, i := range s.p.Labelled {
		loss += s.p.Weights.At(k) * col.kg[i] * col.kg[i]
		weights += s.p.Weights.At(k)
	}
	if beta := loss / (vec.Dot(col.g, col.kg) * weights); beta > 0 && !math.IsInf(beta, 0) {
		return beta
	}
	return 1 // there is no gradient, or none that labelled points feel
}

// steepest sets the direction −ĝ.
func (col *column) steepest() {
	col.d.b = -col.beta * col.gb
	for i, g := range col.g {
		col.d.alpha[i] = -g
		col.d.kAlpha[i] = -col.kg[i]
	}
}
