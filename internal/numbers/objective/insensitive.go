package objective

// SquaredInsensitive is V = max(0, |e| − ε)² with ε = 1/16, in units of the targets: residuals up to ε cost
// nothing. It is the loss of an L2-SVM for regression. (Ho and Lin, "Large-scale linear support vector
// regression", JMLR 2012.)
const SquaredInsensitive Loss = "squared-epsilon-insensitive"

// insensitiveWidth is ε, a power of two: pieces meet exactly.
const insensitiveWidth = 1.0 / 16

var squaredInsensitive = Pieces{
	{From: everywhere, Square: 1, Linear: 2 * insensitiveWidth, Constant: insensitiveWidth * insensitiveWidth},
	{From: -insensitiveWidth},
	{From: insensitiveWidth, Square: 1, Linear: -2 * insensitiveWidth, Constant: insensitiveWidth * insensitiveWidth},
}
