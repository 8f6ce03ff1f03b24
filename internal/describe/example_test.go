package describe_test

import (
	"context"
	"fmt"
	"log"

	"lapsvm/internal/describe"
	"lapsvm/points"
)

// Bars of two directions are far apart in a description, wherever they stand in the picture.
func Example() {
	ctx := context.Background()
	const side, count = 24, 36
	s := describe.Shape{Width: side, Height: side, Colours: 1}
	values := make([]uint8, count*s.Inputs())
	for i := range count {
		for k := range s.Inputs() {
			at := k % side // upright bars, then level ones
			if i >= count/2 {
				at = k / side
			}
			if bar := at - i%(count/2); bar >= 2 && bar < 5 {
				values[i*s.Inputs()+k] = 255
			}
		}
	}
	pictures := points.DenseBytes(count, s.Inputs(), values)
	d, _, err := describe.Learn(ctx, []string{"hog", "patches"}, s, pictures, 1)
	if err != nil {
		log.Fatal(err)
	}
	x, err := d.Apply(ctx, pictures)
	if err != nil {
		log.Fatal(err)
	}
	next := x.Distance(points.Products, 5, x, 6)
	other := x.Distance(points.Products, 5, x, count/2+5)
	fmt.Printf("%d dots, fewer numbers: %v; the other direction is farther: %v\n", d.Inputs(), x.Dim() < d.Inputs(), other > next)
	// Output: 576 dots, fewer numbers: true; the other direction is farther: true
}
