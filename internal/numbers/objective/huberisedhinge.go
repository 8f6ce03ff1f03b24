package objective

// HuberisedHinge is the squared hinge near the margin and straight below it,
//
//	V = 0         e ≤ 0
//	V = e²        0 < e ≤ h
//	V = 2h·e − h²  e > h
//
// with the width h = 1, so that it is straight where y·f < 0. A label on the wrong side pulls no
// harder than one at f = 0, where it is e² still. That is the least width by which balanced labels
// decide on the bias however small f is. For h → ∞ it is the squared hinge, and for h → 0, divided by 2h,
// the hinge. (Rosset and Zhu, "Piecewise linear regularized solution paths", Annals of Statistics
// 2007, where h is 1 − δ; the Huber loss of Chapelle, "Training a support vector machine in the
// primal", Neural Computation 2007, of half the width is V/2h with the margin at 1 + h/2.)
const HuberisedHinge Loss = "huberised-hinge"

// huberWidth is h.
const huberWidth = 1

var huberisedHinge = Pieces{{From: everywhere}, {From: 0, Square: 1}, {From: huberWidth, Linear: 2 * huberWidth, Constant: -huberWidth * huberWidth}}
