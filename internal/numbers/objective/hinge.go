package objective

// Hinge is V = max(0, e), the loss of the original LapSVM and of the SVM. It has a kink at the
// margin, so that its machines are found by way of their dual problem.
const Hinge Loss = "hinge"

var hinge = Pieces{{From: everywhere}, {From: 0, Linear: 1}}
