package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/heapwright/heapwright/bench/arena/work"
	"github.com/heapwright/heapwright/bench/internal/program"
)

// takeTurns returns the CPU seconds per operation of each turn, by contestant.
// In each round every contestant has one turn of about the time d. Each round has
// its own random order, so that short-term changes of the machine affect all
// contestants alike.
func takeTurns(all []work.Turn, rounds int, d time.Duration) (map[string][]float64, error) {
	if len(all) == 0 {
		return nil, errors.New("no contestants that can share a process")
	}
	once, n := all[0].Loop(1), operations(all[0].Loop, d)
	took := map[string][]float64{}
	for range rounds {
		rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		for _, t := range all {
			before, err := program.OwnCPU()
			if err != nil {
				return nil, err
			}
			sum := t.Loop(n)
			after, err := program.OwnCPU()
			if err != nil {
				return nil, err
			}
			if sum != uint64(n)*once {
				return nil, fmt.Errorf("%d operations by %s yield %d, want %d", n, t.Name, sum, uint64(n)*once)
			}
			took[t.Name] = append(took[t.Name], (after-before).Seconds()/float64(n))
		}
	}
	return took, nil
}
