package cli

import (
	"reflect"
	"runtime"
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
		r.share(c.seats[0], c.seats, c.threads)
		if r.here != c.here || !reflect.DeepEqual(r.own, c.own) || !reflect.DeepEqual(r.all, c.all) {
			t.Errorf("%s: %d here, own %v, all %v; want %d, %v, %v", name, r.here, r.own, r.all, c.here, c.own, c.all)
		}
	}
}

// A rank that works alone runs the threads of those that wait, by --threads too.
func TestThreadsOfRanks(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for name, c := range map[string]struct {
		ranks                    ranks
		threads, now, own, alone int
	}{
		"one of each rank":     {ranks{own: processors{threads: 4}, all: processors{threads: 8}, here: 2}, 1, 1, 1, 2},
		"more than processors": {ranks{own: processors{threads: 1}, all: processors{threads: 2}, here: 2}, 16, 1, 1, 2},
	} {
		r := c.ranks
		r.limit(c.threads)
		if got := runtime.GOMAXPROCS(0); got != c.now || r.own.threads != c.own || r.all.threads != c.alone {
			t.Errorf("%s: %d now, %d, alone %d; want %d, %d, %d", name, got, r.own.threads, r.all.threads, c.now, c.own, c.alone)
		}
	}
}
