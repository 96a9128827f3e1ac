// Package suggest finds the word that a user probably meant.
package suggest

import "strings"

// Nearest returns the candidate most like the text, case aside, or "" if none
// is like it: more than a third of its letters would have to change, and
// neither begins with the other. Such a beginning counts as one changed letter, and
// of candidates that are as near the one with fewest changed letters is meant.
func Nearest(text string, candidates []string) string {
	text = strings.ToLower(text)
	best, least, letters := "", max(1, len(text)/3)+1, 0
	for _, c := range candidates {
		low := strings.ToLower(c)
		changed := distance(text, low)
		d := changed
		if min(len(text), len(low)) >= 3 && (strings.HasPrefix(text, low) || strings.HasPrefix(low, text)) {
			d = min(d, 1)
		}
		if d < least || d == least && changed < letters {
			best, least, letters = c, d, changed
		}
	}
	return best
}

// distance is the Levenshtein distance in bytes, where two neighbours that have
// changed places are one mistake.
func distance(a, b string) int {
	var before, last []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before, last, row = last, row, make([]int, len(b)+1)
		row[0] = i + 1
		for j := range len(b) {
			substitute := last[j]
			if a[i] != b[j] {
				substitute++
			}
			row[j+1] = min(substitute, row[j]+1, last[j+1]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return row[len(b)]
}
