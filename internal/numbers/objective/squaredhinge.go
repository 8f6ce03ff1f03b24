package objective

// SquaredHinge is V = max(0, e)², the loss of LapSVM in the primal and of an L2-SVM.
const SquaredHinge Loss = "squared-hinge"

var squaredHinge = Pieces{{From: everywhere}, {From: 0, Square: 1}}
