package fault

import "strings"

// Nearest returns the word that begins with text, or the word of the most similar
// spelling. One letter of three may be wrong, and one letter of a shorter word.
// Among equally near words one with the same first letter wins. It returns "" where
// no word is near.
func Nearest(text string, words []string) string {
	best, least := "", 2+2*max(1, len([]rune(text))/3)
	for _, word := range words {
		cost := 2 * editDistance(text, word)
		if word != "" && !strings.HasPrefix(text, word[:1]) {
			cost++
		}
		if len(text) >= 2 && strings.HasPrefix(word, text) {
			cost = 0
		}
		if cost < least {
			best, least = word, cost
		}
	}
	return best
}

// editDistance returns the least number of steps that turn a into b. A step inserts,
// deletes or replaces a letter, or swaps it with the next one.
func editDistance(a, b string) int {
	x, y := []rune(strings.ToLower(a)), []rune(strings.ToLower(b))
	var before []int
	last, row := make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := range x {
		row[0] = i + 1
		for j := range y {
			replace := last[j]
			if x[i] != y[j] {
				replace++
			}
			row[j+1] = min(replace, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && x[i] == y[j-1] && x[i-1] == y[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, make([]int, len(y)+1)
	}
	return last[len(y)]
}
