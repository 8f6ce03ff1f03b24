package dataset_test

import (
	"fmt"
	"os"
	"strings"

	"lapsvm/dataset"
)

func ExampleDataset() {
	table := `width,height,kind
5.1,3.5,setosa
6.2,2.9,virginica
4.9,3.1,
5.9,2.8,?
`
	d, err := dataset.Read(strings.NewReader(table), "iris.csv", dataset.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d.Points.Len(), "points with", d.Features)
	fmt.Println(d.Label, d.Classes, d.Y)
	fmt.Println("labelled", d.Labelled(), "unlabelled", d.Unlabelled())
	if err := dataset.Write(os.Stdout, d, dataset.WriteOptions{Format: dataset.SVM}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 4 points with [width height]
	// kind [setosa virginica] [0 1 -1 -1]
	// labelled [0 1] unlabelled [2 3]
	// setosa 1:5.1 2:3.5
	// virginica 1:6.2 2:2.9
	// nan 1:4.9 2:3.1
	// nan 1:5.9 2:2.8
}

func ExampleRead_error() {
	_, err := dataset.Read(strings.NewReader("x,y,label\n1,2,a\n3,oops,b\n"), "points.csv", dataset.Options{})
	fmt.Println(err)
	// Output:
	// points.csv:3:2: column "y": "oops" is not a number; correct or remove it; if the column holds the labels, give --label y; if the column is a category, give --category y
}
