package selection

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/internal/describe"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/points/graph"
	"lapsvm/internal/testing/drawn"
	"lapsvm/kernel"
	"lapsvm/points"
)

// described returns what Describe makes of d and a recipe.
func described(t *testing.T, d *dataset.Dataset, r train.Recipe) (*dataset.Dataset, train.Recipe) {
	t.Helper()
	by, chosen, err := Describe(t.Context(), d, r, train.Run{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	if by.Described() {
		names = train.PartNames(by.Encoding, by.Description())
	}
	asked := chosen.Describe.Names()
	if len(names) < len(asked) || slices.ContainsFunc(names, func(name string) bool {
		kind, _, _ := strings.Cut(name, ":")
		return !slices.Contains(asked, name) && !slices.Contains(asked, kind)
	}) {
		t.Fatalf("the recipe says %q, and the points are described by %q", chosen.Describe, names)
	}
	return by, chosen
}

// Pictures are described with nothing said, with one label per class and with ten. Where a setting
// speaks of the dots, they stay.
func TestDescribePictures(t *testing.T) {
	for _, labelled := range []int{2, 20} {
		d, _ := drawn.Few(drawn.Bars(150, 16, 3), labelled)
		by, r := described(t, d, train.Recipe{})
		if r.Describe == train.Undescribed || by.Points.Dim() > 2*256 {
			t.Errorf("%d labels: described by %s, %d numbers", labelled, r.Describe, by.Points.Dim())
		}
		if again, same := described(t, by, train.Recipe{}); again.Points != by.Points || same.Describe != r.Describe {
			t.Errorf("described again by %s, before by %s", same.Describe, r.Describe)
		}
	}
	d, _ := drawn.Few(drawn.Bars(150, 16, 3), 6)
	if _, r := described(t, d, train.Recipe{RulesOfThumb: true}); r.Describe != train.DescribedBy(describe.HOG, describe.Patches) {
		t.Errorf("by rules of thumb described by %s", r.Describe)
	}
	if _, r := described(t, d, train.Recipe{Describe: "patches"}); r.Describe != "patches" {
		t.Errorf("patches were asked for, and are %s", r.Describe)
	}
	table := *d
	table.Image = dataset.Image{}
	told, as := described(t, d, train.Recipe{})
	if found, r := described(t, &table, train.Recipe{}); r.Describe != as.Describe || found.Image.Width != 16 || !reflect.DeepEqual(found.Points, told.Points) {
		t.Errorf("columns of pictures are described by %s, pictures by %s", r.Describe, as.Describe)
	}
	if _, r := described(t, &table, train.Recipe{Describe: describe.HOG}); r.Describe != describe.HOG {
		t.Errorf("columns of pictures have %s where hog is asked for", r.Describe)
	}
	values, row, order := []float64(nil), make([]float64, d.Points.Dim()), rand.New(rand.NewPCG(6, 6)).Perm(d.Points.Dim())
	for i := range d.Points.Len() {
		d.Points.CopyRow(row, i)
		for _, j := range order {
			values = append(values, row[j])
		}
	}
	table.Points = points.Dense(d.Points.Len(), len(row), values)
	if by, r := described(t, &table, train.Recipe{}); !by.Image.None() || r.Describe != train.Undescribed && r.Describe != describe.Factors {
		t.Errorf("columns in any order are described by %s", r.Describe)
	}
	small, _ := drawn.Few(drawn.Bars(150, 7, 3), 6)
	for name, c := range map[string]struct {
		d *dataset.Dataset
		r train.Recipe
	}{
		"undescribed":              {d, train.Recipe{Describe: train.Undescribed}},
		"a width":                  {d, train.Recipe{Kernel: kernel.Gaussian{Sigma: 900}}},
		"a heat width":             {d, train.Recipe{Graph: graph.Options{HeatWidth: 900}}},
		"a scaling":                {d, train.Recipe{Standardise: points.MinMax}},
		"as they are":              {d, train.Recipe{Standardise: points.AsIs}},
		"7 dots":                   {small, train.Recipe{}},
		"a recipe that was chosen": {d, train.Recipe{Kernel: kernel.Gaussian{Sigma: 900}, GammaA: 1, GammaI: 1, Graph: graph.Options{Neighbours: 5, Degree: 1}}},
	} {
		if by, r := described(t, c.d, c.r); by != c.d || r.Describe != train.Undescribed {
			t.Errorf("%s: described by %s", name, r.Describe)
		}
	}
}

// Where classes are what gradients and filters pass over, the log score speaks for the dots, described or as they are: here they are two shades.
func TestDescribeByEvidence(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	const n, side = 120, 12
	values := make([]float64, n*side*side)
	d := &dataset.Dataset{Y: make([]int, n), Classes: []string{"dark", "light"}, Image: dataset.Image{Width: side, Height: side, White: 1}}
	for i := range n {
		d.Y[i] = i % 2
		for k := range side * side {
			values[i*side*side+k] = 0.2 + 0.5*float64(d.Y[i]) + 0.3*random.Float64()
		}
	}
	d.Points = points.Dense(n, side*side, values)
	few, _ := drawn.Few(d, 20)
	if _, r := described(t, few, train.Recipe{}); r.Describe != train.Undescribed && !slices.Contains(r.Describe.Names(), describe.RawPixels) {
		t.Errorf("two shades in noise are described by %s", r.Describe)
	}
}

// Textures of waves of all directions are told by learned filters alone, and gradients are noise. Side by side the noise weighs little, so
// the nearest texture is of the same class. Held-out labels judge pictures, and the graph has no say.
func TestDescribeTextures(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 7))
	const n, side, classes = 240, 24, 6
	values := make([]float64, n*side*side)
	d := &dataset.Dataset{Y: make([]int, n), Image: dataset.Image{Width: side, Height: side, White: 1}}
	for c := range classes {
		d.Classes = append(d.Classes, fmt.Sprint(c))
	}
	for i := range n {
		d.Y[i] = i % classes
		picture := values[i*side*side : (i+1)*side*side]
		for range 12 {
			direction, phase := 2*math.Pi*random.Float64(), 2*math.Pi*random.Float64()
			x, y := math.Cos(direction), math.Sin(direction)
			for k := range picture {
				across := x*float64(k%side) + y*float64(k/side)
				picture[k] += math.Sin(2*math.Pi*across/(3+1.5*float64(d.Y[i]))+phase) + 0.5*random.NormFloat64()
			}
		}
	}
	d.Points = points.Dense(n, side*side, values)
	few, _ := drawn.Few(d, 3*classes)
	wrong := func(r train.Recipe) (count int) { // pictures whose nearest one is of another class
		by, r := described(t, few, r)
		for i := range n {
			nearest, least := 0, math.Inf(1)
			for j := range n {
				if s := by.Points.SquaredDistance(i, by.Points, j); j != i && s < least {
					nearest, least = j, s
				}
			}
			if d.Y[nearest] != d.Y[i] {
				count++
			}
		}
		t.Logf("by %s the nearest of %d textures is of another class", r.Describe, count)
		return count
	}
	chosen, patches, hog := wrong(train.Recipe{}), wrong(train.Recipe{Describe: describe.Patches}), wrong(train.Recipe{Describe: describe.HOG})
	if hog < n/2 || chosen > patches+n/20 {
		t.Errorf("the nearest of %d of %d textures is of another class, of %d by patches and %d by hog", chosen, n, patches, hog)
	}
	_, learnt, err := train.LearnDescription(t.Context(), few, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	if j, err := judge(t.Context(), way{sample: learnt}, train.Run{}, fewPoints); err != nil || len(j.losses) != 3*classes || j.fit != 0 {
		t.Errorf("%+v, %v", j, err)
	}
}

// Patches see colours, and the shapes here have any. So gradients alone are taken, with the same bits as if they had been asked for.
func TestDescribeByOnePart(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 8))
	const n, side, classes = 300, 24, 3
	values := make([]float64, 0, n*side*side*3)
	d := &dataset.Dataset{Y: make([]int, n), Classes: []string{"disc", "bar", "cross"}, Image: dataset.Image{Width: side, Height: side, White: 1, Colour: true}}
	for i := range n {
		d.Y[i] = i % classes
		var ground, ink [3]float64
		for k := range ground {
			ground[k], ink[k] = random.Float64(), random.Float64()
		}
		x0, y0 := 11.5+1.5*random.NormFloat64(), 11.5+1.5*random.NormFloat64()
		for k := range side * side {
			x, y := math.Abs(float64(k%side)-x0), math.Abs(float64(k/side)-y0)
			of := ground
			if [classes]bool{x*x+y*y < 49, x < 8 && y < 3, min(x, y) < 2 && max(x, y) < 8}[d.Y[i]] {
				of = ink
			}
			for _, v := range of {
				values = append(values, v+0.1*random.NormFloat64())
			}
		}
	}
	d.Points = points.Dense(n, side*side*3, values)
	few, _ := drawn.Few(d, 10*classes)
	by, r := described(t, few, train.Recipe{})
	if r.Describe != describe.HOG {
		t.Fatalf("shapes of any colour are described by %s", r.Describe)
	}
	if asked, _ := described(t, few, train.Recipe{Describe: describe.HOG}); !reflect.DeepEqual(by.Points, asked.Points) {
		t.Error("gradients that the evidence takes differ from those that are asked for")
	}
}

// A table with texts is described by latent components, unless a kernel is given.
func TestDescribeTexts(t *testing.T) {
	d, err := files.Read(strings.NewReader(drawn.Notes(120, 12, 1)), "notes.csv", files.Options{Text: []string{"note"}})
	if err != nil {
		t.Fatal(err)
	}
	by, r := described(t, d, train.Recipe{})
	if r.Describe != describe.Latent || by.Points.Sparse() {
		t.Errorf("described by %s", r.Describe)
	}
	if _, r := described(t, d, train.Recipe{Kernel: kernel.Linear{}}); r.Describe != train.Undescribed {
		t.Errorf("with a linear kernel described by %s", r.Describe)
	}
}

// Sparse rows of few of many columns are described as texts are, unless a kernel is given. Rows of more columns are not, unless that is asked for.
func TestDescribeTerms(t *testing.T) {
	terms := func(columns, stored int, weight float64) *dataset.Dataset {
		random := rand.New(rand.NewPCG(5, 8))
		d := &dataset.Dataset{Classes: []string{"a", "b"}}
		start, index, value := []int{0}, []int32(nil), []float64(nil)
		for i := range 200 {
			row := make(map[int]bool)
			for len(row) < stored {
				row[random.IntN(columns/2)+columns/2*(i%2*random.IntN(2))] = true
			}
			for _, j := range slices.Sorted(maps.Keys(row)) {
				index, value = append(index, int32(j)), append(value, weight)
			}
			start = append(start, len(index))
			if d.Y = append(d.Y, dataset.Unlabelled); i < 12 {
				d.Y[i] = i % 2
			}
		}
		d.Points = points.CSR(columns, start, index, value)
		return d
	}
	for _, c := range []struct {
		columns, stored int
		weight          float64
		asked           train.Recipe
		want            train.Descriptions
	}{
		{240, 24, 0.5, train.Recipe{}, describe.Latent},
		{238, 24, 0.5, train.Recipe{}, train.Undescribed},
		{238, 24, 0.5, train.Recipe{Describe: describe.Latent}, describe.Latent},
		{238, 24, 1, train.Recipe{Describe: describe.Latent}, describe.Latent},
		{238, 24, 1, train.Recipe{Describe: "rare-words,latent"}, "rare-words,latent"},
		{240, 24, 0.5, train.Recipe{Kernel: kernel.Linear{}}, train.Undescribed},
	} {
		by, r := described(t, terms(c.columns, c.stored, c.weight), c.asked)
		if r.Describe != c.want || by.Points.Sparse() != (c.want == train.Undescribed) {
			t.Errorf("%d of %d columns, asked for %q: described by %s", c.stored, c.columns, c.asked.Describe, r.Describe)
		}
	}
}

// Of several texts, and of vectors beside numbers, those that tell nothing count for nothing.
func TestDescribeColumns(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 2))
	read := func(header string, row func(i int, note, topic string) string) *dataset.Dataset {
		b := header + "\n"
		for i, line := range strings.Split(strings.TrimSpace(drawn.Notes(200, 24, 2)), "\n")[1:] {
			note, topic, _ := strings.Cut(line, ",")
			b += row(i, note, topic) + "\n"
		}
		d, err := files.Read(strings.NewReader(b), "notes.csv", files.Options{Text: []string{"note", "rest"}[:strings.Count(header, "note")+strings.Count(header, "rest")]})
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	words := func() string {
		text, subject := "", random.IntN(10)
		for range 8 {
			text += fmt.Sprintf("%c%d ", 'a'+subject, 100+random.IntN(20))
		}
		return text
	}
	texts := read("note,rest,label", func(_ int, note, topic string) string { return note + "," + words() + "," + topic })
	if _, r := described(t, texts, train.Recipe{}); r.Describe != "latent:note" {
		t.Errorf("a text beside another of other subjects: described by %s", r.Describe)
	}
	vectors := read("a,b,v,label", func(i int, _, topic string) string {
		mean := 8 * float64(i%2)
		v := ""
		for range 20 {
			v += fmt.Sprintf("%g ", random.NormFloat64())
		}
		return fmt.Sprintf("%g,%g,[%s],%s", mean+random.NormFloat64(), mean+random.NormFloat64(), v, topic)
	})
	if by, r := described(t, vectors, train.Recipe{}); r.Describe != describe.Numbers || by.Points.Dim() != 2 {
		t.Errorf("numbers beside a vector of noise: described by %s", r.Describe)
	}
}

// Columns that tell nothing count for nothing, texts beside numbers as well as numbers beside texts.
func TestDescribeTables(t *testing.T) {
	table := func(telling, told bool) *dataset.Dataset { // numbers, texts
		random := rand.New(rand.NewPCG(11, 1))
		rows := strings.Split(strings.TrimSpace(drawn.Notes(160, 20, 2)), "\n")
		var b strings.Builder
		for k, row := range rows {
			note, topic, _ := strings.Cut(row, ",")
			if k == 0 {
				fmt.Fprintf(&b, "a,b,%s,%s\n", note, topic)
				continue
			}
			centre := 0.0
			if telling {
				centre = 8 * float64(k%2)
			}
			if !told {
				note = strings.NewReplacer("garden", "common", "harbour", "common").Replace(note)
			}
			fmt.Fprintf(&b, "%g,%g,%s,%s\n", centre+random.NormFloat64(), centre+random.NormFloat64(), note, topic)
		}
		d, err := files.Read(strings.NewReader(b.String()), "notes.csv", files.Options{Text: []string{"note"}})
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	if by, r := described(t, table(true, false), train.Recipe{}); r.Describe != describe.Numbers || by.Points.Dim() != 2 {
		t.Errorf("a table whose texts tell nothing is described by %s, in %d numbers", r.Describe, by.Points.Dim())
	}
	if _, r := described(t, table(false, true), train.Recipe{}); r.Describe == describe.Numbers {
		t.Errorf("a table whose numbers tell nothing is described by %s", r.Describe)
	}
	for _, by := range []train.Descriptions{"latent", "numbers", "latent,numbers"} {
		d, r := described(t, table(true, true), train.Recipe{Describe: by})
		if names := r.Describe.Names(); len(names) != len(d.Description().Names()) {
			t.Errorf("asked for %s, described by %s", by, d.Description().Names())
		}
	}
	if _, _, err := Describe(t.Context(), table(true, true), train.Recipe{Describe: "vectors"}, train.Run{}); err == nil || !strings.Contains(err.Error(), "nothing that vectors describes: describe them by numbers,latent") {
		t.Errorf("vectors of a table without: %v", err)
	}
}

// curves are rows of 40 numbers: a level and a slope that tell nothing and vary most, and a small wave that tells the class, in noise.
// Of every class some rows are labelled.
func curves(n, labelled int, wave float64) *dataset.Dataset {
	rng := rand.New(rand.NewPCG(43, 1))
	return table(n, labelled, func(_, class int) []float64 {
		level, slope := 20*rng.NormFloat64(), 20*rng.NormFloat64()
		row := make([]float64, 40)
		for j := range row {
			at := float64(j)/20 - 1
			row[j] = level + slope*at + wave*math.Cos(float64(4+3*class)*at) + 0.2*rng.NormFloat64()
		}
		return row
	})
}

// clumps are rows of 12 numbers about three centres of each class. Few factors tell less than all columns.
func clumps(n, labelled int) *dataset.Dataset {
	rng := rand.New(rand.NewPCG(44, 1))
	var centres [6][12]float64
	for c := range centres {
		for j := range centres[c] {
			centres[c][j] = rng.NormFloat64()
		}
	}
	return table(n, labelled, func(i, class int) []float64 {
		row := make([]float64, 12)
		for j := range row {
			row[j] = centres[2*(i/2%3)+class][j] + 0.3*rng.NormFloat64()
		}
		return row
	})
}

// Rows of numbers are described by their factors where labels and graph speak for it, and nowhere else.
func TestDescribesByFactors(t *testing.T) {
	for name, c := range map[string]struct {
		d    *dataset.Dataset
		r    train.Recipe
		want train.Descriptions
	}{
		"curves":             {curves(160, 10, 1), train.Recipe{}, describe.Factors},
		"one label each":     {curves(160, 2, 1), train.Recipe{}, train.Undescribed},
		"columns tell":       {clumps(160, 10), train.Recipe{}, train.Undescribed},
		"supervised":         {curves(160, 10, 1), train.Recipe{Supervised: true}, train.Undescribed},
		"by rule":            {curves(160, 10, 1), train.Recipe{RulesOfThumb: true}, train.Undescribed},
		"a kernel is given":  {curves(160, 10, 1), train.Recipe{Kernel: kernel.Gaussian{}}, train.Undescribed},
		"a scaling is given": {curves(160, 10, 1), train.Recipe{Standardise: points.ZScore}, train.Undescribed},
		"asked for":          {curves(160, 2, 0), train.Recipe{Describe: describe.Factors}, describe.Factors},
	} {
		d, r, err := Describe(t.Context(), c.d, c.r, train.Run{})
		if err != nil || r.Describe != c.want || (d.Described()) != (c.want == describe.Factors) {
			t.Errorf("%s: described by %q, want %q, error %v", name, r.Describe, c.want, err)
		}
	}
	sparse := curves(160, 10, 1)
	sparse.Points = points.CSR(2, make([]int, 161), nil, nil)
	if _, _, err := Describe(t.Context(), sparse, train.Recipe{Describe: describe.Factors}, train.Run{}); err == nil || !strings.Contains(err.Error(), "of tables of numbers") {
		t.Errorf("sparse rows: %v", err)
	}
}

// What a few of many rows prefer is asked again of more. Four factors serve 400 rows of these Gaussians, but leave out a direction that more rows need; of curves factors serve all.
func TestFactorsAreAskedAgain(t *testing.T) {
	few := gaussians(20_000, 6, 20, 20, 0)
	rows, again := sampled(few, 1)
	if !again || len(rows) != somePoints {
		t.Fatalf("%d rows to ask, again %v", len(rows), again)
	}
	for name, c := range map[string]struct {
		d    *dataset.Dataset
		want train.Descriptions
	}{
		"Gaussians": {few, train.Undescribed},
		"curves":    {curves(8000, 60, 1), describe.Factors},
	} {
		if _, r, err := Describe(t.Context(), c.d, train.Recipe{Seed: 1}, train.Run{}); err != nil || r.Describe != c.want {
			t.Errorf("%s: described by %q, want %q, error %v", name, r.Describe, c.want, err)
		}
	}
}

// gaussians returns rows of round Gaussians, labelled a few times in each class.
func gaussians(n, classes, width, labelled int, seed uint64) *dataset.Dataset {
	rng := rand.New(rand.NewPCG(seed, 5))
	centres := make([]float64, classes*width)
	for j := range centres {
		centres[j] = 1.05 * rng.NormFloat64()
	}
	d, values := &dataset.Dataset{}, make([]float64, n*width)
	for c := range classes {
		d.Classes = append(d.Classes, strconv.Itoa(c))
	}
	for i := range n {
		class := i % classes
		for j := range width {
			values[i*width+j] = centres[class*width+j] + rng.NormFloat64()
		}
		d.Y = append(d.Y, dataset.Unlabelled)
		if i < classes*labelled {
			d.Y[i] = class
		}
	}
	d.Points = points.Dense(n, width, values)
	return d
}
