package matrix

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/heapwright/heapwright/workloads/program/cure"
)

// catalog has titles of two to four titles of syllables.
func catalog(n int) []string {
	r := rand.New(rand.NewPCG(4, 1))
	titles := make([]string, n)
	for i := range titles {
		var t []byte
		for range 1 + r.IntN(2) {
			if len(t) > 0 {
				t = append(t, ' ')
			}
			for range 2 + r.IntN(4) {
				t = append(t, "bcdfghklmnprstvz"[r.IntN(16)], "aeiou"[r.IntN(5)])
				if r.IntN(3) == 0 {
					t = append(t, "lnrs"[r.IntN(4)])
				}
			}
		}
		titles[i] = string(t)
	}
	return titles
}

// mistyped returns one of the titles with a few slips.
func mistyped(r *rand.Rand, titles []string) string {
	w := []byte(titles[r.IntN(len(titles))])
	for range 1 + r.IntN(3) {
		at := r.IntN(len(w) - 1)
		switch r.IntN(4) {
		case 0:
			w[at], w[at+1] = w[at+1], w[at]
		case 1:
			w[at] = "aeiourstln"[r.IntN(10)]
		case 2:
			w = slices.Insert(w, at, w[at])
		case 3:
			w = slices.Delete(w, at, at+1)
		}
	}
	return string(w)
}

// BenchmarkNearest looks for one title among those that begin alike.
func BenchmarkNearest(b *testing.B) {
	const alike = 500
	titles := catalog(40_000)
	r := rand.New(rand.NewPCG(4, 2))
	queries := make([]string, 256)
	for i := range queries {
		queries[i] = mistyped(r, titles)
	}
	nearest := cure.Built(before, after)
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		from := n * alike % len(titles)
		nearest(titles[from:from+alike], queries[n%len(queries)])
		n++
	}
}

func TestSame(t *testing.T) {
	titles := catalog(500)
	r := rand.New(rand.NewPCG(4, 3))
	edits := map[int]int{}
	for range 100 {
		query := mistyped(r, titles)
		titleA, a := before(titles, query)
		titleB, b := after(titles, query)
		if titleA != titleB || a != b {
			t.Errorf("%s: %s, %d before, %s, %d after", query, titleA, a, titleB, b)
		}
		edits[a]++
	}
	if edits[1] == 0 || edits[2] == 0 || edits[1] == 100 {
		t.Errorf("titles by their edits: %v", edits)
	}
	if w, d := after([]string{"carton", "cotton", "cat"}, "catron"); w != "carton" || d != 1 {
		t.Errorf("catron: %s, %d", w, d)
	}
	if w, d := after(nil, "x"); w != "" || d != -1 {
		t.Errorf("no titles: %q, %d", w, d)
	}
}
