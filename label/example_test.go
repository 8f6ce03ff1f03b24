package label_test

import (
	"context"
	"fmt"

	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
	"lapsvm/label"
	"lapsvm/points"
)

// Two groups on a line: a label for a point of each, and all are decided.
func Example() {
	ctx := context.Background()
	d := &dataset.Dataset{Points: points.Dense(6, 1, []float64{1, 1.1, 1.2, 5, 5.1, 5.2}), Classes: []string{"low", "high"}}
	for range 6 {
		d.Y = append(d.Y, dataset.Unlabelled)
	}
	l, err := label.Open(ctx, d, train.Recipe{}, label.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer l.Close()
	a, err := l.Apply(ctx, []label.Change{{Point: 0, Class: 0}, {Point: 5, Class: 1}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range a.Decided {
		fmt.Print(a.Classes[c], " ")
	}
	// Output: low low low high high high
}

// Two points that come later are decided at once, and take part when all is made anew.
func ExampleLabelling_Grow() {
	ctx := context.Background()
	values := []float64{1, 1.1, 1.2, 5, 5.1, 5.2, 1.4, 4.6}
	few := &dataset.Dataset{Points: points.Dense(6, 1, values[:6]), Y: []int{0, -1, -1, -1, -1, 1}, Classes: []string{"low", "high"}}
	l, err := label.Open(ctx, few, train.Recipe{RulesOfThumb: true}, label.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer l.Close()
	a, err := l.Grow(ctx, &dataset.Dataset{Points: points.Dense(8, 1, values)})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(a.Classes[a.Decided[6]], a.Classes[a.Decided[7]])
	next, err := l.Rebuild(train.Run{})(ctx) // in the background, where it takes long
	if err != nil {
		fmt.Println(err)
		return
	}
	defer next.Close()
	for _, c := range next.Answer().Decided {
		fmt.Print(a.Classes[c], " ")
	}
	// Output:
	// low high
	// low low low high high high low high
}
