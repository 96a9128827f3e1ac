package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/heapwright/heapwright/bench/internal/program"
)

// A cell is one contestant at one work with one version of Go.
type cell struct {
	version, work, contestant string

	runsAs, binary, gogc string
	operations           int
	whole, start         []float64 // CPU seconds of processes with all operations, and with the first only
}

// perOp returns CPU seconds per operation.
func (c *cell) perOp() float64 {
	return (program.Median(c.whole) - program.Median(c.start)) / float64(c.operations)
}

func measure(ctx context.Context, cells []*cell, rounds int, runTime time.Duration, seed uint64) error {
	for _, c := range cells {
		out, _, err := c.run(ctx, "-calibrate", runTime.String())
		if err != nil {
			return err
		}
		if c.operations, err = strconv.Atoi(out); err != nil {
			return fmt.Errorf("calibrate %s by %s: %w", c.work, c.contestant, err)
		}
	}
	checks := map[string]string{}
	random := rand.New(rand.NewPCG(seed, 0))
	for round := range rounds {
		random.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
		for _, c := range cells {
			_, start, err := c.run(ctx, "-n", "0")
			if err != nil {
				return err
			}
			check, whole, err := c.run(ctx, "-n", strconv.Itoa(c.operations))
			if err != nil {
				return err
			}
			if want, ok := checks[c.work]; ok && check != want {
				return fmt.Errorf("%s by %s yields %s, others %s: they do not do the same work", c.work, c.contestant, check, want)
			}
			checks[c.work] = check
			c.start, c.whole = append(c.start, start), append(c.whole, whole)
		}
		fmt.Fprintf(os.Stderr, "round %d of %d\n", round+1, rounds)
	}
	for _, c := range cells {
		if c.perOp() <= 0 {
			return fmt.Errorf("%s by %s: %d operations took no longer than one; raise -run-time", c.work, c.contestant, c.operations)
		}
	}
	return nil
}

// run runs a process and returns its output and its CPU seconds, user and system,
// as the kernel counts them.
func (c *cell) run(ctx context.Context, args ...string) (string, float64, error) {
	cmd := program.In{Env: []string{"GOGC=" + c.gogc, "GODEBUG=", "GOMEMLIMIT=" + c.memory()}}.Command(ctx,
		append([]string{c.binary, "-work", c.work, "-contestant", c.runsAs}, args...)...)
	out, err := cmd.Output()
	if err != nil {
		return "", 0, fmt.Errorf("%s by %s, %s: %w", c.work, c.contestant, c.version, err)
	}
	return strings.TrimSpace(string(out)), program.CPU(cmd.ProcessState), nil
}

func (c *cell) memory() string {
	if c.gogc == "off" {
		return offLimit
	}
	return "off"
}

func machine() string {
	return fmt.Sprintf("%s/%s, %d CPUs", runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
}
