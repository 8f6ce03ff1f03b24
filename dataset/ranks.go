package dataset

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"math"
	"slices"

	"lapsvm/internal/ranks/comm"
)

// Ranks are processes that read a data set together: each reads rows of its own, which follow
// those of the rank before it. What is learnt is learnt from the rows of all. Nil is a process
// alone. All ranks make the same calls in the same order.
type Ranks struct {
	ctx  context.Context
	comm *comm.Comm
}

// NewRanks returns the ranks of c, which read until ctx is done; nil where there is one.
func NewRanks(ctx context.Context, c *comm.Comm) *Ranks {
	if c.Alone() {
		return nil
	}
	return &Ranks{ctx, c}
}

// Rank returns the number of this rank.
func (r *Ranks) Rank() int {
	if r == nil {
		return 0
	}
	return r.comm.Rank()
}

// Size returns the number of ranks.
func (r *Ranks) Size() int {
	if r == nil {
		return 1
	}
	return r.comm.Size()
}

// Err returns why ranks do not read on, nil while they do.
func (r *Ranks) Err() error {
	if r == nil {
		return nil
	}
	return r.ctx.Err()
}

// Part returns which part of rows is this rank's, where all know the number of all.
func (r *Ranks) Part() Part { return Part{r.Rank(), r.Size()} }

// All returns what each of the ranks gives, in their order: anything that JSON keeps.
func All[T any](r *Ranks, own T) ([]T, error) {
	if r == nil {
		return []T{own}, nil
	}
	text, err := json.Marshal(own)
	if err != nil {
		return nil, err
	}
	texts, err := r.comm.Gather(r.ctx, text)
	if err != nil {
		return nil, err
	}
	return decoded[T](texts)
}

// decoded returns what ranks have sent.
func decoded[T any](texts [][]byte) ([]T, error) {
	all := make([]T, len(texts))
	for k, text := range texts {
		if err := json.Unmarshal(text, &all[k]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// Settle has ranks agree on how reading went on, each of which has read so many rows or
// failed. All return the rows of all ranks, or the error of the lowest rank that has one: what
// is wrong first. An error that is among sentinels is returned as that sentinel.
func (r *Ranks) Settle(rows int, err error, sentinels ...error) (total int, first error) {
	if r == nil {
		return rows, err
	}
	all, other := All(r, newOutcome(rows, err, sentinels))
	if other != nil {
		return 0, other
	}
	for k, o := range all {
		if o.Failed && k == r.comm.Rank() {
			return 0, err
		}
		if o.Failed {
			return 0, o.err(sentinels)
		}
		total += o.Rows
	}
	return total, nil
}

// before returns the sum of the numbers that the ranks below this one give, and of all.
func (r *Ranks) before(own int) (before, total int, err error) {
	all, err := All(r, own)
	for k, n := range all {
		if k < r.Rank() {
			before += n
		}
		total += n
	}
	return before, total, err
}

// sum replaces numbers by the sums of all ranks.
func (r *Ranks) sum(x ...*int) error {
	own := make([]int, len(x))
	for k, v := range x {
		own[k] = *v
		*v = 0
	}
	all, err := All(r, own)
	for _, other := range all {
		for k, v := range other {
			*x[k] += v
		}
	}
	return err
}

// nth returns element n[k] of the sorted numbers k of all ranks, for each k.
func (r *Ranks) nth(sorted [][]float64, n []int) ([]float64, error) {
	if r == nil {
		return (*comm.Comm)(nil).Nth(context.Background(), sorted, n)
	}
	return r.comm.Nth(r.ctx, sorted, n)
}

// exchanged sends parts[r] to every rank r and returns the parts that all ranks send to this one,
// in the order of the ranks. Parts travel as JSON.
func exchanged[T any](r *Ranks, parts []T) ([]T, error) {
	to := make([][]byte, len(parts))
	for k, part := range parts {
		var err error
		if to[k], err = json.Marshal(part); err != nil {
			return nil, err
		}
	}
	texts, err := r.comm.AllToAll(r.ctx, to)
	if err != nil {
		return nil, err
	}
	return decoded[T](texts)
}

// owner returns the rank that counts a value of a hash.
func (r *Ranks) owner(hash uint64) int { return int(hash % uint64(r.Size())) }

// distinct returns how many different ones there are among the numbers and words of all ranks.
// The words of a rank differ. Each rank counts those whose hash falls to it, of words by
// 16 bytes of their SHA-256. Cost: what is sent, 8 bytes a number and 16 a word.
func (r *Ranks) distinct(numbers []float64, words []string) (int, error) {
	numbers = slices.Clone(numbers)
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	if r == nil {
		return len(numbers) + len(words), nil
	}
	to := make([][]byte, r.Size())
	for _, v := range numbers {
		bits := math.Float64bits(unsigned(v))
		to[r.owner(mixed(bits))] = binary.LittleEndian.AppendUint64(to[r.owner(mixed(bits))], bits)
	}
	got, err := r.comm.AllToAll(r.ctx, to)
	if err != nil {
		return 0, err
	}
	count := different(got, 8)
	clear(to)
	for _, word := range words {
		hash := sha256.Sum256([]byte(word))
		owner := r.owner(binary.LittleEndian.Uint64(hash[:]))
		to[owner] = append(to[owner], hash[:hashBytes]...)
	}
	if got, err = r.comm.AllToAll(r.ctx, to); err != nil {
		return 0, err
	}
	count += different(got, hashBytes)
	err = r.sum(&count)
	return count, err
}

// hashBytes of a word tell it from others.
const hashBytes = 16

// different counts the different records of so many bytes.
func different(parts [][]byte, size int) int {
	var records [][]byte
	for _, part := range parts {
		for at := 0; at < len(part); at += size {
			records = append(records, part[at:at+size])
		}
	}
	slices.SortFunc(records, bytes.Compare)
	return len(slices.CompactFunc(records, bytes.Equal))
}

// mixed spreads the bits of a number.
func mixed(bits uint64) uint64 {
	bits ^= bits >> 32
	bits *= 0x9e3779b97f4a7c15
	return bits ^ bits>>29
}

// unsigned returns 0 for −0.
func unsigned(v float64) float64 {
	if v == 0 {
		return 0
	}
	return v
}
