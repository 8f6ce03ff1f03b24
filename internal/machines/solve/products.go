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

// refresh computes the products of states and directions anew.
func (s *pcg) refresh(ctx context.Context) error {
	s.views()
	for _, col := range s.active {
		s.add(col.z.kAlpha, col.z.alpha)
		s.add(col.d.kAlpha, col.d.alpha)
	}
	if err := s.p.K.Mul(ctx, s.dst, s.src); err != nil {
		return err
	}
	return s.laplacianOfStates(ctx)
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
	s.views()
	for _, col := range s.active {
		s.add(col.z.kAlpha, col.z.alpha)
	}
	if err := s.p.K.Mul(ctx, s.dst, s.src); err != nil {
		return err
	}
	if err := s.laplacianOfStates(ctx); err != nil {
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

// laplacianOfStates computes L·h of the states of all active columns.
func (s *pcg) laplacianOfStates(ctx context.Context) error {
	if !s.p.Intrinsic() {
		return nil
	}
	s.views()
	for _, col := range s.active {
		h := col.z.kAlpha
		if col.h != nil {
			h = col.h
			intrinsic(s.p, h, col.z.kAlpha, col.z.b)
		}
		s.add(col.z.lh, h)
	}
	return s.p.L.Mul(ctx, s.dst, s.src)
}

// laplacianOfDirections computes L·h of the directions of all active columns.
func (s *pcg) laplacianOfDirections(ctx context.Context) error {
	if !s.p.Intrinsic() {
		return nil
	}
	s.views()
	for _, col := range s.active {
		h := col.d.kAlpha
		if col.h != nil {
			h = col.h
			intrinsic(s.p, h, col.d.kAlpha, col.d.b)
		}
		s.add(col.d.lh, h)
	}
	return s.p.L.Mul(ctx, s.dst, s.src)
}

// views empties the views for the next product; add fills them.
func (s *pcg) views() { s.dst, s.src = s.dst[:0], s.src[:0] }

func (s *pcg) add(dst, src []float64) {
	s.dst, s.src = append(s.dst, dst), append(s.src, src)
}
