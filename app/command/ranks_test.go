package command

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lapsvm/app/command/cli"
	"lapsvm/internal/ranks/mpi"
)

// underMPI runs the command as two ranks, by each mpirun that is installed.
func underMPI(t *testing.T, args string, check func(t *testing.T, stdout, stderr string, code int)) {
	withMPI(t, func(t *testing.T, mpirun func(ranks int, args string) *exec.Cmd) {
		var stdout, stderr bytes.Buffer
		c := mpirun(2, args)
		c.Stdout, c.Stderr = &stdout, &stderr
		_ = c.Run()
		check(t, stdout.String(), stderr.String(), c.ProcessState.ExitCode())
	})
}

// withMPI calls a function with commands of the given number of ranks, for each installed
// mpirun.
func withMPI(t *testing.T, do func(t *testing.T, mpirun func(ranks int, args string) *exec.Cmd)) {
	if !mpi.Supported {
		t.Skip("this build has no MPI")
	}
	for _, launcher := range []string{"mpirun.openmpi", "mpirun.mpich"} {
		t.Run(launcher, func(t *testing.T) {
			if _, err := exec.LookPath(launcher); err != nil {
				t.Skipf("%s is not installed: apt install openmpi-bin mpich", launcher)
			}
			// Launchers that start at the same time in one folder fail there; sockets in it want a short name.
			sessions, err := os.MkdirTemp("", "mpi")
			if err != nil {
				t.Fatal(err)
			}
			defer os.RemoveAll(sessions)
			do(t, func(ranks int, args string) *exec.Cmd {
				c := exec.CommandContext(t.Context(), launcher, append([]string{"-n", strconv.Itoa(ranks), "lapsvm"}, strings.Fields(args)...)...)
				c.Env = append(os.Environ(), "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", "OMPI_MCA_orte_tmpdir_base="+sessions,
					"OMPI_MCA_rmaps_base_oversubscribe=1", "OMPI_MCA_hwloc_base_binding_policy=none", "PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe")
				return c
			})
		})
	}
}

func TestBenchOfRanks(t *testing.T) {
	underMPI(t, "bench --ranks", func(t *testing.T, stdout, stderr string, code int) {
		if code != cli.ExitDone || strings.Count(stdout, "2 ranks by mpirun") != 1 || strings.Count(stdout, "a sum of 8 bytes") != 1 {
			t.Errorf("code %d: %s%s", code, stdout, stderr)
		}
	})
}

func TestACommandThatDoesNotWorkOnRanksSaysSoOnce(t *testing.T) {
	underMPI(t, "info model", func(t *testing.T, stdout, stderr string, code int) {
		if code != cli.ExitUsage || strings.Count(stderr, "lapsvm info works in one process") != 1 || strings.Contains(stderr, "rank 1") {
			t.Errorf("code %d: %s%s", code, stdout, stderr)
		}
	})
	underMPI(t, "info nowhere --mpi off", func(t *testing.T, stdout, stderr string, code int) {
		if code != cli.ExitData || !strings.Contains(stderr, "lapsvm: ") || strings.Contains(stderr, "one process") {
			t.Errorf("each for itself: code %d: %s%s", code, stdout, stderr)
		}
	})
	underMPI(t, "help info", func(t *testing.T, stdout, stderr string, code int) {
		if code != cli.ExitDone || strings.Count(stdout, "Usage:") != 1 {
			t.Errorf("help: code %d: %s%s", code, stdout, stderr)
		}
	})
}

// A rank that cannot join ends the waiting ranks.
func TestARankThatCannotJoinEndsAll(t *testing.T) {
	const fails, waits = "bench --ranks --mpi nowhere", "bench --ranks"
	for which, args := range map[string]string{"the first": fails + " : -n 1 lapsvm " + waits, "another": waits + " : -n 1 lapsvm " + fails} {
		t.Run(which, func(t *testing.T) {
			t.Parallel()
			underMPI(t, args, func(t *testing.T, stdout, stderr string, code int) {
				if code != cli.ExitUsage || strings.Count(stderr, "nowhere cannot be loaded") != 1 || strings.Contains(stderr, "not joined") {
					t.Errorf("code %d: %s%s", code, stdout, stderr)
				}
			})
		})
	}
}

func TestRanksAlone(t *testing.T) {
	if code, _, stderr := lapsvmRun(t, t.Context(), "", "bench", "--ranks"); code != cli.ExitUsage || !strings.Contains(stderr, "mpirun -n 2") {
		t.Errorf("code %d: %s", code, stderr)
	}
}

// Ranks train, evaluate and predict as one process does, by either MPI.
func TestRanksDoWhatOneProcessDoes(t *testing.T) {
	folder := t.TempDir()
	file := func(name string) string { return filepath.Join(folder, name) }
	rng := rand.New(rand.NewPCG(4, 4))
	var table strings.Builder
	table.WriteString("x,y,z,label\n")
	for i := range 300 {
		label := ""
		if i < 20 {
			label = string(rune('a' + i%2))
		}
		fmt.Fprintf(&table, "%.4f,%.4f,%.4f,%s\n", 4*float64(i%2)+rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), label)
	}
	if err := os.WriteFile(file("points.csv"), []byte(table.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	training := "train " + file("points.csv") + " --solver landmarks --landmarks 80 --sigma 2 --gamma-a 1e-4 --gamma-i 0.1 --neighbours 6 --laplacian-degree 2 --standardise none --tolerance 1e-10 --precision 64 --quiet"
	labels := func(name string) []string {
		text, err := os.ReadFile(file(name))
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for line := range strings.Lines(string(text)) {
			label, score, _ := strings.Cut(strings.TrimSpace(line), ",")
			all = append(all, label+score[:min(len(score), 6)]) // four digits
		}
		return all
	}
	run := func(args string) {
		if code, _, stderr := lapsvmRun(t, t.Context(), "", strings.Fields(args)...); code != cli.ExitDone {
			t.Fatalf("%s: code %d: %s", args, code, stderr)
		}
	}
	run(training + " -o " + file("one.model") + " --transduction " + file("one.csv"))
	want := labels("one.csv")
	differ := func(t *testing.T, name string) {
		wrong := 0
		for i, label := range labels(name) {
			if label != want[i] {
				wrong++
			}
		}
		if wrong > 3 { // a fourth digit may be rounded the other way
			t.Errorf("%s: %d of %d decisions differ", name, wrong, len(want))
		}
	}
	underMPI(t, training+" -o "+file("two.model")+" --transduction "+file("two.csv"), func(t *testing.T, _, stderr string, code int) {
		if code != cli.ExitDone {
			t.Fatalf("code %d: %s", code, stderr)
		}
		differ(t, "two.csv")
		run("predict " + file("two.model") + " " + file("points.csv") + " -o " + file("two.predicted.csv"))
	})
	run("predict " + file("one.model") + " " + file("points.csv") + " --scores -o " + file("one.predicted.csv"))
	underMPI(t, "predict "+file("one.model")+" "+file("points.csv")+" --scores -o "+file("shared.csv"), func(t *testing.T, _, stderr string, code int) {
		if got, alone := labels("shared.csv"), labels("one.predicted.csv"); code != cli.ExitDone || !slices.Equal(got, alone) {
			t.Errorf("code %d: %s; predictions differ from those of one process", code, stderr)
		}
	})
	underMPI(t, training+" --plan --json", func(t *testing.T, stdout, stderr string, code int) {
		if code != cli.ExitDone || strings.Count(stdout, `"sent_per_iteration":`) != 1 {
			t.Errorf("plan: code %d: %s%s", code, stdout, stderr)
		}
	})
	if err := os.WriteFile(file("points.csv"), []byte(strings.Replace(table.String(), ",b\n", ",a\n", -1)), 0o666); err != nil {
		t.Fatal(err)
	}
	underMPI(t, training+" -o "+file("none.model"), func(t *testing.T, _, stderr string, code int) {
		if _, err := os.Stat(file("none.model")); code != cli.ExitData || strings.Count(stderr, "only the class") != 1 || err == nil {
			t.Errorf("one class: code %d: %s", code, stderr)
		}
	})
}

// On a pattern of files with words, graph, tune and evaluate print on ranks what one process
// prints.
func TestRanksReadTheirShares(t *testing.T) {
	folder := t.TempDir()
	content, err := os.ReadFile(moons(t, folder, 120))
	if err != nil {
		t.Fatal(err)
	}
	lines := slices.Collect(strings.Lines(string(content)))
	lines[0] = "colour," + lines[0]
	for i := 1; i < len(lines); i++ { // words, whose encoding is learnt from both files
		lines[i] = []string{"red", "blue", "", "green"}[i*i/7%4] + "," + lines[i]
	}
	for k := range 2 {
		part := strings.Join(append([]string{lines[0]}, lines[1+60*k:61+60*k]...), "")
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("part%d.csv", k)), []byte(part), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range []string{"graph " + folder + "/part*.csv --json", "tune " + folder + "/part*.csv --sigma 0.4 --neighbours 6 --laplacian-degree 1", "evaluate " + folder + "/part*.csv --per-class 2 --sigma 0.4 --gamma-a 1e-3 --gamma-i 1 --neighbours 6 --laplacian-degree 1 --standardise none"} {
		code, want, stderr := lapsvmRun(t, t.Context(), "", strings.Fields(args)...)
		if code != cli.ExitDone {
			t.Fatalf("%s: %s", args, stderr)
		}
		said := func(out string) string { // up to times, by which columns are wide
			out, _, _ = strings.Cut(out, "solve s")
			out = regexp.MustCompile(` in [0-9.]+ s\b`).ReplaceAllString(out, "")
			return strings.Join(strings.Fields(out), " ")
		}
		underMPI(t, args, func(t *testing.T, stdout, stderr string, code int) {
			if code != cli.ExitDone || said(stdout) != said(want) {
				t.Errorf("%s: code %d: %s\n%s\nwant\n%s", args, code, stderr, stdout, want)
			}
		})
	}
}

// Ranks with a checkpoint start at the solver and decide the same to the last digit. Another
// number of ranks is refused.
func TestRanksKeepCheckpoints(t *testing.T) {
	folder := t.TempDir()
	data := moons(t, folder, 300)
	withMPI(t, func(t *testing.T, mpirun func(ranks int, args string) *exec.Cmd) {
		kept := t.TempDir()
		train := func(ranks int) (out, decided string, err error) {
			file := filepath.Join(kept, "decided.csv")
			text, err := mpirun(ranks, "train "+data+" -o "+filepath.Join(kept, "model")+" --transduction "+file+" --checkpoint "+filepath.Join(kept, "parts")+
				" --solver landmarks --landmarks 60 --sigma 0.4 --gamma-a 1e-3 --gamma-i 1 --neighbours 6 --laplacian-degree 1 --standardise none").CombinedOutput()
			content, _ := os.ReadFile(file)
			return string(text), string(content), err
		}
		first, want, err := train(2)
		if err != nil || !strings.Contains(first, "neighbours made; landmarks made") {
			t.Fatal(err, first)
		}
		again, got, err := train(2)
		if err != nil || !strings.Contains(again, "neighbours as they were kept; landmarks as they were kept") || got != want {
			t.Errorf("again: %v\n%s", err, again)
		}
		if out, _, err := train(3); err == nil || strings.Count(out, "is of 2 ranks, and this is a training of 3 ranks") == 0 {
			t.Errorf("three ranks: %v\n%s", err, out)
		}
	})
}

// Ranks that were called otherwise, or read other files, fail together. They name the rank and the difference.
func TestRanksAreCalledAlike(t *testing.T) {
	folder := t.TempDir()
	data := moons(t, folder, 60)
	for k, sigma := range []string{"0.4", "0.5"} {
		args := fmt.Sprintf("train %s -o %s/m%d.lapsvm --sigma %s --gamma-a 1e-3 --gamma-i 1 --neighbours 6 --laplacian-degree 1 --standardise none", data, folder, k, sigma)
		if code, _, stderr := lapsvmRun(t, t.Context(), "", strings.Fields(args)...); code != cli.ExitDone {
			t.Fatal(stderr)
		}
		if err := os.WriteFile(fmt.Sprintf("%s/r%d.json", folder, k), []byte(`{"sigma": `+sigma+`}`), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	train := "train " + data + " -o " + folder + "/new.lapsvm"
	for _, c := range []struct {
		first, second, problem string
		code                   int
	}{
		{"predict " + folder + "/m0.lapsvm " + data, "predict " + folder + "/m1.lapsvm " + data, "rank 1 has another MODEL than rank 0", cli.ExitData},
		{train + " --recipe " + folder + "/r0.json", train + " --recipe " + folder + "/r1.json", "rank 1 has another --recipe than rank 0", cli.ExitData},
		{train, train + " --standardise zscore", "rank 1 has --standardise zscore, and rank 0 auto", cli.ExitUsage},
		{train, train + " --class-weight balanced", "--class-weight", cli.ExitUsage},
		{"graph " + data, train, "start all ranks by one command line", cli.ExitUsage},
	} {
		withMPI(t, func(t *testing.T, mpirun func(ranks int, args string) *exec.Cmd) {
			var stderr bytes.Buffer
			run := mpirun(1, c.first+" : -n 1 lapsvm "+c.second)
			run.Stderr = &stderr
			_ = run.Run()
			if code := run.ProcessState.ExitCode(); code != c.code || !strings.Contains(stderr.String(), c.problem) {
				t.Errorf("%s : %s: code %d, %s", c.first, c.second, code, stderr.String())
			}
			if _, err := os.Stat(folder + "/new.lapsvm"); err == nil {
				t.Error("a model was written")
			}
		})
	}
}
