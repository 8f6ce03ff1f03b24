package solve

import "context"

// gradients computes ĝ and K·ĝ of all active columns.
func (s *pcg) gradients(ctx context.Context) error {
	s.each(ctx, s.graded)
	s.views()
	for _, col := range s.active {
		s.add(col.kg, col.g)
	}
	return s.p.K.Mul(ctx, s.dst, s.src)
}

// refresh computes the products of states anew, and K·d of directions where these go on.
func (s *pcg) refresh(ctx context.Context, directions bool) error {
	s.views()
	for _, col := range s.active {
		if s.add(col.z.kAlpha, col.z.alpha); directions {
			s.add(col.d.kAlpha, col.d.alpha)
		}
	}
	if err := s.p.K.Mul(ctx, s.dst, s.src); err != nil {
		return err
	}
	return s.laplacian(ctx, func(col *column) (lh, kAlpha []float64, b float64) { return col.z.lh, col.z.kAlpha, col.z.b })
}

// restartStalled gives the columns that made no progress fresh products and
// the steepest descent from them.
func (s *pcg) restartStalled(ctx context.Context) error {
	all := s.active
	s.active = s.stalled[:0]
	for _, col := range all {
		if col.stalled {
			s.active = append(s.active, col)
		}
	}
	if err := s.refresh(ctx, false); err != nil {
		return err
	}
	if err := s.gradients(ctx); err != nil {
		return err
	}
	for _, col := range s.active {
		step := &s.step.Columns[col.c]
		step.Objective, step.ErrorVectors = col.z.value(s.p, col.c)
		s.norms(col, step)
		step.Rho = 0
		col.steepest()
		col.stalled, col.refreshed = false, true
		if !(col.gPg > 0) {
			col.status = RoundingFloor
		}
	}
	s.active = all
	return nil
}

// laplacian computes L·h of the states or of the directions of all active columns.
func (s *pcg) laplacian(ctx context.Context, of func(col *column) (lh, kAlpha []float64, b float64)) error {
	if !s.p.Intrinsic() {
		return nil
	}
	s.views()
	for _, col := range s.active {
		lh, h, b := of(col)
		if col.h != nil {
			intrinsic(s.p, col.h, h, b)
			h = col.h
		}
		s.add(lh, h)
	}
	return s.p.L.Mul(ctx, s.dst, s.src)
}

// views empties the views for the next product; add fills them.
func (s *pcg) views() { s.dst, s.src = s.dst[:0], s.src[:0] }

func (s *pcg) add(dst, src []float64) {
	s.dst, s.src = append(s.dst, dst), append(s.src, src)
}
