package dataset

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"lapsvm/dataset/internal/quote"
)

// Latitude and Longitude are the kinds of two columns of degrees that are places together. The
// features are the place on the unit sphere, so that near places are near across the date line and
// at the poles. Of latitude φ and longitude λ they are
//
//	sin φ, and cos φ cos λ and cos φ sin λ
//
// A missing value is that of the mean place: the direction of the mean of all places on the sphere.
// A median of longitudes would say nothing where they go around the earth.
const (
	Latitude  Kind = "latitude"
	Longitude Kind = "longitude"
)

func latitudeKind() kindRules {
	return kindRules{
		kind: Latitude, version: 3, option: "Coordinates", holds: Numerals, checked: true, measured: true,
		asked: func(o *TableOptions) []string { return everyOther(o.Coordinates, 0) },
		find:  notePlaces,
		learn: func(l *learner, c *Column, j, n int) error { return l.learnPlace(c, j, l.used[j].with, j) },
		validate: func(_ *Encoding, c *Column) error {
			if _, ok := latitude(c, cell{number: c.Fill}); !ok || !(c.Low < c.High) {
				return fmt.Errorf("the latitude %g with sines from %g to %g cannot be", c.Fill, c.Low, c.High)
			}
			return nil
		},
		value:    latitude,
		features: func(c *Column) []string { return []string{"sin(" + c.Name + ")"} },
		encode:   encodeLatitude,
		reading: func(e *Encoding, c *Column) (Reading, error) {
			return e.readingOf(c, []float64{c.Low}, []float64{c.High})
		},
		wrong: func(_ *Column, text string) string { return noDegrees(text, Latitude, "-90 to 90") },
	}
}

func longitudeKind() kindRules {
	return kindRules{
		kind: Longitude, version: 3, option: "Coordinates", holds: Numerals, checked: true, measured: true,
		asked:  func(o *TableOptions) []string { return everyOther(o.Coordinates, 1) },
		layOut: (*Layout).findPlaces,
		find:   markPlaces,
		learn: func(l *learner, c *Column, j, n int) error {
			with := l.used[j].with
			c.With = l.used[with].name
			return l.learnPlace(c, with, j, j)
		},
		validate: func(e *Encoding, c *Column) error {
			if _, ok := longitude(c, cell{number: c.Fill}); !ok {
				return fmt.Errorf("%g is no longitude", c.Fill)
			}
			if e.latitudeOf(c) < 0 {
				return fmt.Errorf("no column is its latitude %q", c.With)
			}
			return nil
		},
		value: longitude,
		width: func(*Column) int { return 2 },
		features: func(c *Column) []string {
			return []string{"cos(" + c.With + ")cos(" + c.Name + ")", "cos(" + c.With + ")sin(" + c.Name + ")"}
		},
		encode: encodeLongitude,
		reading: func(e *Encoding, c *Column) (Reading, error) {
			low, high := e.around(c)
			return e.readingOf(c, low[:], high[:])
		},
		wrong:    func(_ *Column, text string) string { return noDegrees(text, Longitude, "-180 to 360") },
		describe: func(c *Column) string { return fmt.Sprintf("longitude, with the latitude %q on a sphere", c.With) },
	}
}

// everyOther returns every second name from one on.
func everyOther(names []string, from int) (some []string) {
	for k := from; k < len(names); k += 2 {
		some = append(some, names[k])
	}
	return some
}

func latitude(_ *Column, x cell) (float64, bool) {
	return x.number, x.isNumber() && -90 <= x.number && x.number <= 90
}

func longitude(_ *Column, x cell) (float64, bool) {
	return x.number, x.isNumber() && -180 <= x.number && x.number <= 360
}

func noDegrees(text string, kind Kind, between string) string {
	return fmt.Sprintf("%s is no %s, which is a number of degrees from %s; correct or remove it", quote.Field([]byte(text)), kind, between)
}

// findPlaces pairs the columns that the options name: a latitude, its longitude, and so on.
func (l *Layout) findPlaces() error {
	names, option := l.options.Coordinates, Option{Name: "Coordinates"}
	if len(names)%2 > 0 {
		return l.errorf(0, "%s names a latitude and its longitude, but %q is the last name; add its longitude", option, names[len(names)-1])
	}
	for k := 0; k < len(names); k += 2 {
		latitude, longitude := l.column(names[k]), l.column(names[k+1])
		switch a, b := slices.Contains(l.Features, latitude), slices.Contains(l.Features, longitude); {
		case a && b && slices.ContainsFunc(l.places, func(p [2]int) bool { return p[0] == latitude || p[1] == longitude }):
			return l.errorf(0, "%s names %q or %q twice; name a column once", option, names[k], names[k+1])
		case a && b:
			l.places = append(l.places, [2]int{latitude, longitude})
		case a || b:
			return l.errorf(0, "of the latitude %q and the longitude %q one is left out by %s; name both there, or none", names[k], names[k+1], Option{Name: "Columns"})
		}
	}
	return nil
}

// markPlaces tells the columns of a place of each other.
func markPlaces(l *learner, _ int, _ *Dataset) error {
	for _, pair := range l.places {
		latitude, longitude := slices.Index(l.files, pair[0]), slices.Index(l.files, pair[1])
		l.used[latitude].with, l.used[longitude].with = longitude, latitude
		for k, j := range []int{latitude, longitude} {
			if l.used[j].all.Rows[withNumbers] == 0 {
				return l.origin.Errorf(0, 0, "the column %q has no values, so that %q is no place; leave both out of %s", l.called(pair[k]), l.called(pair[1-k]), Option{Name: "Coordinates"})
			}
		}
	}
	return nil
}

// degreesCalled are the ends of names of latitudes and of longitudes; constants.
var degreesCalled = [2][]string{{"latitude", "lat"}, {"longitude", "long", "lon", "lng"}}

// notePlaces notes a latitude and a longitude by their names and values, where they go around
// half of the earth or more: in a smaller region degrees serve as well. No column is changed.
func notePlaces(l *learner, _ int, d *Dataset) error {
	if l.strict || l.header == nil {
		return nil
	}
	found := make(map[string][2][]*wordColumn) // by what stands before the end of a name
	for _, g := range l.used {
		s := g.all.Span
		if g.asked != "" || g.all.Distinct > 0 || s.Present == 0 {
			continue
		}
		for k, holds := range []func(*Column, cell) (float64, bool){latitude, longitude} {
			before, is := endsIn(strings.ToLower(g.name), degreesCalled[k])
			_, low := holds(nil, cell{number: s.Low})
			_, high := holds(nil, cell{number: s.High})
			if is && low && high {
				pair := found[before]
				pair[k] = append(pair[k], g)
				found[before] = pair
			}
		}
	}
	for _, before := range slices.Sorted(maps.Keys(found)) {
		pair := found[before]
		if len(pair[0]) != 1 || len(pair[1]) != 1 || pair[1][0].all.Span.High-pair[1][0].all.Span.Low < aroundEarth {
			continue
		}
		both := []string{l.called(pair[0][0].file), l.called(pair[1][0].file)}
		d.note("the columns %q and %q look like places all over the earth; give %s if so", both[0], both[1], Option{Name: "Coordinates", Value: both})
	}
	return nil
}

// endsIn reports whether a name is one of some words, or has it at its end behind a mark, and
// returns what stands before it.
func endsIn(name string, words []string) (before string, is bool) {
	for _, word := range words {
		before, is = strings.CutSuffix(name, word)
		if is && (before == "" || strings.ContainsAny(before[len(before)-1:], "_ -.")) {
			return before, true
		}
	}
	return "", false
}

// aroundEarth is over how many degrees of longitude places are noted.
const aroundEarth = 180

// coordinate is one of the three on the sphere, of many places.
type coordinate struct {
	Sum       int64 // in units of 2^-32, so that it is the same in any order
	Low, High float64
}

// learnPlace learns column own of used, which is lat or lon: the two columns of a place. Fill is the
// degrees of the mean place u. A latitude has the scale of all three coordinates beside a sparse
// column too: Low and High are sin φ − r and sin φ + r of u, where r is the largest distance of a
// coordinate from that of u.
func (l *learner) learnPlace(c *Column, lat, lon, own int) error {
	var mine [3]coordinate
	for k := range mine {
		mine[k].Low, mine[k].High = 1, -1
	}
	for i := range l.rows {
		a, b := l.cell(i, lat), l.cell(i, lon)
		if !a.isNumber() || !b.isNumber() {
			continue
		}
		for k, v := range onSphere(a.number, b.number) {
			mine[k].add(coordinate{int64(math.Round(v * 0x1p32)), v, v})
		}
	}
	all, err := All(l.origin.Ranks, mine)
	if err != nil {
		return err
	}
	sum := all[0]
	for _, part := range all[1:] {
		for k := range sum {
			sum[k].add(part[k])
		}
	}
	x, y, z := float64(sum[0].Sum), float64(sum[1].Sum), float64(sum[2].Sum)
	north, east := math.Atan2(z, math.Hypot(x, y))*180/math.Pi, math.Atan2(y, x)*180/math.Pi
	reach, constant := leastReach, true
	for k, u := range onSphere(north, east) {
		reach = max(reach, sum[k].High-u, u-sum[k].Low)
		constant = constant && sum[k].Low >= sum[k].High
	}
	switch sine, _ := sines(north); {
	case constant:
		c.drop("the place is constant")
	case own == lat:
		c.Fill, c.Low, c.High = unsigned(north), sine-reach, sine+reach
	default:
		c.Fill = unsigned(east)
	}
	return nil
}

// leastReach is about a centimetre on the earth.
const leastReach = 0x1p-30

func (c *coordinate) add(other coordinate) {
	c.Sum, c.Low, c.High = c.Sum+other.Sum, min(c.Low, other.Low), max(c.High, other.High)
}

// encodeLatitude sets the sine of a latitude.
func encodeLatitude(n *encoder, k, at int) func(row []cell) bool {
	c := &n.e.Columns[k]
	return func(row []cell) bool {
		degrees, ok := n.value(k, row[k], latitude)
		sine, _ := sines(degrees)
		if n.sparse {
			sine = within(sine, c.Low, c.High)
		}
		n.set(at, sine)
		return ok
	}
}

// encodeLongitude sets what a place has beside the sine of the latitude.
func encodeLongitude(n *encoder, k, at int) func(row []cell) bool {
	c := &n.e.Columns[k]
	with := n.e.latitudeOf(c)
	north := &n.e.Columns[with]
	low, high := n.e.around(c)
	return func(row []cell) bool {
		degrees, ok := n.value(k, row[k], longitude)
		x := row[with].number
		if !row[with].isNumber() {
			x = north.Fill
		}
		place := onSphere(x, degrees)
		for axis, v := range place[:2] {
			if n.sparse {
				v = within(v, low[axis], high[axis])
			}
			n.set(at+axis, v)
		}
		return ok
	}
}

// around returns what the two features of a longitude are scaled by beside a sparse column.
func (e *Encoding) around(c *Column) (low, high [2]float64) {
	north := &e.Columns[e.latitudeOf(c)]
	mean, reach := onSphere(north.Fill, c.Fill), (north.High-north.Low)/2
	for axis := range low {
		low[axis], high[axis] = mean[axis]-reach, mean[axis]+reach
	}
	return low, high
}

// latitudeOf returns the column that is the latitude of a longitude, −1 for none.
func (e *Encoding) latitudeOf(c *Column) int {
	return slices.IndexFunc(e.Columns, func(other Column) bool { return other.Kind == Latitude && other.Name == c.With })
}

// onSphere returns the place of a latitude and a longitude in degrees on the unit sphere:
// cos φ cos λ, cos φ sin λ and sin φ.
func onSphere(latitude, longitude float64) [3]float64 {
	sine, cosine := sines(latitude)
	y, x := sines(longitude)
	return [3]float64{unsigned(cosine * x), unsigned(cosine * y), sine}
}

// sines returns the sine and the cosine of an angle in degrees. Whole turns and right angles are
// taken off in degrees, where that is exact: 180° and −180° are one longitude to the last bit, and
// a pole is one place. Up to 45° the sums of Taylor are exact to rounding. No operation is fused with
// another, so that every processor, and the loader of Python, gets the same bits.
func sines(degrees float64) (sine, cosine float64) {
	degrees = math.Mod(degrees, 360)
	quarters := math.Floor(degrees/90 + 0.5)
	angle := float64(degrees-float64(90*quarters)) * (math.Pi / 180)
	square := float64(angle * angle)
	sine, cosine = 1, 1
	for k := 18.0; k > 0; k -= 2 {
		sine = 1 - float64(square/(k*(k+1))*sine)
		cosine = 1 - float64(square/(k*(k-1))*cosine)
	}
	sine *= angle
	switch int(quarters) & 3 {
	case 1:
		sine, cosine = cosine, -sine
	case 2:
		sine, cosine = -sine, -cosine
	case 3:
		sine, cosine = -cosine, sine
	}
	return unsigned(sine), unsigned(cosine)
}
