package labelpage

// ranked is labels of classes in an order, which the store lists from the lowest to the highest.
type ranked struct {
	classed
	order []string
}

func (r ranked) tellSet(set *setState) { set.Ordered, set.Order = true, r.order }

func (ranked) ofData() bool { return true }
