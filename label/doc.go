// Package label decides all points of a data set again whenever a label is added, changed or
// withdrawn. A [Labelling] is prepared once, by a recipe, at about the cost of a training.
// After that a label costs at most one more column of an inverse matrix:
//
//	l, err := label.Open(ctx, data, recipe, label.Options{})       // builds the geometry
//	next, err := l.Suggest(ctx, label.Auto, 8)                     // which points to ask for, and why
//	answer, err := l.Apply(ctx, []label.Change{{Point: 17, Class: 3}})
//	answer.Decided[i], answer.Probabilities[3][i]                  // of every point
//	answer.LeftOut                                                 // every label, judged by machines that were trained without it
//	suspects, err := l.Audit(ctx)                                  // labels that look wrong
//
// The decisions are those of a lapsvm.Trainer with [Labelling.Recipe] on [Labelling.Dataset].
// They are the same but for rounding with the whole inverse, which few points have
// ([Options].Exact). With landmarks they are the same within the tolerance of the recipe.
//
// # Classes
//
// Classes are numbered from 0 and have names. A class joins the decisions with its first
// label. With fewer than two labelled classes there are suggestions, but no decisions.
//
// # Choosing again
//
// [Open] chooses the open parameters of the recipe by the labels of that time. When the labels
// have grown by half since ([Labelling.Stale]), other parameters may be better. Choosing again
// takes as long as Open, so it runs on another goroutine and can be cancelled:
//
//	data := l.Dataset()                                            // a copy of the labels
//	go func() { next, err = label.Open(ctx, data, asked, o) }()
//	…
//	answer, err := next.Apply(ctx, next.Towards(l.Labels()))       // labels given since
//	if better, err := next.Replaces(ctx, l); better {              // else keep l until the labels have grown by half again
//		l.Close()
//		l = next
//	}
//
// Suggested labels are few and lie far apart, so a choice by them may be worse than the choice
// before. [Labelling.Replaces] says which is better.
//
// # More points
//
// [Labelling.Grow] adds points. They are decided, suggested and labelled at once by the present
// machines, which do not learn from them. [Labelling.Rebuild] makes a labelling that does, by
// the same recipe:
//
//	answer, err := l.Grow(ctx, more)                               // more: the present points, then the new ones
//	rebuild := l.Rebuild(run)
//	go func() { next, err = rebuild(ctx) }()
//	…
//	answer, err = next.Apply(ctx, next.Towards(l.Labels()))        // labels given since; after next.Grow if points were added
//	l.Close()
//	l = next
//
// One goroutine at a time may use a [Labelling]; [Labelling.Similar] alone may be called by
// all. An [Answer] never changes and may be read by all.
package label
