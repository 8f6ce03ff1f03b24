package label

import (
	"context"

	"lapsvm/internal/numbers/parallel"
)

// stage is a part of the work whose amount is about known, in some unit. It tells Run.Progress how much of it is done. The nil *stage tells nothing.
type stage struct {
	tell        func(part string, done, total int)
	part        string
	done, total float64
}

// begin begins a part of the work.
func (l *Labelling) begin(part string, total float64) *stage {
	tell := l.o.Run.Progress
	if tell == nil {
		return nil
	}
	tell(part, 0, 0)
	return &stage{tell: tell, part: part, total: total}
}

// add says that so much more is done.
func (s *stage) add(work float64) {
	if s == nil {
		return
	}
	const whole = 1000
	s.done = min(s.done+work, s.total)
	s.tell(s.part, int(whole*s.done/s.total), whole)
}

// over returns a context whose runs are so much of the work; a function ends them.
func (s *stage) over(ctx context.Context, work float64) (context.Context, func()) {
	if s == nil {
		return ctx, func() {}
	}
	before := s.done
	ctx = parallel.Watch(ctx, func(done, total int) {
		s.done = before
		s.add(work * float64(done) / float64(max(total, 1)))
	})
	return ctx, func() {
		s.done = before
		s.add(work)
	}
}

// learns tells how much is done of the columns of labels that one of the members needs.
func (l *Labelling) learns(member, members, done, of int) {
	if tell := l.o.Run.Progress; tell != nil {
		const whole = 1000
		tell("learning from labels", whole*(member*of+done)/max(members*of, 1), whole)
	}
}
