package files_test

import (
	"fmt"
	"os"
	"strings"

	"lapsvm/dataset/files"
)

func ExampleDataset() {
	table := `width,height,kind
5.1,3.5,setosa
6.2,2.9,virginica
4.9,3.1,
5.9,2.8,?
`
	d, err := files.Read(strings.NewReader(table), "iris.csv", files.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d.Points.Len(), "points with", d.Features)
	fmt.Println(d.Label, d.Classes, d.Y)
	fmt.Println("labelled", d.Labelled(), "unlabelled", d.Unlabelled())
	if err := files.Write(os.Stdout, d, files.WriteOptions{Format: files.SVM}); err != nil {
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
	_, err := files.Read(strings.NewReader("y,label\n2,a\noops,b\n"), "points.csv", files.Options{})
	fmt.Println(err)
	// Output:
	// points.csv:3:1: column "y": "oops" is not a number; correct or remove it; if the column holds the labels, give Options{Label: "y"}; if the column is a category, give Options{Category: []string{"y"}}
}

// What the columns of one table become, a later table becomes too.
func ExampleEncoding() {
	first := "size,colour,label\n1,red,a\n,blue,b\n3,red,\n5,blue,\n"
	d, err := files.Read(strings.NewReader(first), "first.csv", files.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range d.Encoding.Columns {
		fmt.Println(c.Name, "is a", c.String())
	}
	later, err := files.Read(strings.NewReader("colour,size\ngreen,2\nred,\n"), "later.csv", files.Options{Encoding: d.Encoding})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(later.Features, later.Points.DenseRow(0), later.Points.DenseRow(1))
	// Output:
	// size is a number, 1 to 5, 1 missing → 3
	// colour is a category, 2 values: blue, red
	// [size colour=blue colour=red] [2 0 0] [3 0 1]
}
