package paper

import (
	_ "embed"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"sync"
)

// publishedCSV holds the numbers of the tables of Melacci and Belkin, "Laplacian Support Vector
// Machines Trained in the Primal", section 7 and Appendix A, digit for digit; a power of ten is
// written 1e-6. Its method is empty for numbers of a set alone, and pcg where the paper does not
// name the early stop.
//
//go:embed published.csv
var publishedCSV string

// Published is a number of the paper: a mean over its splits and their standard deviation, NaN where it gives none.
type Published struct{ Mean, SD float64 }

// publishedKey says which number of the paper one is.
type publishedKey struct {
	table, set string
	method     Method
	quantity   string
}

var publishedNumbers = sync.OnceValue(func() map[publishedKey]Published {
	numbers, err := parsePublished(publishedCSV)
	if err != nil {
		panic("paper: " + err.Error())
	}
	return numbers
})

// published returns a number of the paper's tables; false where it has none.
func published(table, set string, m Method, quantity string) (Published, bool) {
	p, ok := publishedNumbers()[publishedKey{table, set, m, quantity}]
	return p, ok
}

// parsePublished reads the text of published.csv.
func parsePublished(text string) (map[publishedKey]Published, error) {
	const header = "table,set,method,quantity,mean,sd"
	r := csv.NewReader(strings.NewReader(text))
	r.FieldsPerRecord = strings.Count(header, ",") + 1
	numbers := make(map[publishedKey]Published)
	for first := true; ; first = false {
		record, err := r.Read()
		if err == io.EOF && !first {
			return numbers, nil
		}
		if bad := (*csv.ParseError)(nil); errors.As(err, &bad) {
			return nil, fmt.Errorf("published.csv line %d: %w", bad.Line, bad.Err)
		} else if err != nil {
			return nil, fmt.Errorf("published.csv line 1: %w", err)
		}
		line, _ := r.FieldPos(0)
		if first {
			if strings.Join(record, ",") != header {
				return nil, fmt.Errorf("published.csv line %d: not the header %s", line, header)
			}
			continue
		}
		key := publishedKey{record[0], record[1], Method(record[2]), record[3]}
		if _, twice := numbers[key]; twice {
			return nil, fmt.Errorf("published.csv line %d: %v is there twice", line, key)
		}
		p := Published{SD: math.NaN()}
		if p.Mean, err = strconv.ParseFloat(record[4], 64); err != nil {
			return nil, fmt.Errorf("published.csv line %d: %w", line, err)
		}
		if record[5] != "" {
			if p.SD, err = strconv.ParseFloat(record[5], 64); err != nil {
				return nil, fmt.Errorf("published.csv line %d: %w", line, err)
			}
		}
		numbers[key] = p
	}
}
