package onnxruntime

// Type is the type of the numbers of a tensor, by its number in the interface.
type Type int32

// The types that networks here take.
const (
	Float32 Type = 1
	Int64   Type = 7
)

// Input is an input of a network. A dimension of −1 may be any.
type Input struct {
	Name  string
	Type  Type
	Shape []int64
}

// Tensor is an array of numbers in row-major order, of one of the types.
type Tensor struct {
	Shape   []int64
	Singles []float32
	Whole   []int64
}
