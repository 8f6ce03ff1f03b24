// Package label keeps a geometry with labels that come in. It is prepared once, by a
// recipe, at about the cost of a training. After that a label that is added, changed or
// withdrawn costs at most one more column of an inverse, and everything else follows:
//
//	l, err := label.Open(ctx, data, recipe, label.Options{})       // builds the geometry
//	next, err := l.Suggest(ctx, label.Auto, 8)                     // which points to ask for, and why
//	answer, err := l.Apply(ctx, []label.Change{{Point: 17, Class: 3}})
//	answer.Decided[i], answer.Probabilities[3][i]                  // of every point
//	answer.LeftOut                                                 // every label, by machines without it
//	suspects, err := l.Audit(ctx)                                  // labels that look wrong
//
// Decisions are those that [lapsvm/internal/machines/train.Fit] makes by [Labelling.Recipe] on
// [Labelling.Dataset]: exactly, but for rounding, where the points are few; with
// landmarks, to the tolerance of the recipe.
//
// # Classes
//
// Classes are numbered, from 0, and have names. A class without a label takes no part in
// decisions, and one that gets its first label joins. With fewer than two classes labelled
// there are no decisions yet, but suggestions.
//
// # Choosing again
//
// What the recipe leaves open is chosen by the labels there are when it is opened. When
// [Labelling.Stale] says that they have grown by half since, another may be better.
// It takes as long as opening, so it is made beside, and can be cancelled:
//
//	data := l.Dataset()                                            // a copy of the labels
//	go func() { next, err = label.Open(ctx, data, asked, o) }()
//	…
//	answer, err := next.Apply(ctx, next.Towards(l.Labels()))       // what came since
//	if better(next.Evidence(ctx), l.Evidence(ctx)) {               // else l stays, until there are half as many more
//		l.Close()
//		l = next
//	}
//
// Labels that were asked for are few and lie far apart, so that a choice by them may be
// worse than what it follows: the larger [Labelling.Evidence] tells.
//
// # More points
//
// Points that come are decided, suggested and labelled at once, by the machines there are. Exact for all points, and for
// labels of new ones, is the labelling that is made anew beside, by the recipe there is:
//
//	answer, err := l.Grow(ctx, more)                               // data with the points there are, and others after them
//	rebuild := l.Rebuild(run)
//	go func() { next, err = rebuild(ctx) }()
//	…
//	answer, err = next.Apply(ctx, next.Towards(l.Labels()))        // what came since; after next.Grow, if points did
//	l.Close()
//	l = next
//
// A [Labelling] belongs to one goroutine at a time, but for [Labelling.Similar]. An [Answer] is never changed, and may be
// read by all.
package label
