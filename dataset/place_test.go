package dataset

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Sines and cosines are those of math to rounding, and right angles are exact.
func TestSines(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	for range 20000 {
		degrees := 360 * (2*rng.Float64() - 1)
		if rng.IntN(2) == 0 {
			degrees = math.Ldexp(degrees, -rng.IntN(60))
		}
		sine, cosine := sines(degrees)
		exact, other := math.Sincos(degrees * math.Pi / 180)
		if !(math.Abs(sine-exact) <= 3e-15 && math.Abs(cosine-other) <= 3e-15) { // the naive angle is rounded
			t.Fatalf("%v degrees: %v and %v, want %v and %v", degrees, sine, cosine, exact, other)
		}
		if small := math.Abs(degrees) < 45; small && !(math.Abs(sine-exact) <= 1e-15*math.Abs(exact)) {
			t.Fatalf("%v degrees: sine %v, want %v", degrees, sine, exact)
		}
	}
	for quarter, want := range [][2]float64{{0, 1}, {1, 0}, {0, -1}, {-1, 0}} {
		for turn := -2; turn <= 2; turn++ {
			sine, cosine := sines(float64(360*turn + 90*quarter))
			if [2]float64{sine, cosine} != want || math.Signbit(sine) != (want[0] < 0) || math.Signbit(cosine) != (want[1] < 0) {
				t.Errorf("%d quarters of turn %d: %v and %v", quarter, turn, sine, cosine)
			}
		}
	}
}

// A place has one set of bits however its longitude is written, and a pole has no longitude.
func TestPlacesAreOne(t *testing.T) {
	for _, same := range [][][2]float64{
		{{10, 180}, {10, -180}}, {{-33.5, 190.25}, {-33.5, -169.75}}, {{0, 360}, {0, 0}}, {{7, 359.5}, {7, -0.5}},
		{{90, 0}, {90, 123.4}, {90, -179}, {90, 300}}, {{-90, 0}, {-90, 77.7}, {-90, -135}},
	} {
		first := onSphere(same[0][0], same[0][1])
		for _, place := range same[1:] {
			for k, v := range onSphere(place[0], place[1]) {
				if math.Float64bits(v) != math.Float64bits(first[k]) {
					t.Errorf("%v is at %v, and %v at %v", same[0], first, place, onSphere(place[0], place[1]))
				}
			}
		}
	}
}

// The mean place is the direction of the mean on the sphere, also across the date line and at the
// poles, and the scale beside text puts all places between 0 and 1.
func TestMeanPlaceAgainstNaive(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 2))
	for name, around := range map[string]func() (float64, float64){
		"date line": func() (float64, float64) {
			return 10 * rng.NormFloat64(), math.Mod(540+180+5*rng.NormFloat64(), 360) - 180
		},
		"pole":      func() (float64, float64) { return 90 - 3*rng.Float64(), 360*rng.Float64() - 180 },
		"city":      func() (float64, float64) { return 48.1 + 0.01*rng.NormFloat64(), 11.6 + 0.01*rng.NormFloat64() },
		"half turn": func() (float64, float64) { return 5 * rng.Float64(), 175 + 20*rng.Float64() },
		"parallel":  func() (float64, float64) { return 60, 30 * rng.Float64() },
	} {
		origin := &Origin{File: "rows", Rows: Records}
		layout, err := NewLayout(origin, []string{"lat", "lon"}, 2, 0, TableOptions{Coordinates: []string{"lat", "lon"}, MayLackLabels: true, Features: 2})
		if err != nil {
			t.Fatal(err)
		}
		l := newLearner(layout)
		var x, y, z float64
		for i := range 500 {
			lat, lon := around()
			if i%50 == 0 {
				l.values = append(l.values, lat, math.NaN()) // no place
			} else {
				l.values = append(l.values, lat, lon)
				a, b := lat*math.Pi/180, lon*math.Pi/180
				x, y, z = x+math.Cos(a)*math.Cos(b), y+math.Cos(a)*math.Sin(b), z+math.Sin(a)
			}
			l.rows++
		}
		north, east := Column{Name: "lat", Kind: Latitude}, Column{Name: "lon", Kind: Longitude, With: "lat"}
		for j, c := range []*Column{&north, &east} {
			if err := l.learnPlace(c, 0, 1, j); err != nil {
				t.Fatal(err)
			}
		}
		lat, lon := math.Atan2(z, math.Hypot(x, y))*180/math.Pi, math.Atan2(y, x)*180/math.Pi
		off := onSphere(north.Fill, east.Fill)
		for k, v := range onSphere(lat, lon) {
			if !(math.Abs(v-off[k]) <= 1e-9) {
				t.Errorf("%s: the mean place is %v %v, want %v %v", name, north.Fill, east.Fill, lat, lon)
			}
		}
		e := &Encoding{Columns: []Column{north, east}}
		if err := e.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		reach, most := (north.High-north.Low)/2, 0.0
		for i := range l.rows {
			if a, b := l.cell(i, 0), l.cell(i, 1); b.isNumber() {
				for k, v := range onSphere(a.number, b.number) {
					most = max(most, math.Abs(v-off[k]))
				}
			}
		}
		if !(math.Abs(reach-most) <= 1e-15) {
			t.Errorf("%s: places reach %v from their mean, want %v", name, reach, most)
		}
	}
}
