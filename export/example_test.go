package export_test

import (
	"bytes"
	"context"
	"fmt"
	"log"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/export"
	"lapsvm/internal/points/gram"
	"lapsvm/kernel"
)

// Write a model for onnxruntime, with inputs and outputs in float64.
func ExampleONNX() {
	d := dataset.TwoMoons(100, 0.05, 1)
	m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 0.5}, Supervised: true, RulesOfThumb: true}}.Fit(context.Background(), d)
	if err != nil {
		log.Fatal(err)
	}
	contents, err := m.Contents()
	if err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer
	if _, err := export.ONNX(context.Background(), &file, contents, gram.Double); err != nil {
		log.Fatal(err)
	}
	for _, name := range []string{"points", "scores", "label"} {
		fmt.Println(name, bytes.Contains(file.Bytes(), []byte(name)))
	}
	// Output:
	// points true
	// scores true
	// label true
}
