package objective

// Squared is V = e² = (y − f)², the loss of LapRLSC and RLSC.
const Squared Loss = "squared"

var squared = Pieces{{From: everywhere, Square: 1}}
