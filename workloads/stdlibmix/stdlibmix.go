// Package stdlibmix is a workload of everyday work with the standard library:
// JSON, compression, regular expressions, maps, trees, strings and sorting.
//
// Each benchmark is one operation that a service does all day, on data that is
// the same in every run. It has no variants. It is the corpus on which compare's
// honesty is measured: comparisons of a binary with itself, each of which must
// come out as no difference.
//
// Its memory behaviour is mixed on purpose, because the noise of a benchmark
// depends on it: JSON and formatting make short-lived garbage, the maps and the
// tree are full of pointers or free of them, compression and regular
// expressions reuse most of their memory, and sorting allocates nothing. Live
// heaps are below 10 MiB.
//
// Expected: no difference between identical binaries. Across modes, GOGC=400
// saves about a quarter of the CPU of MapOfStrings and a tenth of the CPU of other
// garbage-heavy benchmarks (go1.26.8, linux/amd64); Sort and Deflate do not change.
package stdlibmix

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// seed makes the data the same in every run. Any number would do.
const seed = 20

// newRand returns a generator that starts at the seed.
func newRand() *rand.Rand { return rand.New(rand.NewPCG(seed, seed)) }

// order is a document as a shop's API exchanges it.
type order struct {
	ID       uint64            `json:"id"`
	Customer customer          `json:"customer"`
	Items    []item            `json:"items"`
	Labels   map[string]string `json:"labels"`
	Paid     bool              `json:"paid"`
	Note     *string           `json:"note,omitempty"`
}

type customer struct {
	Name  string `json:"name"`
	Email string `json:"email"`
	City  string `json:"city"`
}

type item struct {
	SKU      string  `json:"sku"`
	Quantity int     `json:"quantity"`
	Price    float64 `json:"price"`
}

// orders returns n orders.
func orders(n int) []order {
	r := newRand()
	all := make([]order, n)
	for i := range all {
		name := word(r)
		o := order{
			ID:       r.Uint64(),
			Customer: customer{Name: name, Email: name + "@example.com", City: word(r)},
			Labels:   map[string]string{"channel": word(r), "warehouse": word(r)},
			Paid:     r.IntN(2) == 0,
		}
		for range 1 + r.IntN(8) {
			o.Items = append(o.Items, item{SKU: word(r), Quantity: 1 + r.IntN(9), Price: float64(r.IntN(10000)) / 100})
		}
		if r.IntN(4) == 0 {
			note := sentence(r, 12)
			o.Note = &note
		}
		all[i] = o
	}
	return all
}

// word returns a pronounceable word of two to four syllables.
func word(r *rand.Rand) string {
	const consonants, vowels = "bdfgklmnprstvz", "aeiou"
	var b strings.Builder
	for range 2 + r.IntN(3) {
		b.WriteByte(consonants[r.IntN(len(consonants))])
		b.WriteByte(vowels[r.IntN(len(vowels))])
	}
	return b.String()
}

// sentence returns n words.
func sentence(r *rand.Rand, n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = word(r)
	}
	return strings.Join(words, " ")
}

// accessLog returns n lines of a web server's log.
func accessLog(n int) []byte {
	r := newRand()
	// Few paths, as in a real log: their repetition is what deflate works on.
	paths := make([]string, 200)
	for i := range paths {
		paths[i] = "/" + word(r) + "/" + word(r)
	}
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "10.%d.%d.%d - - [12/Mar/2026:10:%02d:%02d +0000] \"GET %s HTTP/1.1\" %d %d \"%s\"\n",
			r.IntN(4), r.IntN(256), r.IntN(256), i/60%60, i%60, paths[r.IntN(len(paths))],
			[]int{200, 200, 200, 304, 404, 500}[r.IntN(6)], r.IntN(50000), sentence(r, 3))
	}
	return []byte(b.String())
}
