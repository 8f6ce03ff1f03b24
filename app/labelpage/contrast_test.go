package labelpage

import (
	"math"
	"os"
	"regexp"
	"strconv"
	"testing"
)

// Text stands out from every ground it is written on by 4.5 to 1, the edges of fields by 3 to
// 1, light and dark (WCAG 2.2, success criteria 1.4.3 and 1.4.11).
func TestContrast(t *testing.T) {
	text, err := os.ReadFile("web/base.css")
	if err != nil {
		t.Fatal(err)
	}
	colours := make(map[string][2]string)
	for _, m := range regexp.MustCompile(`--([a-z-]+): light-dark\(#([0-9a-f]{6}), #([0-9a-f]{6})\)`).FindAllStringSubmatch(string(text), -1) {
		colours[m[1]] = [2]string{m[2], m[3]}
	}
	every := []string{"ground", "surface", "raised", "sunk", "accent-ground", "warn-ground"}
	for _, pair := range []struct {
		name    string
		grounds []string
		least   float64
	}{
		{"ink", every, 4.5}, {"muted", every, 4.5}, {"faint", every, 4.5}, {"accent", every, 4.5}, {"good", every, 4.5},
		{"warn", every, 4.5}, {"bad", append(every, "bad-ground"), 4.5}, {"on-accent", []string{"accent"}, 4.5},
		{"edge", []string{"ground", "surface", "raised"}, 3},
	} {
		for _, ground := range pair.grounds {
			for k, theme := range []string{"light", "dark"} {
				a, b := luminance(t, colours[pair.name][k]), luminance(t, colours[ground][k])
				if ratio := (max(a, b) + 0.05) / (min(a, b) + 0.05); !(ratio >= pair.least) {
					t.Errorf("%s: %s on %s has a contrast of %.2f, less than %v", theme, pair.name, ground, ratio, pair.least)
				}
			}
		}
	}
}

// luminance is the relative luminance of a colour of six hexadecimal digits, as WCAG 2.2 defines it.
func luminance(t *testing.T, colour string) float64 {
	t.Helper()
	sum := 0.0
	for k, weight := range []float64{0.2126, 0.7152, 0.0722} {
		v, err := strconv.ParseUint(colour[2*k:2*k+2], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		c := float64(v) / 255
		if c <= 0.04045 {
			sum += weight * c / 12.92
		} else {
			sum += weight * math.Pow((c+0.055)/1.055, 2.4)
		}
	}
	return sum
}
