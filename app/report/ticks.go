package report

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
)

// linearTicks returns round values between low and high, at most one more than
// most of them.
func linearTicks(low, high float64, most int) []plot.Tick {
	raw := (high - low) / float64(most)
	step := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, m := range []float64{1, 2, 5, 10} {
		if m*step >= raw*(1-1e-9) {
			step *= m
			break
		}
	}
	var ticks []plot.Tick
	slack := 1e-9 * (high - low)
	first := math.Ceil((low - slack) / step)
	for k := range most + 1 {
		v := (first + float64(k)) * step
		if v > high+slack {
			break
		}
		if math.Abs(v) < step/2 {
			v = 0
		}
		ticks = append(ticks, plot.Tick{Value: min(max(v, low), high), Label: number(v, step, max(math.Abs(low), math.Abs(high)))})
	}
	return ticks
}

// number writes a multiple of step on an axis that goes up to largest.
func number(v, step, largest float64) string {
	decimals := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	if v == 0 {
		return "0"
	}
	if decimals <= 4 && largest < 1e6 {
		return strconv.FormatFloat(v, 'f', decimals, 64)
	}
	digits := max(1, int(math.Ceil(math.Log10(largest/step)+1e-9))+1)
	short := strconv.FormatFloat(v, 'e', min(digits, 15), 64)
	mantissa, exponent, _ := strings.Cut(short, "e")
	mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
	return mantissa + "e" + power(exponent)
}

// power writes an exponent of ten without plus sign and leading zeros.
func power(exponent string) string {
	k, _ := strconv.Atoi(exponent)
	return strconv.Itoa(k)
}

// logTicks returns round values between low and high for a logarithmic axis:
// powers of ten with a label, and ticks without a label between them. In less
// than two decades the ticks are 1, 2 and 5 times powers of ten. Where fewer
// than two of these are in range, the ticks are those of a linear axis.
func logTicks(low, high float64) []plot.Tick {
	from, to := math.Log10(low)-1e-9, math.Log10(high)+1e-9
	if to-from < 2 {
		var ticks []plot.Tick
		for k := math.Floor(from); k <= to; k++ {
			for _, m := range []float64{1, 2, 5} {
				if at := k + math.Log10(m); at >= from && at <= to {
					ticks = append(ticks, plot.Tick{Value: m * math.Pow(10, k), Label: decimal(m, int(k))})
				}
			}
		}
		if len(ticks) >= 2 {
			return ticks
		}
		return linearTicks(low, high, 5)
	}
	first, last := int(math.Ceil(from)), int(math.Floor(to))
	const most = 7
	stride := (last-first)/most + 1
	var ticks []plot.Tick
	for k := first - 1; k <= last; k++ {
		if (k-first)%stride == 0 && k >= first {
			ticks = append(ticks, plot.Tick{Value: math.Pow(10, float64(k)), Label: decimal(1, k)})
		}
		for m := 2.0; m < 10 && last-first <= 4; m++ {
			if at := float64(k) + math.Log10(m); at >= from && at <= to {
				ticks = append(ticks, plot.Tick{Value: m * math.Pow(10, float64(k))})
			}
		}
	}
	slices.SortFunc(ticks, func(a, b plot.Tick) int { return int(math.Copysign(1, a.Value-b.Value)) })
	return ticks
}

// decimal writes m·10ᵏ, m a digit.
func decimal(m float64, k int) string {
	if k >= -2 && k <= 3 {
		return strconv.FormatFloat(m*math.Pow(10, float64(k)), 'f', max(0, -k), 64)
	}
	return strconv.FormatFloat(m, 'f', 0, 64) + "e" + strconv.Itoa(k)
}
