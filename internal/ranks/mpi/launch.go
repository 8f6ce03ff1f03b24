// Package mpi carries bytes between the processes that a launcher of MPI started, by the MPI
// library of the machine. The library is loaded at run time. So one program works with Open MPI,
// with MPICH and its kin (Intel MPI, MVAPICH, Cray), and alone without a library. Builds with the
// tag static, and systems but Linux and macOS on amd64 and arm64, have no MPI: there [Join] fails
// and says so.
package mpi

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"
)

// family is a binary interface of MPI.
type family int

const (
	anyFamily family = iota
	openMPI
	mpich
)

func (f family) String() string { return []string{"MPI", "Open MPI", "MPICH"}[f] }

// Launch is what a launcher told a process about its place among several.
type Launch struct {
	By   string // the launcher, in words
	Rank int
	Size int // 0 where only the library knows it
	// Local is the number among the ranks of one machine.
	Local int
	// Exits is whether ranks may simply exit, because the launcher returns their codes. Other
	// launchers take a rank that exits for a crash.
	Exits  bool
	family family // of the library that understands the launcher, where that is known
	first  family // to look for first
}

// ErrNotJoined is the error of a rank that others have not joined.
var ErrNotJoined = errors.New("the other ranks have not joined")

// ErrNotTogether is the error of tasks that Slurm started and told nothing of MPI.
var ErrNotTogether = errors.New("srun started several tasks, and told them nothing of MPI (its --mpi=none): srun --mpi=pmix or --mpi=pmi2 has them work together")

// Launched reports how a process was started, by its environment, and whether it is one of
// several. It knows mpirun of Open MPI, the Hydra process manager of MPICH and its kin, and
// srun of Slurm with PMI-2 and PMIx.
//
// It fails with [ErrNotTogether] among tasks of srun that would all do the same work.
func Launched(getenv func(string) string) (Launch, bool, error) {
	number := func(names ...string) int {
		for _, name := range names {
			if n, err := strconv.Atoi(getenv(name)); err == nil && n >= 0 {
				return n
			}
		}
		return 0
	}
	slurm := number("SLURM_STEP_NUM_TASKS")
	var l Launch
	switch {
	case getenv("OMPI_COMM_WORLD_RANK") != "":
		l = Launch{By: "mpirun of Open MPI", Rank: number("OMPI_COMM_WORLD_RANK"), Size: number("OMPI_COMM_WORLD_SIZE"),
			Local: number("OMPI_COMM_WORLD_LOCAL_RANK"), family: openMPI, first: openMPI}
	case getenv("PMI_RANK") != "" && getenv("SLURM_MPI_TYPE") != "":
		l = Launch{By: "srun with PMI", Rank: number("PMI_RANK"), Size: number("PMI_SIZE", "SLURM_STEP_NUM_TASKS"),
			Local: number("SLURM_LOCALID"), Exits: true, first: mpich}
	case getenv("PMI_RANK") != "":
		l = Launch{By: "mpirun of MPICH", Rank: number("PMI_RANK"), Size: number("PMI_SIZE"),
			Local: number("MPI_LOCALRANKID"), family: mpich, first: mpich}
	case getenv("PMIX_RANK") != "":
		l = Launch{By: "a launcher with PMIx", Rank: number("PMIX_RANK"), Size: slurm, Local: number("SLURM_LOCALID"),
			Exits: getenv("SLURM_MPI_TYPE") != "", first: openMPI}
	case slurm > 1 && getenv("SLURM_PROCID") != "":
		return Launch{By: "srun", Rank: number("SLURM_PROCID"), Size: slurm, Local: number("SLURM_LOCALID")}, true, ErrNotTogether
	}
	return l, l.By != "" && l.Size != 1, nil
}

// GiveUp tells the launcher to end the other processes, on behalf of a process that has not joined
// and ends with a code. Only the launcher of MPICH must be told: it takes a process that exits
// before joining for one without MPI, and the others would wait for it. That launcher then passes
// on no more output of processes, so GiveUp waits a second first. getenv names the pipe to that
// launcher.
func (l Launch) GiveUp(code int, getenv func(string) string) {
	fd, err := strconv.Atoi(getenv("PMI_FD"))
	if l.family != mpich || err != nil {
		return
	}
	time.Sleep(time.Second)
	fmt.Fprintf(os.NewFile(uintptr(fd), "PMI"), "cmd=abort exitcode=%d\n", code)
}

// Ended is the error of a rank of which another has ended.
type Ended struct {
	Rank int // the other
	Code int // the exit code that it ends with
}

func (e *Ended) Error() string { return fmt.Sprintf("rank %d ended with code %d", e.Rank, e.Code) }
