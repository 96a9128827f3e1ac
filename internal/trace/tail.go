package trace

import (
	"maps"
	"math"
	"math/bits"
	"slices"
)

// quantiles that a document holds.
var quantiles = [...]float64{0.5, 0.9, 0.99, 0.999, 1}

// payQuantile is the tail whose lines are counted separately.
const payQuantile = 0.99

// subBits are the bits of a length that a bucket keeps after the first: 64
// buckets for each power of two, so that a length is known to 1.6%.
const subBits = 6

// maxPays bounds the entries of lines in all buckets; see bucket.pays.
const maxPays = 1 << 17

// bucket holds the lengths that agree in their first bits.
type bucket struct {
	count, total int64
	parts        Parts
	pays         map[int32]int64 // line → the loss in it
}

// tail is a histogram of lengths and of their lengths without the collector.
type tail struct {
	buckets map[int]*bucket
	without map[int]*bucket
	pays    int
}

func newTail() *tail { return &tail{buckets: map[int]*bucket{}, without: map[int]*bucket{}} }

// place returns the number of the bucket of a length.
func place(length int64) int {
	v := uint64(max(length, 0))
	n := bits.Len64(v)
	if n <= subBits+1 {
		return int(v)
	}
	shift := n - subBits - 1
	return (shift << subBits) + int(v>>shift)
}

func in(all map[int]*bucket, length int64) *bucket {
	n := place(length)
	b := all[n]
	if b == nil {
		b = new(bucket)
		all[n] = b
	}
	b.count++
	b.total += length
	return b
}

// pay is the loss of one line in one burst.
type pay struct {
	line int32
	time int64
}

// add adds a length, the collector's part of it, and who paid.
func (t *tail) add(length int64, parts Parts, pays []pay) {
	length = max(length, 0)
	b := in(t.buckets, length)
	b.parts.add(parts)
	for _, p := range pays {
		if _, known := b.pays[p.line]; !known {
			if t.pays >= maxPays {
				continue
			}
			t.pays++
			if b.pays == nil {
				b.pays = map[int32]int64{}
			}
		}
		b.pays[p.line] += p.time
	}
	in(t.without, max(length-parts.Sum(), 0))
}

// sum returns the distribution, and the loss of each line in its tail.
func (t *tail) sum() (Tail, map[int32]int64) {
	var out Tail
	for _, b := range t.buckets {
		out.Count += b.count
		out.Total += b.total
		out.Parts.add(b.parts)
	}
	paid := map[int32]int64{}
	if out.Count == 0 {
		return out, paid
	}
	order := slices.Sorted(maps.Keys(t.buckets))
	for _, q := range quantiles {
		from := find(t.buckets, order, out.Count, q)
		at := t.buckets[order[from]]
		quantile := Quantile{Q: q, Length: at.total / at.count}
		for _, n := range order[from:] {
			b := t.buckets[n]
			quantile.Count += b.count
			quantile.Total += b.total
			quantile.Parts.add(b.parts)
			if q == payQuantile {
				for line, time := range b.pays {
					paid[line] += time
				}
			}
		}
		others := slices.Sorted(maps.Keys(t.without))
		b := t.without[others[find(t.without, others, out.Count, q)]]
		quantile.Without = min(b.total/b.count, quantile.Length) // a bucket is wider than a small part
		out.Quantiles = append(out.Quantiles, quantile)
	}
	return out, paid
}

// find returns where in order the bucket is that holds quantile q of n lengths,
// by nearest rank.
func find(all map[int]*bucket, order []int, n int64, q float64) int {
	rank := max(int64(math.Ceil(q*float64(n))), 1)
	for i, place := range order {
		if rank -= all[place].count; rank <= 0 {
			return i
		}
	}
	return len(order) - 1
}
