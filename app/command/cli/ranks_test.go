package cli

import (
	"reflect"
	"strings"
	"testing"
)

func TestMPIArgument(t *testing.T) {
	for args, want := range map[string]string{"bench --mpi lib": "lib", "bench --mpi=lib --ranks": "lib", "predict -- --mpi off": "", "train --mpi": ""} {
		if got := mpiArgument(strings.Fields(args)); got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
}

// Ranks share out the processors that they have alike. While others wait, rank 0 has those that a
// launcher has given to each.
func TestProcessorsOfRanks(t *testing.T) {
	on := func(host string, processors ...int) seat { return seat{host, processors} }
	for name, c := range map[string]struct {
		seats   []seat // of which the first is this rank
		threads int
		here    int
		own     processors
		all     processors
	}{
		"a machine each":        {[]seat{on("a", 0, 1), on("b", 0, 1)}, 2, 1, processors{2, nil}, processors{2, nil}},
		"shared":                {[]seat{on("a", 0, 1, 2, 3), on("a", 0, 1, 2, 3), on("b", 0)}, 4, 2, processors{2, nil}, processors{4, nil}},
		"more than processors":  {[]seat{on("a", 0, 1), on("a", 0, 1), on("a", 0, 1)}, 2, 3, processors{1, nil}, processors{2, nil}},
		"bound to one each":     {[]seat{on("a", 2), on("a", 0), on("b", 7)}, 1, 2, processors{1, []int{2}}, processors{2, []int{0, 2}}},
		"two bound to each two": {[]seat{on("a", 0, 1), on("a", 0, 1), on("a", 2, 3), on("a", 2, 3)}, 2, 4, processors{1, []int{0, 1}}, processors{4, []int{0, 1, 2, 3}}},
		"not known":             {[]seat{on("a"), on("a")}, 8, 2, processors{4, nil}, processors{8, nil}},
		"fewer allowed":         {[]seat{on("a", 0, 1, 2, 3), on("a", 0, 1, 2, 3)}, 2, 2, processors{1, nil}, processors{2, nil}},
	} {
		var r ranks
		here := r.share(c.seats[0], c.seats, c.threads)
		if here != c.here || !reflect.DeepEqual(r.own, c.own) || !reflect.DeepEqual(r.all, c.all) {
			t.Errorf("%s: %d here, own %v, all %v; want %d, %v, %v", name, here, r.own, r.all, c.here, c.own, c.all)
		}
	}
}
