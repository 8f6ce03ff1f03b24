package mpi

import (
	"errors"
	"testing"
)

func TestLaunched(t *testing.T) {
	for _, c := range []struct {
		name    string
		env     map[string]string
		want    Launch
		several bool
		err     error
	}{
		{"alone", nil, Launch{}, false, nil},
		{"mpirun of Open MPI", map[string]string{"OMPI_COMM_WORLD_RANK": "3", "OMPI_COMM_WORLD_SIZE": "4", "OMPI_COMM_WORLD_LOCAL_RANK": "1", "PMIX_RANK": "3"},
			Launch{By: "mpirun of Open MPI", Rank: 3, Size: 4, Local: 1, family: openMPI, first: openMPI}, true, nil},
		{"mpirun of one", map[string]string{"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "1"},
			Launch{By: "mpirun of Open MPI", Size: 1, family: openMPI, first: openMPI}, false, nil},
		{"Hydra", map[string]string{"PMI_RANK": "1", "PMI_SIZE": "2", "PMI_FD": "6", "MPI_LOCALRANKID": "1"},
			Launch{By: "mpirun of MPICH", Rank: 1, Size: 2, Local: 1, family: mpich, first: mpich}, true, nil},
		{"Open MPI inside of a job of Slurm", map[string]string{"OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "2", "SLURM_PROCID": "0", "SLURM_STEP_NUM_TASKS": "2"},
			Launch{By: "mpirun of Open MPI", Rank: 1, Size: 2, family: openMPI, first: openMPI}, true, nil},
		{"srun with PMI-2", map[string]string{"SLURM_MPI_TYPE": "pmi2", "PMI_RANK": "5", "PMI_SIZE": "8", "SLURM_PROCID": "5", "SLURM_STEP_NUM_TASKS": "8", "SLURM_LOCALID": "1"},
			Launch{By: "srun with PMI", Rank: 5, Size: 8, Local: 1, Exits: true, first: mpich}, true, nil},
		{"srun with PMIx", map[string]string{"SLURM_MPI_TYPE": "pmix", "PMIX_RANK": "5", "SLURM_PROCID": "5", "SLURM_STEP_NUM_TASKS": "8", "SLURM_LOCALID": "1"},
			Launch{By: "a launcher with PMIx", Rank: 5, Size: 8, Local: 1, Exits: true, first: openMPI}, true, nil},
		{"srun without MPI", map[string]string{"SLURM_MPI_TYPE": "none", "SLURM_PROCID": "1", "SLURM_STEP_NUM_TASKS": "2"},
			Launch{By: "srun", Rank: 1, Size: 2}, true, ErrNotTogether},
		{"the script of a job of Slurm", map[string]string{"SLURM_PROCID": "0", "SLURM_NTASKS": "8"}, Launch{}, false, nil},
	} {
		got, several, err := Launched(func(name string) string { return c.env[name] })
		if got != c.want || several != c.several || !errors.Is(err, c.err) {
			t.Errorf("%s: %+v, %v, %v, want %+v, %v, %v", c.name, got, several, err, c.want, c.several, c.err)
		}
	}
}
