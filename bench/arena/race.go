package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/heapwright/heapwright/bench/arena/work"
	"github.com/heapwright/heapwright/bench/internal/program"
)

// A race compares contestants that take turns in one process, with memory at
// the same offsets in its pages. It shows differences of a few percent, which
// between processes are lost in noise. The remaining noise is the placement of
// code by the linker: each layout is the same program with its functions in
// another order.
type race struct {
	version, work string
	layouts       []layout
}

// A layout holds, of each contestant and process, the median turn: its CPU
// seconds per operation, and a multiple of the floor in the same round.
type layout struct {
	binary      string
	took, times map[string][]float64
}

// raced are the works that have races, and their titles.
var raced = []struct{ title, work string }{
	{"8 clones of 256 B", work.Clones8x256},
	{"1 clone of 4 KiB", work.Clones1x4K},
	{"32 clones of 4 KiB", work.Clones32x4K},
}

// racers are those beside the floor.
var racers = []string{work.Cursor, work.Handle, work.Ours}

// turns is how many each contestant has in a process.
const turns = 40

// buildRaces builds n layouts, if there is a race whose name contains only.
func buildRaces(ctx context.Context, dir, version, only string, n int) ([]*race, error) {
	var races []*race
	for _, r := range raced {
		if strings.Contains(r.work, only) {
			races = append(races, &race{version: version, work: r.work})
		}
	}
	for i := range n {
		if len(races) == 0 {
			break
		}
		binary := filepath.Join(dir, fmt.Sprintf("%s-layout%d.exe", version, i+1))
		if err := buildWorker(ctx, binary, version, "", fmt.Sprintf("-ldflags=-randlayout=%d", i+1)); err != nil {
			return nil, err
		}
		for _, r := range races {
			r.layouts = append(r.layouts, layout{binary, map[string][]float64{}, map[string][]float64{}})
		}
	}
	return races, nil
}

// runRaces runs, each round, every layout once, in random order.
func runRaces(ctx context.Context, races []*race, rounds int, runTime time.Duration, seed uint64) error {
	type start struct {
		*race
		layout
	}
	var starts []start
	for _, r := range races {
		for _, l := range r.layouts {
			starts = append(starts, start{r, l})
		}
	}
	random := rand.New(rand.NewPCG(seed, 1))
	for round := range rounds {
		random.Shuffle(len(starts), func(i, j int) { starts[i], starts[j] = starts[j], starts[i] })
		for _, s := range starts {
			if err := s.run(ctx, s.race, runTime); err != nil {
				return err
			}
		}
		fmt.Fprintf(os.Stderr, "races, round %d of %d\n", round+1, rounds)
	}
	return nil
}

// run runs one process and adds its medians.
func (l layout) run(ctx context.Context, r *race, runTime time.Duration) error {
	c := cell{version: r.version, work: r.work, contestant: "turns", runsAs: "turns", binary: l.binary, gogc: "100"}
	turnTime := runTime / time.Duration(turns*(len(racers)+1))
	out, _, err := c.run(ctx, "-turns", fmt.Sprint(turns), "-turn-time", turnTime.String())
	if err != nil {
		return err
	}
	var took map[string][]float64
	if err := json.Unmarshal([]byte(out), &took); err != nil {
		return fmt.Errorf("%s by turns, %s: %w", r.work, r.version, err)
	}
	for name, turns := range took {
		times := slices.Clone(turns)
		for i := range times {
			times[i] /= took[work.Floor][i]
		}
		l.took[name] = append(l.took[name], program.Median(turns))
		l.times[name] = append(l.times[name], program.Median(times))
	}
	return nil
}
