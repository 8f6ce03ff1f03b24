package files

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"lapsvm/dataset"
	"lapsvm/points"
)

var places = []string{"lat", "lon"}

// Places are three numbers on the unit sphere, the same from every format and from a program, and
// the next table gets them by the encoding.
func TestPlaces(t *testing.T) {
	type row struct {
		Lat  float64 `parquet:"lat"`
		Size int64   `parquet:"size"`
		Lon  float64 `parquet:"lon"`
	}
	rng := rand.New(rand.NewPCG(8, 1))
	var rows []row
	var csv, lines strings.Builder
	var maps []map[string]any
	csv.WriteString("lat,size,lon\n")
	for i := range 40 {
		r := row{180*rng.Float64() - 90, int64(i % 7), 540*rng.Float64() - 180}
		rows = append(rows, r)
		fmt.Fprintf(&csv, "%v,%d,%v\n", r.Lat, r.Size, r.Lon)
		fmt.Fprintf(&lines, "{\"lat\":%v,\"size\":%d,\"lon\":%v}\n", r.Lat, r.Size, r.Lon)
		maps = append(maps, map[string]any{"lat": r.Lat, "size": r.Size, "lon": r.Lon})
	}
	o := Options{Coordinates: places, Columns: []string{"lat", "size", "lon"}}
	d := mustRead(t, "a.csv", csv.String(), o)
	if want := []string{"sin(lat)", "size", "cos(lat)cos(lon)", "cos(lat)sin(lon)"}; !slices.Equal(d.Features, want) || d.Encoding.Version() != 3 {
		t.Errorf("features %q of version %d", d.Features, d.Encoding.Version())
	}
	if want := []points.Group{{Columns: []int{0, 2, 3}}}; !reflect.DeepEqual(d.Encoding.Together(), want) {
		t.Errorf("together are %v", d.Encoding.Together())
	}
	for i, r := range rows {
		a, b := r.Lat*math.Pi/180, r.Lon*math.Pi/180
		for k, want := range []float64{math.Sin(a), float64(r.Size), math.Cos(a) * math.Cos(b), math.Cos(a) * math.Sin(b)} {
			if got := d.Points.At(i, k); !(math.Abs(got-want) <= 1e-15) {
				t.Errorf("row %d, feature %d: %v, want %v", i+1, k, got, want)
			}
		}
	}
	fromMaps, err := dataset.FromMaps(maps, dataset.TableOptions{Coordinates: places, Columns: o.Columns})
	if err != nil {
		t.Fatal(err)
	}
	for name, other := range map[string]*dataset.Dataset{
		"jsonl": mustRead(t, "a.jsonl", lines.String(), o), "parquet": mustRead(t, "a.parquet", parquetOf(t, rows...), o), "maps": fromMaps,
		"next": mustRead(t, "b.csv", csv.String(), Options{Encoding: d.Encoding}),
	} {
		if !reflect.DeepEqual(values(other.Points), values(d.Points)) || !reflect.DeepEqual(other.Encoding, d.Encoding) {
			t.Errorf("%s: %v, %+v", name, values(other.Points)[0], other.Encoding)
		}
	}
	plain := mustRead(t, "a.csv", csv.String(), Options{Columns: o.Columns})
	if plain.Encoding != nil {
		t.Errorf("nobody asked for places: %+v", plain.Encoding)
	}
}

// A missing value is that of the mean place, which lies on the date line here, and near places are
// near. A constant latitude is kept, a constant place is not.
func TestPlacesWithGaps(t *testing.T) {
	text := "lat,lon,n,label\n0,179,1,a\n0,-179,2,b\n,none,3,\n0,NA,4,\n"
	d := mustRead(t, "a.csv", text, Options{Coordinates: places})
	if lat, lon := &d.Encoding.Columns[0], &d.Encoding.Columns[1]; lat.String() != "latitude, 1 missing → 0" || lon.String() != `longitude, with the latitude "lat" on a sphere, 2 missing → 180` {
		t.Errorf("%v; %v", lat, lon)
	}
	rows := values(d.Points)
	if !slices.Equal(rows[2], []float64{0, -1, 0, 3}) || !slices.Equal(rows[3], []float64{0, -1, 0, 4}) || !slices.Equal(d.Missing.Columns, []int{1, 2, 0}) {
		t.Errorf("%v, missing %v", rows, d.Missing.Columns)
	}
	if apart := math.Hypot(rows[0][1]-rows[1][1], rows[0][2]-rows[1][2]); !(apart < 0.04) {
		t.Errorf("places at the date line are %v apart", apart)
	}
	d = mustRead(t, "a.csv", "lat,lon,n,label\n50,8,1,a\n50,8,2,b\n,8,3,\n", Options{Coordinates: places})
	if got := []string{d.Encoding.Columns[0].String(), d.Encoding.Columns[1].String()}; !slices.Equal(got, repeat(2, "left out: the place is constant")) {
		t.Errorf("%q", got)
	}
	d = mustRead(t, "a.csv", "50,8,1,a\n51,9,2,b\n", Options{Coordinates: []string{"1", "2"}, Header: HeaderNo})
	if want := []string{"sin(x1)", "cos(x1)cos(x2)", "cos(x1)sin(x2)", "x3"}; !slices.Equal(d.Features, want) {
		t.Errorf("features %q", d.Features)
	}
	next := mustRead(t, "b.csv", "51,9,2\n", Options{Encoding: d.Encoding, Header: HeaderNo, Label: ""})
	if !slices.Equal(values(next.Points)[0], values(d.Points)[1]) {
		t.Errorf("%v, want %v", values(next.Points), values(d.Points)[1])
	}
}

// Beside text all coordinates have one scale, by which the places of the training lie between 0 and
// 1 about their mean.
func TestPlacesBesideText(t *testing.T) {
	text := "lat,lon,post,label\n48.1,11.5,red bus,a\n48.2,11.6,blue bus,b\n48.15,11.7,red tram,\n,,blue tram,\n"
	d := mustRead(t, "a.csv", text, Options{Coordinates: places, Text: []string{"post"}})
	dense := mustRead(t, "a.csv", text, Options{Coordinates: places, Ignore: []string{"post"}})
	rows, sphere := values(d.Points), values(dense.Points)
	if !d.Points.Sparse() || !slices.Equal(rows[3][:3], repeatNumber(3, 0.5)) {
		t.Errorf("the mean place is %v", rows[3])
	}
	largest := 0.0
	for i := range 3 {
		for k := range 3 {
			largest = max(largest, math.Abs(rows[i][k]-0.5))
			scale := (rows[0][2] - rows[2][2]) / (sphere[0][2] - sphere[2][2])
			if want := 0.5 + scale*(sphere[i][k]-sphere[3][k]); !(math.Abs(rows[i][k]-want) <= 1e-10) {
				t.Errorf("row %d, coordinate %d: %v, want %v", i+1, k, rows[i][k], want)
			}
		}
	}
	if !(math.Abs(largest-0.5) <= 1e-10) {
		t.Errorf("places lie %v from their mean", largest)
	}
}

func repeatNumber(times int, v float64) []float64 { return slices.Repeat([]float64{v}, times) }

// What is no place is refused with file, row and column, in a training and later.
func TestPlaceErrors(t *testing.T) {
	good := "lat,lon,n,label\n1,2,1,a\n3,4,2,b\n"
	o := Options{Coordinates: places}
	encoding := mustRead(t, "a.csv", good, o).Encoding
	for _, c := range []struct {
		text string
		o    Options
		want string
	}{
		{good + "91,5,3,\n", o, `a.csv:4:1: column "lat": "91" is no latitude, which is a number of degrees from -90 to 90; correct or remove it`},
		{good + "9,-181,3,\n", o, `a.csv:4:2: column "lon": "-181" is no longitude, which is a number of degrees from -180 to 360; correct or remove it`},
		{good + "9,NaN,3,\n9,north,3,\n", o, `a.csv:5:2: column "lon": "north" is no longitude, which is a number of degrees from -180 to 360; correct or remove it`},
		{good + "inf,1,3,\n", o, `a.csv:4:1: column "lat": "inf" is no latitude, which is a number of degrees from -90 to 90; correct or remove it`},
		{"lat,lon,n\n-90.1,5,3\n", Options{Encoding: encoding}, `a.csv:2:1: column "lat": "-90.1" is no latitude, which is a number of degrees from -90 to 90; correct or remove it`},
		{"lat,lon,n\n90,1e3,3\n", Options{Encoding: encoding}, `a.csv:2:2: column "lon": "1e3" is no longitude, which is a number of degrees from -180 to 360; correct or remove it`},
		{"lat,n\n90,3\n", Options{Encoding: encoding}, `a.csv:1: these feature columns are missing: lon; add them beside lat, n`},
		{good, Options{Coordinates: []string{"lat"}}, `a.csv:1: Options.Coordinates names a latitude and its longitude, but "lat" is the last name; add its longitude`},
		{good, Options{Coordinates: []string{"lat", "x"}}, `a.csv:1: no column is called "x"; choose for Options.Coordinates among lat, lon, n, label`},
		{good, Options{Coordinates: []string{"lat", "1"}}, `a.csv:1:1: the column "1" is to be both latitude and longitude; ask for one`},
		{good, Options{Coordinates: []string{"lat", "lon", "n", "lon"}}, `a.csv:1: Options.Coordinates names "n" or "lon" twice; name a column once`},
		{good, Options{Coordinates: places, Columns: []string{"lat", "n"}}, `a.csv:1: of the latitude "lat" and the longitude "lon" one is left out by Options.Columns; name both there, or none`},
		{"lat,lon,n,label\n,2,1,a\n,4,2,b\n", o, `a.csv: the column "lat" has no values, so that "lon" is no place; leave both out of Options.Coordinates`},
	} {
		_, err := Read(strings.NewReader(c.text), "a.csv", c.o)
		checkError(t, err, c.want)
		for threads := range 3 {
			c.o.Threads = threads
			if _, again := Read(strings.NewReader(c.text), "a.csv", c.o); again == nil || again.Error() != err.Error() {
				t.Errorf("%d threads: %v", threads, again)
			}
		}
	}
}

// A latitude and a longitude all over the earth are noted by their names and values, and nothing is
// changed; where the names do not tell one pair, or the places are near each other, nothing is said.
func TestPlacesAreNoted(t *testing.T) {
	const around, values = `the columns %q and %q look like places all over the earth; give Options{Coordinates: []string{%[1]q, %[2]q}} if so`, "1.5,-120,a\n2.5,100,b\n"
	for _, c := range []struct {
		text       string
		o          Options
		first, two string
	}{
		{"lat,Lon,label\n" + values, Options{}, "lat", "Lon"},
		{"pickup_latitude,pickup_longitude,label\n" + values, Options{}, "pickup_latitude", "pickup_longitude"},
		{"Lat,lng,label\n" + values + ",,\n", Options{}, "Lat", "lng"},
		{"lat,lon,label\n" + values, Options{Coordinates: places}, "", ""},
		{"lat,lon,label\n" + values, Options{Category: []string{"lat"}}, "", ""},
		{"lat,lon,label\n" + values, Options{Encoding: new(dataset.Encoding)}, "", ""},
		{"flat,colon,label\n" + values, Options{}, "", ""},
		{"a_lat,b_lon,label\n" + values, Options{}, "", ""},
		{"lat,long,lng,label\n1,-120,7,a\n2,100,8,b\n", Options{}, "", ""},
		{"lat,lon,label\n91,-120,a\n2,100,b\n", Options{}, "", ""},
		{"lat,lon,label\n1,11.5,a\n2,11.6,b\n", Options{}, "", ""},
		{"lat,lon,label\n1,-89,a\n2,90,b\n", Options{}, "", ""},
	} {
		d := mustRead(t, "a.csv", c.text, c.o)
		var got, want []string
		for _, note := range d.Notes {
			got = append(got, note.Error())
		}
		if c.first != "" {
			want = []string{fmt.Sprintf(around, c.first, c.two)}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
		if c.first != "" && d.Points.Dim() != 2 {
			t.Errorf("%d features", d.Points.Dim())
		}
	}
}

// Ranks together learn the same places as one process, and find the same that is none.
func TestRanksReadPlaces(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 2))
	var b strings.Builder
	b.WriteString("lat,lon,n,label\n")
	for i := range 60 {
		fmt.Fprintf(&b, "%.4f,%.4f,%d,%c\n", 180*rng.Float64()-90, 360*rng.Float64()-180, i*i%11, 'a'+i%2)
	}
	gaps := b.String() + ",1,1,a\n2,,1,a\n"
	for name, c := range map[string]struct {
		text string
		o    Options
	}{
		"places": {b.String(), Options{Coordinates: places}}, "gaps": {gaps, Options{Coordinates: places}}, "beside text": {gaps, Options{Coordinates: places, Text: []string{"n"}}},
		"no place": {gaps + "95,1,1,a\n", Options{Coordinates: places}}, "no values": {"lat,lon,label\n" + strings.Repeat(",1,a\n", 40), Options{Coordinates: places}},
	} {
		path := writeText(t, filepath.Join(t.TempDir(), "a.csv"), c.text)
		t.Run(name, func(t *testing.T) { sharesAre(t, path, []string{path}, c.o) })
	}
}
