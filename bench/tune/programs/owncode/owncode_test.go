// Package owncode computes: nearly all of its CPU goes to one function of its
// own, which allocates one row at each call.
package owncode

import "testing"

// distance is Levenshtein's: the function to look at.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := before
			if a[i] != b[j] {
				cost = min(before, row[j], row[j+1]) + 1
			}
			before, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}

var sum int

func BenchmarkDistance(b *testing.B) {
	x, y := make([]byte, 300), make([]byte, 300)
	for i := range x {
		x[i], y[i] = byte('a'+i*i%26), byte('a'+i*7%26)
	}
	for b.Loop() {
		sum += distance(string(x), string(y))
	}
}
