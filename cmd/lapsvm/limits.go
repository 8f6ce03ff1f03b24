package main

import (
	"runtime"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"lapsvm"
)

// threadsEach is how many threads there are at most for each processor.
const threadsEach = 4

// limitThreads lets the command's context have the limit of --threads.
func limitThreads(c *cobra.Command) error {
	n, err := c.Flags().GetInt("threads")
	switch {
	case err != nil:
		return nil // this command has no such flag
	case n < 0:
		return usagef("--threads must be positive, not %d", n)
	}
	// More than a few threads for each processor only take memory.
	c.SetContext(lapsvm.WithThreads(c.Context(), min(n, threadsEach*runtime.GOMAXPROCS(0))))
	return nil
}

// memoryBudget parses a size such as 8GB; empty is 80 % of the free memory.
func memoryBudget(text string) (int64, error) {
	if text == "" {
		return freeMemory() / 10 * 8, nil
	}
	number, unit := strings.ToUpper(strings.TrimSpace(text)), int64(1)
	for suffix, bytes := range map[string]int64{"KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30, "TB": 1 << 40} {
		if strings.HasSuffix(number, suffix) {
			number, unit = strings.TrimSpace(strings.TrimSuffix(number, suffix)), bytes
			break
		}
	}
	v, err := strconv.ParseFloat(number, 64)
	if err != nil || !(v > 0) || v*float64(unit) > 1<<62 {
		return 0, usagef("--memory takes a size such as 500MB or 8GB, not %q", text)
	}
	return int64(v * float64(unit)), nil
}
