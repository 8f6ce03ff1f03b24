package labelpage

import (
	"context"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"net/http"
	"strconv"

	"lapsvm/app/labelpage/store"
)

// places has the machine make the layout, once. It is nil while it is made.
func (e *engine) places(ctx context.Context) (layout []float32, version int) {
	if at := e.snapshot.Load(); at.Layout != nil {
		return at.Layout, at.Map
	}
	if !e.mapping.CompareAndSwap(false, true) {
		return nil, 0
	}
	go func() {
		defer e.mapping.Store(false)
		e.ask(ctx, func(m Machine) { e.place(ctx, m) })
	}()
	return nil, 0
}

func (e *engine) place(ctx context.Context, m Machine) {
	e.say(true, "making the map", 0)
	layout, err := m.Layout(ctx)
	if err != nil {
		e.failed = onPage(err)
	} else {
		e.lay(layout)
		e.laid = len(layout) / 2
		next := *e.snapshot.Load()
		e.publish(&next)
	}
	e.say(e.opening != nil, e.openingStage(), 0)
}

// lay gives the map other places, nil for none yet.
func (e *engine) lay(layout []float32) {
	e.layout = layout
	e.mapped++
}

// getMap gives the places of all points: GET /api/map, binary, little endian: uint32 n, uint32 version as
// model.map of GET /api/state, then n times float32 x, y from 0 to 1. 202 while the map is made.
func (s *Server) getMap(w http.ResponseWriter, r *http.Request) {
	layout, version := s.engine.places(s.ctx)
	if layout == nil {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusAccepted)
		_, _ = w.Write([]byte("{}\n"))
		return
	}
	b := make([]byte, 0, 8+4*len(layout))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(layout)/2))
	b = binary.LittleEndian.AppendUint32(b, uint32(version))
	for _, v := range layout {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	_, _ = w.Write(b)
}

// getColours gives a byte for every point: GET /api/map/colours?by=label|prediction|uncertainty&class=ID.
// The answer is binary, little endian: uint32 n, then n bytes. The byte of a label or a prediction
// is the position of the class in the list of GET /api/state, from 1 (from the 256th class on again
// from 1), and 0 for none. The byte of an uncertainty is 1, sure, to 255, and 0 where nothing is
// predicted. The byte is 0 for predictions and uncertainties of rows that somebody is asked
// blindly. Of numbers it is 1 to 255 between the smallest and the largest label, or of the widest interval. Where rows may
// have several classes it is that of the rarest one of the row, or with class=ID of this class alone.
func (s *Server) getColours(w http.ResponseWriter, r *http.Request) {
	q := query{r: r}
	by := q.oneOf("by", "label", "prediction", "uncertainty")
	class := q.number("class", store.NoClass, 0, math.MaxInt32)
	if q.wrong(w) {
		return
	}
	n := s.content().Len()
	b := make([]byte, 4, 4+n)
	binary.LittleEndian.PutUint32(b, uint32(n))
	b = b[:4+n]
	at := s.engine.snapshot.Load()
	s.Store.View(func(st *store.State) {
		awaited := s.offers.awaited(st)
		s.kind().colour(s, b[4:], by, class, st, at, awaited)
	})
	w.Header().Set("Content-Type", "application/octet-stream")
	_, _ = w.Write(b)
}

// Limits of a region.
const (
	mostCorners   = 10000
	mostInside    = 5000
	mostOfASample = 24
)

// postRegion gives the points inside a polygon on the map: POST /api/region {"polygon":[[x, y],
// …]}. The answer is {"rows":[up to 5000], "settled":[those of them that have a label], "total",
// "labelled":{class: count}, "predicted":{class: count}, "sample":[rows by chance]}. Nothing is
// labelled by it. 409 before there is a map.
func (s *Server) postRegion(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Polygon [][2]float64 `json:"polygon"`
	}
	if err := decode(r.Body, &body); err != nil {
		s.refuseBody(w, err)
		return
	}
	if len(body.Polygon) < 3 || len(body.Polygon) > mostCorners {
		refuse(w, http.StatusBadRequest, "a polygon has from 3 to 10000 corners")
		return
	}
	at := s.engine.snapshot.Load()
	if at.Layout == nil {
		refuse(w, http.StatusConflict, "there is no map yet")
		return
	}
	var inside []int
	c := s.content()
	for row := range len(at.Layout) / 2 {
		if !c.Gone(row) && within(body.Polygon, float64(at.Layout[2*row]), float64(at.Layout[2*row+1])) {
			inside = append(inside, row)
		}
	}
	rows, aggregated := inside[:min(len(inside), mostInside)], []int{}
	labelled, predicted := map[string]int{}, map[string]int{}
	s.Store.View(func(st *store.State) {
		awaited := s.offers.awaited(st)
		for k, row := range inside {
			if class := st.AggregatedOf(row); class != store.NoClass {
				for _, class := range s.kind().classesOf(st, class) {
					labelled[strconv.Itoa(class)]++
				}
				if k < len(rows) {
					aggregated = append(aggregated, row)
				}
			}
			if class := st.Resolve(at.Answer.decided(row)); class != store.NoClass && !awaited[row] {
				predicted[strconv.Itoa(class)]++
			}
			if e := at.Answer.expected(st, row); e != nil && !awaited[row] {
				for _, class := range e.Has {
					predicted[strconv.Itoa(class)]++
				}
			}
		}
	})
	sample := []int{}
	for _, k := range rand.Perm(len(inside))[:min(len(inside), mostOfASample)] {
		sample = append(sample, inside[k]+1)
	}
	writeJSON(w, map[string]any{"rows": fromOne(rows), "settled": fromOne(aggregated), "total": len(inside), "labelled": labelled, "predicted": predicted, "sample": sample})
}

// within reports whether a place is inside a polygon: a line from it to the right crosses its
// sides an odd number of times.
func within(polygon [][2]float64, x, y float64) bool {
	inside := false
	for k, p := range polygon {
		q := polygon[(k+1)%len(polygon)]
		if (p[1] > y) != (q[1] > y) && x < p[0]+(y-p[1])/(q[1]-p[1])*(q[0]-p[0]) {
			inside = !inside
		}
	}
	return inside
}
