package gram

// HalfBytes is for the tests.
var HalfBytes = halfBytes
