package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"lapsvm/dataset"
	"lapsvm/internal/system/fault"
	"lapsvm/internal/system/regular"
)

// call is what a rank was told to do: values of flags, and hashes of files, by the names of flags and arguments.
type call struct {
	Command      string
	Arguments    int
	Flags, Files map[string]string
}

// own reports whether each rank has a value of a flag for itself: of what its machine gives, or of what rank 0 alone prints.
func own(flag string) bool {
	return slices.Contains([]string{"threads", "memory", "progress", "quiet", "json", "mpi", "verbose"}, flag)
}

// sampled reports whether a reader compares a file between ranks by itself, in part, as it may be large.
func sampled(name string) bool {
	return strings.HasPrefix(name, "DATA") || strings.HasPrefix(name, "IMAGES") || name == "--word-vectors"
}

// callOf returns the call of this rank. What a file holds counts, and not its name. A file that cannot be read has no hash: the reader says why.
func callOf(ctx context.Context, c *cobra.Command, args []string) call {
	all := call{Command: c.CommandPath(), Arguments: len(args), Flags: map[string]string{}, Files: map[string]string{}}
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if u, isFile := flagUse(c.Name(), f.Name); (!isFile || slices.Contains(u.words, f.Value.String())) && !own(f.Name) {
			all.Flags["--"+f.Name] = f.Value.String()
		}
	})
	for k, f := range namedFiles(c, args, nil) {
		if f.writes || f.folder || sampled(f.name) {
			continue
		}
		name := f.name
		if _, twice := all.Files[name]; twice {
			name = fmt.Sprintf("%s %d", name, k+1)
		}
		all.Files[name] = fileHash(ctx, f.path)
	}
	return all
}

// fileHash returns the SHA-256 of a regular file, "" for any other.
func fileHash(ctx context.Context, path string) string {
	f, _, err := regular.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil || ctx.Err() != nil {
		return ""
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// agree fails on all ranks where they were not told to do the same with the same files: rank 0 would decide for all, or each would do
// another part of another work. Cost: one pass over the files of models, recipes, labels and edges.
func (r *ranks) agree(c *cobra.Command, args []string) error {
	calls, err := dataset.All(dataset.NewRanks(c.Context(), r.comm), callOf(c.Context(), c, args))
	if err != nil {
		return err
	}
	for rank, its := range calls {
		first := calls[0]
		switch {
		case its.Command != first.Command:
			return Usagef("rank %d runs %s, and rank 0 %s: start all ranks by one command line", rank, its.Command, first.Command)
		case its.Arguments != first.Arguments:
			return Usagef("rank %d has %d arguments, and rank 0 has %d: start all ranks by one command line", rank, its.Arguments, first.Arguments)
		}
		if name := differing(first.Flags, its.Flags); name != "" {
			return Usagef("rank %d has %s %s, and rank 0 %s: start all ranks by one command line", rank, name, Quoted(its.Flags[name]), Quoted(first.Flags[name]))
		}
		if name := differing(first.Files, its.Files); name != "" {
			return BadData(fault.Errorf("rank %d has another %s than rank 0: give all ranks the same file", rank, name))
		}
	}
	return nil
}

// differing returns the first name whose values differ, "" for none.
func differing(a, b map[string]string) string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if b[name] != a[name] {
			return name
		}
	}
	return ""
}
