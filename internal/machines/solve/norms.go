package solve

// The conditions on the norms of a column's gradient. They stop it once the norm
// is below Tolerance, by default 1e-3, times that at the start.
const (
	Gradient       Condition = "gradient"       // ‖∇‖ < Tolerance·‖∇⁰‖
	Preconditioned Condition = "preconditioned" // ‖∇̂‖ < Tolerance·‖∇̂⁰‖
	Product        Condition = "product"        // √(∇̂ᵀ∇) < Tolerance·√(∇̂⁰ᵀ∇⁰)
)

func gradientRule() rule {
	return rule{name: Gradient, tolerance: 1e-3, reached: func(col *column, now *ColumnStep, _, tolerance float64) bool {
		return now.Gradient < tolerance*col.start.Gradient
	}}
}

func preconditionedRule() rule {
	return rule{name: Preconditioned, tolerance: 1e-3, reached: func(col *column, now *ColumnStep, _, tolerance float64) bool {
		return now.Preconditioned < tolerance*col.start.Preconditioned
	}}
}

// productRule leaves a product that rounding has made negative to the rounding
// floor.
func productRule() rule {
	return rule{name: Product, tolerance: 1e-3, reached: func(col *column, now *ColumnStep, _, tolerance float64) bool {
		return col.gPg >= 0 && now.Product < tolerance*col.start.Product
	}}
}
