// Every measurement is kept for a history that nobody reads.
package main

import (
	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

type reading struct {
	sensor string
	values [6]float64
}

type station struct {
	history []reading
	last    reading
}

func (s *station) record(r reading) {
	s.last = r
	s.history = append(s.history, r) // want: unbounded-growth
}

func main() {
	s := &station{}
	i := 0
	harness.Run(func() {
		for range 2000 {
			i++
			s.record(reading{"roof", [6]float64{float64(i), 1, 2, 3, 4, 5}})
			for j := range s.last.values {
				for k := range 200 {
					s.last.values[j] = s.last.values[j]*0.99 + float64(k)
				}
			}
		}
	})
}
