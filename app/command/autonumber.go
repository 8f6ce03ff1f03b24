package command

import (
	"fmt"
	"strconv"
)

// autoNumber is the value of a flag for a number that may be left to the program.
type autoNumber struct {
	value *float64 // nil means auto
	whole bool
}

func (a *autoNumber) String() string {
	if a.value == nil {
		return "auto"
	}
	return strconv.FormatFloat(*a.value, 'g', -1, 64)
}

func (a *autoNumber) Set(text string) error {
	if text == "auto" {
		a.value = nil
		return nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || a.whole && v != float64(int(v)) {
		what := "a number"
		if a.whole {
			what = "a whole number"
		}
		return fmt.Errorf("takes %s or auto, not %q", what, text)
	}
	a.value = &v
	return nil
}

func (a *autoNumber) Type() string {
	if a.whole {
		return "int|auto"
	}
	return "float|auto"
}

// or returns the number, or otherwise where it is auto.
func (a *autoNumber) or(otherwise float64) float64 {
	if a.value == nil {
		return otherwise
	}
	return *a.value
}
