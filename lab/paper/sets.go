package paper

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/internal/machines/selection"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
	"lapsvm/points"
)

// Set is a data set with the fixed settings of its experiments.
type Set struct {
	Name       string
	PaperSet   string // the set of the paper whose numbers stand beside, "" for none
	Note       string // what the paper leaves open, and how it is settled here
	Where      string // where its files are to be had
	Labelled   int
	Validation int
	Kernel     kernel.Kernel
	Graph      graph.Options
	Grid       []float64 // values of γA, and of γI
	Macro      bool      // an error is the mean of the errors on the classes
	Large      bool      // what costs n³ is run for some splits only
	Quick      bool      // part of a quick run
	Alone      bool      // the timed trainings by PCG check every machine by itself, not the decision of all
	Draws      int       // number of splits behind the paper's numbers
	files      []string  // below the folder of the data
	read       func(s *Set, dir string) (*source, error)
	cost       [phases]float64 // seconds per split on some machine, to foretell the time of a run
}

// Variant reports whether the set only serves to explain another.
func (s *Set) Variant() bool { return s.PaperSet != "" && s.PaperSet != s.Name }

// exactLarge is the number of splits of a large set that are solved exactly,
// where the paper does: the paper made as many.
const exactLarge = 3

// exact reports whether the exact methods try their weights on a split.
func (s *Set) exact(split int) bool { return !s.Large || split < exactLarge && s.newton() }

// timedExactly reports whether the exact methods are timed on a split: of a
// large set on the first.
func (s *Set) timedExactly(split int) bool { return !s.Large || split < 1 && s.newton() }

// newton reports whether the paper solves the set by Newton's method: FACEMIT
// was too large.
func (s *Set) newton() bool {
	_, ok := published("parameters", s.PaperSet, Newton, "gamma-a")
	return ok || s.PaperSet == ""
}

// source is a data set as it is read.
type source struct {
	all     *dataset.Dataset // by the classes that folds and labels are drawn from
	test    *dataset.Dataset // a fixed test part; nil where folds make it
	classes int              // number of classes trained on
	class   func(y int) int  // the class trained on of one drawn from
}

func same(y int) int { return y }

// Sets returns the available sets: the paper's eight in its order, then
// variants that explain differences in the numbers. Without a folder of data it
// returns generated sets.
func Sets(dir string) []Set {
	if dir == "" {
		return generated()
	}
	const (
		sindhwani = "V. Sindhwani's page on manifold regularization, copied in the GitHub repository "
		coil20    = "COIL20.mat in the GitHub repository farhadabedinzadeh/AutoUFSTool"
		merged    = "folds and labels are drawn by the original classes and then merged: the paper's 498 test points of USPST(B) are ten rounded quarters, not two"
		faces     = "face database 1 of the MIT Center for Biological and Computational Learning, as idx files with labels 1 for faces and 0"
		draws     = "the paper's figures are of 3 draws: its 183.33 (31.75) iterations are those of 165, 165 and 220"
	)
	sets := []Set{
		{Name: "G50C", Labelled: 50, Validation: 50, files: []string{"g50c/g50c.svm.gz"}, read: readFolds, Quick: true, cost: [phases]float64{0.4, 0.3},
			Where: "g50c.mat of " + sindhwani + "dancoombs/s3vm-sgd"},
		{Name: "COIL20(B)", Labelled: 40, Validation: 40, files: []string{"coil20/coil20.svm.gz"}, read: readHalves, Quick: true, cost: [phases]float64{0.8, 0.6},
			Where: coil20, Note: merged},
		{Name: "PCMAC", Labelled: 50, Validation: 50, files: []string{"pcmac/pcmac.svm.gz"}, read: readFolds, Quick: true, cost: [phases]float64{2.8, 3.8},
			Where: "text1.mat of " + sindhwani + "edche/star_svm"},
		{Name: "USPST(B)", Labelled: 50, Validation: 50, files: []string{"uspst/uspst.svm.gz"}, read: readHalves, Quick: true, cost: [phases]float64{1.2, 1.5},
			Where: "uspst.mat of " + sindhwani + "edche/star_svm", Note: merged},
		{Name: "COIL20", Labelled: 40, Validation: 40, files: []string{"coil20/coil20.svm.gz"}, read: readFolds, cost: [phases]float64{7, 3},
			Where: coil20},
		{Name: "USPST", Labelled: 50, Validation: 50, files: []string{"uspst/uspst.svm.gz"}, read: readFolds, Quick: true, cost: [phases]float64{7, 3},
			Where: "uspst.mat of " + sindhwani + "edche/star_svm"},
		{Name: "MNIST3VS8", Labelled: 80, Validation: 80, Large: true, read: readDigits, cost: [phases]float64{65, 36},
			files: []string{"mnist/train-images-idx3-ubyte.gz", "mnist/t10k-images-idx3-ubyte.gz"},
			Where: "the MNIST database of handwritten digits, images and labels", Note: "images of unit length; " + draws},
		{Name: "FACEMIT", Labelled: 2, Validation: 50, Large: true, Macro: true, read: readFaces, cost: [phases]float64{100, 20},
			files: []string{"facemit/test-images-idx3-ubyte.gz", "facemit/train-images-idx3-ubyte.gz"},
			Where: faces,
			Note:  "trained on the original test part; macro errors; pixels from 0 to 1, as the paper does not state its scale; the paper's figures are of 3 draws too"},
		{Name: "FACEMIT normalised", PaperSet: "FACEMIT", Labelled: 2, Validation: 50, Large: true, Macro: true, read: readNormalisedFaces, cost: [phases]float64{100, 20},
			files: []string{"facemit/test-images-idx3-ubyte.gz", "facemit/train-images-idx3-ubyte.gz"}, Where: faces,
			Note: "the pixels of every image shifted and scaled to mean 0 and variance 1"},
		{Name: "FACEMIT equalised", PaperSet: "FACEMIT", Labelled: 2, Validation: 50, Large: true, Macro: true, read: readEqualisedFaces, cost: [phases]float64{100, 20},
			files: []string{"facemit/test-images-idx3-ubyte.gz", "facemit/train-images-idx3-ubyte.gz"}, Where: faces,
			Note: "the histogram of every image equalised, pixels from 0 to 1"},
		{Name: "COIL20(B) by class", PaperSet: "COIL20(B)", Labelled: 40, Validation: 40, files: []string{"coil20/coil20.svm.gz"}, read: readHalvesFirst, cost: [phases]float64{0.8, 0.6},
			Where: coil20, Note: "one label at least of each of the two classes, not of each of the twenty objects"},
		{Name: "USPST(B) by class", PaperSet: "USPST(B)", Labelled: 50, Validation: 50, files: []string{"uspst/uspst.svm.gz"}, read: readHalvesFirst, cost: [phases]float64{1.2, 1.5},
			Where: "uspst.mat of " + sindhwani + "edche/star_svm", Note: "folds and labels drawn by the two classes, not by the ten digits"},
		{Name: "COIL20 each class", PaperSet: "COIL20", Labelled: 40, Validation: 40, files: []string{"coil20/coil20.svm.gz"}, read: readFolds, Alone: true,
			cost: [phases]float64{7, 5}, Where: coil20, Note: "the stopping checks look at each class by itself, not at the decision of all"},
		{Name: "USPST each class", PaperSet: "USPST", Labelled: 50, Validation: 50, files: []string{"uspst/uspst.svm.gz"}, read: readFolds, Alone: true,
			cost: [phases]float64{7, 5}, Where: "uspst.mat of " + sindhwani + "edche/star_svm", Note: "the stopping checks look at each class by itself, not at the decision of all"},
		{Name: "COIL20 8 bit", PaperSet: "COIL20", Labelled: 40, Validation: 40, files: []string{"coil20/coil20_u8.svm.gz"}, read: readBytes, cost: [phases]float64{7, 3},
			Where: "COIL20.mat of 2010 in the GitHub repository hyzhang98/AdaGAE", Note: "another reduction of the images to 32×32 pixels"},
	}
	for i := range sets {
		s := &sets[i]
		if s.PaperSet == "" {
			s.PaperSet = s.Name
		}
		s.Draws = 12
		if s.Large {
			s.Draws = 3
		}
		s.Grid = selection.DefaultGrid()
		if s.PaperSet == "FACEMIT" {
			s.Grid = append([]float64{1e-8}, s.Grid...)
		}
		s.Kernel, s.Graph = publishedKernel(s.PaperSet)
	}
	return sets
}

// publishedKernel returns the kernel and the graph of Appendix A.
func publishedKernel(set string) (kernel.Kernel, graph.Options) {
	number := func(quantity string) float64 {
		for _, m := range []Method{LapRLSC, Stability} {
			if p, ok := published("parameters", set, m, quantity); ok {
				return p.Mean
			}
		}
		return 0
	}
	g := graph.Options{Neighbours: int(number("neighbours")), Degree: int(number("degree"))}
	if degree := number("kernel-degree"); degree > 0 {
		return kernel.Polynomial{Degree: int(degree)}, g
	}
	return kernel.Gaussian{Sigma: number("sigma")}, g
}

// generated are sets of points that need no files. The first has the paper's
// definition of G50C.
func generated() []Set {
	toy := func(name string, make func(seed uint64) *dataset.Dataset) Set {
		return Set{Name: name, Labelled: 2, Validation: 20, Kernel: kernel.Gaussian{Sigma: 0.35}, Graph: graph.Options{Neighbours: 6, Degree: 1},
			Grid: selection.DefaultGrid(), Quick: true, cost: [phases]float64{1, 1}, Note: "generated", read: func(*Set, string) (*source, error) {
				d := make(1)
				return &source{all: d, classes: len(d.Classes), class: same}, nil
			}}
	}
	g50c := toy("G50C", func(seed uint64) *dataset.Dataset { return dataset.TwoGaussians(550, 50, 0.05, seed) })
	g50c.PaperSet, g50c.Labelled, g50c.Validation, g50c.Draws, g50c.cost = "G50C", 50, 50, 12, [phases]float64{1, 1}
	g50c.Note = "other points of the same distribution: two Gaussians in 50 dimensions with a Bayes error of 5 %"
	g50c.Kernel, g50c.Graph = publishedKernel("G50C")
	return []Set{g50c, toy("Two moons", twoMoons), toy("Clock", clock)}
}

func twoMoons(seed uint64) *dataset.Dataset { return dataset.TwoMoons(200, 0.07, seed) }

func clock(seed uint64) *dataset.Dataset { return dataset.Clock(147, seed) }

// missing returns a file of the set that is not in the folder, "" if all are
// there, plain or compressed.
func (s *Set) missing(dir string) string {
	for _, name := range s.files {
		if _, err := os.Stat(locate(dir, name)); err != nil {
			return name
		}
	}
	return ""
}

// locate returns the path of a file, without .gz where it is there so.
func locate(dir, name string) string {
	path := filepath.Join(dir, filepath.FromSlash(name))
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		if plain := strings.TrimSuffix(path, ".gz"); plain != path {
			if _, err := os.Stat(plain); err == nil {
				return plain
			}
		}
	}
	return path
}

func (s *Set) open(dir string, file int, o files.Options) (*dataset.Dataset, error) {
	return files.ReadFile(locate(dir, s.files[file]), o)
}

// readFolds reads a set of one file, of which folds are made.
func readFolds(s *Set, dir string) (*source, error) {
	features := 0
	if p, ok := published("sets", s.PaperSet, "", "attributes"); ok {
		features = int(p.Mean)
	}
	d, err := s.open(dir, 0, files.Options{Features: features})
	if err != nil {
		return nil, err
	}
	return &source{all: d, classes: len(d.Classes), class: same}, nil
}

// readHalves trains on the first half of the classes against the second.
func readHalves(s *Set, dir string) (*source, error) {
	src, err := readFolds(s, dir)
	if err != nil {
		return nil, err
	}
	half := src.classes / 2
	src.classes, src.class = 2, func(y int) int {
		if y < half {
			return 0
		}
		return 1
	}
	return src, nil
}

// readHalvesFirst does the same, but draws by the halves.
func readHalvesFirst(s *Set, dir string) (*source, error) {
	src, err := readHalves(s, dir)
	if err != nil {
		return nil, err
	}
	d := *src.all
	d.Y, d.Classes = make([]int, len(d.Y)), []string{"first half", "second half"}
	for i, y := range src.all.Y {
		d.Y[i] = src.class(y)
	}
	return &source{all: &d, classes: 2, class: same}, nil
}

// readBytes reads a set of values from 0 to 255 as values from 0 to 1.
func readBytes(s *Set, dir string) (*source, error) {
	src, err := readFolds(s, dir)
	if err != nil {
		return nil, err
	}
	d := *src.all
	d.Points = scaled(d.Points, 1.0/255)
	src.all = &d
	return src, nil
}

// scaled returns dense points times a factor.
func scaled(p *points.Points, factor float64) *points.Points {
	values := make([]float64, p.Len()*p.Dim())
	for i := range p.Len() {
		p.CopyRow(values[i*p.Dim():(i+1)*p.Dim()], i)
	}
	for i := range values {
		values[i] *= factor
	}
	return points.Dense(p.Len(), p.Dim(), values)
}

// readDigits reads threes and eights, and makes the images of unit length.
func readDigits(s *Set, dir string) (*source, error) {
	var parts [2]*dataset.Dataset
	for k := range parts {
		d, err := s.open(dir, k, files.Options{})
		if err != nil {
			return nil, err
		}
		if d, err = d.Select("3", "8"); err != nil {
			return nil, fmt.Errorf("%s: %w", s.files[k], err)
		}
		scaling, err := points.FitScaling(context.Background(), points.UnitNorm, d.Points) // looks at no point
		if err != nil {
			return nil, err
		}
		d.Points = scaling.Apply(d.Points)
		parts[k] = d
	}
	return &source{all: parts[0], test: parts[1], classes: 2, class: same}, nil
}

// readFaces reads faces and other images.
func readFaces(s *Set, dir string) (*source, error) {
	var parts [2]*dataset.Dataset
	for k := range parts {
		d, err := s.open(dir, k, files.Options{})
		if err != nil {
			return nil, err
		}
		if len(d.Classes) != 2 {
			return nil, fmt.Errorf("%s: %d classes, want the two 0 and 1", s.files[k], len(d.Classes))
		}
		d.Points = scaled(d.Points, 1.0/255)
		parts[k] = d
	}
	return &source{all: parts[0], test: parts[1], classes: 2, class: same}, nil
}

// readNormalisedFaces reads the same, every image with mean 0 and variance 1.
func readNormalisedFaces(s *Set, dir string) (*source, error) {
	return readChangedFaces(s, dir, func(image []float64) {
		mean, sd := selection.MeanSD(image, func(v float64) float64 { return v })
		for j := range image {
			image[j] = (image[j] - mean) / max(sd, 1e-9)
		}
	})
}

// readEqualisedFaces reads the same, every pixel replaced by the share of the
// image's pixels that are darker.
func readEqualisedFaces(s *Set, dir string) (*source, error) {
	return readChangedFaces(s, dir, func(image []float64) {
		sorted := slices.Sorted(slices.Values(image))
		for j, v := range image {
			darker, _ := slices.BinarySearch(sorted, v)
			image[j] = float64(darker) / float64(len(image))
		}
	})
}

func readChangedFaces(s *Set, dir string, change func(image []float64)) (*source, error) {
	src, err := readFaces(s, dir)
	if err != nil {
		return nil, err
	}
	for _, d := range []*dataset.Dataset{src.all, src.test} {
		n, dim := d.Points.Len(), d.Points.Dim()
		values := make([]float64, n*dim)
		for i := range n {
			d.Points.CopyRow(values[i*dim:(i+1)*dim], i)
			change(values[i*dim : (i+1)*dim])
		}
		d.Points = points.Dense(n, dim, values)
	}
	return src, nil
}
