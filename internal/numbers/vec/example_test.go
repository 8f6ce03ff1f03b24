package vec_test

import (
	"fmt"

	"lapsvm/internal/numbers/vec"
)

// A tile of a Gaussian Gram matrix: points are packed once, inner products
// and kernel values take one call per tile and row.
func ExampleTile() {
	points := []float32{0, 0, 1, 0, 0, 2} // three points in the plane
	norms := []float32{0, 1, 4}
	var left, right vec.Packed[float32]
	left.PackLeft(3, 2, points, 2)
	right.PackRight(3, 2, points, 2)
	k := make([]float32, 9)
	vec.Tile(k, 3, &left, &right, nil)
	for i := range 3 {
		row := k[3*i : 3*i+3]
		vec.GaussRow(row, row, norms, norms[i], 0.5)
		fmt.Printf("%.4f\n", row)
	}
	// Output:
	// [1.0000 0.6065 0.1353]
	// [0.6065 1.0000 0.0821]
	// [0.1353 0.0821 1.0000]
}

// The product of a symmetric matrix, kept as the tiles of its upper triangle,
// with a vector.
func ExampleSymTile() {
	diagonal := []float32{2, 1, 1, 3} // rows and columns 0 and 1, in full
	off := []float32{5, 7}            // rows 0 and 1, column 2
	corner := []float32{4}
	x, y := []float64{1, 10, 100}, make([]float64, 3)
	vec.MulTile(2, 2, diagonal, 2, y[:2], x[:2])
	vec.SymTile(2, 1, off, 1, y[:2], y[2:], x[:2], x[2:])
	vec.MulTile(1, 1, corner, 1, y[2:], x[2:])
	fmt.Println(y)
	// Output: [512 731 475]
}
