package objective

// Huber is e² near the target and straight beyond,
//
//	V = e²          |e| ≤ h
//	V = 2h|e| − h²  |e| > h
//
// with the width h = ½, in units of the targets: a number that is far off pulls no harder than one at h.
// (Huber, "Robust estimation of a location parameter", Annals of Mathematical Statistics 1964.)
const Huber Loss = "huber"

// residualWidth is h.
const residualWidth = 0.5

var huber = Pieces{
	{From: everywhere, Linear: -2 * residualWidth, Constant: -residualWidth * residualWidth},
	{From: -residualWidth, Square: 1},
	{From: residualWidth, Linear: 2 * residualWidth, Constant: -residualWidth * residualWidth},
}
