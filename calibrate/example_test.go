package calibrate_test

import (
	"fmt"
	"log"

	"lapsvm/calibrate"
)

// Learn what decision values are worth from rows whose class is known, one value
// per class, and turn another row into probabilities.
func ExampleFit() {
	scores := [][]float64{{1, -1}, {0.8, -0.8}, {-0.2, 0.2}, {-1, 1}, {-0.5, 0.5}, {0.1, -0.1}}
	classes := []int{0, 0, 0, 1, 1, 1}
	c, err := calibrate.Fit(scores, classes)
	if err != nil {
		log.Fatal(err)
	}
	p := make([]float64, 2)
	c.Probabilities(p, []float64{-0.5, 0.5})
	fmt.Printf("slope %.2f from %d rows: %.2f and %.2f\n", c.Slope, c.HeldOut, p[0], p[1])
	// Output: slope 0.94 from 6 rows: 0.28 and 0.72
}

// The offsets under which two of four rows have each class.
func ExampleOffsets() {
	b, err := calibrate.Offsets([][]float64{{-3, 3}, {-2, 2}, {-1, 1}, {1, -1}}, []int{2, 2})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.2f\n", b)
	// Output: [1.50 -1.50]
}
