package dataset

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"lapsvm/dataset/internal/quote"
)

// TimeOfDay is the kind of a column of times of day, such as 07:45, 07:45:30 and 7:45 PM. The features are the place on a circle of 24
// hours, its cosine and its sine, so that the last minute of a day is near the first. A missing value is that of the mean direction.
const TimeOfDay Kind = "time"

func clockKind() kindRules {
	return kindRules{
		kind: TimeOfDay, version: 7, measured: true,
		counts: func(word string) bool { _, ok := clock(word); return ok },
		all:    func(_ *learner, _ *wordColumn, t *wordTally, present int) bool { return t.all(TimeOfDay, present) },
		learn:  learnClock,
		validate: func(_ *Encoding, c *Column) error {
			if c.Fill < 0 || c.Fill >= secondsPerDay {
				return fmt.Errorf("%g seconds are no time of day", c.Fill)
			}
			return nil
		},
		value: func(_ *Column, x cell) (float64, bool) {
			if x.isNumber() {
				return 0, false
			}
			return clock(x.text)
		},
		width:    func(*Column) int { return 2 },
		features: func(c *Column) []string { return []string{"cos(" + c.Name + ")", "sin(" + c.Name + ")"} },
		encode: func(n *encoder, k, at int) func(row []cell) bool {
			value := TimeOfDay.rules().value
			return func(row []cell) bool {
				seconds, ok := n.value(k, row[k], value)
				for axis, v := range onClock(seconds) {
					if n.sparse {
						v = within(v, -1, 1)
					}
					n.set(at+axis, v)
				}
				return ok
			}
		},
		wrong: func(_ *Column, text string) string {
			return fmt.Sprintf("%s is no time of day such as 07:45, 07:45:30 or 7:45 PM; correct or remove it", quote.Field([]byte(text)))
		},
		describe: func(*Column) string { return "time of day, on a circle of 24 hours" },
		text: func(_ *Column, v float64) string {
			s := int(v)
			return fmt.Sprintf("%02d:%02d:%02d", s/3600, s/60%60, s%60)
		},
	}
}

// learnClock learns the direction of the mean of all places on the circle.
func learnClock(l *learner, c *Column, j, _ int) error {
	var mine [2]coordinate
	for axis := range mine {
		mine[axis].Low, mine[axis].High = 1, -1
	}
	for i := range l.rows {
		if seconds, ok := clock(l.cell(i, j).text); ok {
			for axis, v := range onClock(seconds) {
				mine[axis].add(coordinate{int64(math.Round(v * 0x1p32)), v, v})
			}
		}
	}
	all, err := All(l.origin.Ranks, mine)
	if err != nil {
		return err
	}
	sum := all[0]
	for _, part := range all[1:] {
		for axis := range sum {
			sum[axis].add(part[axis])
		}
	}
	if sum[0].Low >= sum[0].High && sum[1].Low >= sum[1].High {
		c.drop("it is constant")
		return nil
	}
	seconds := math.Round(math.Atan2(float64(sum[1].Sum), float64(sum[0].Sum)) / (2 * math.Pi) * secondsPerDay)
	c.Fill = unsigned(math.Mod(seconds+secondsPerDay, secondsPerDay))
	return nil
}

// onClock returns the place of a time of day, in seconds, on the circle.
func onClock(seconds float64) [2]float64 {
	sine, cosine := sines(seconds / 240) // seconds in a degree
	return [2]float64{cosine, sine}
}

// clock reads a time of day: h:mm, h:mm:ss or with a fraction of the second, up to 24:00, or up to twelve hours with am or pm. It returns
// seconds.
func clock(s string) (seconds float64, ok bool) {
	s = strings.Trim(s, " \t")
	const shortest, longest = len("7pm"), len("12:34:56.123456789 p.m.")
	if len(s) < shortest || len(s) > longest || s[0] < '0' || s[0] > '9' {
		return 0, false
	}
	half := ""
	if end := strings.LastIndexAny(s, "0123456789") + 1; end < len(s) {
		half = strings.ToLower(strings.ReplaceAll(strings.TrimLeft(s[end:], " "), ".", ""))
		if s = s[:end]; half != "am" && half != "pm" {
			return 0, false
		}
	}
	hours, rest, minutes := strings.Cut(s, ":")
	if !minutes && half == "" {
		return 0, false
	}
	h, ok := count(hours, 1, 24)
	if half != "" {
		if !ok || h < 1 || h > 12 {
			return 0, false
		}
		if h %= 12; half == "pm" {
			h += 12
		}
	}
	m, sec := 0, 0.0
	if minutes {
		text, more, seconds := strings.Cut(rest, ":")
		var fits bool
		if m, fits = count(text, 2, 59); !fits {
			return 0, false
		}
		if seconds {
			whole, fraction, has := strings.Cut(strings.Replace(more, ",", ".", 1), ".")
			if _, fits = count(whole, 2, 59); !fits || has && (fraction == "" || strings.Trim(fraction, "0123456789") != "") {
				return 0, false
			}
			if has {
				whole += "." + fraction
			}
			sec, _ = strconv.ParseFloat(whole, 64)
		}
	}
	seconds = float64(3600*h+60*m) + sec
	if seconds == secondsPerDay && half == "" {
		return 0, ok // the end of the day
	}
	return seconds, ok && seconds < secondsPerDay
}

// count reads a whole number of two digits, or of least digits at least, up to most.
func count(s string, least, most int) (int, bool) {
	if len(s) < least || len(s) > 2 || strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return n, err == nil && n <= most
}
