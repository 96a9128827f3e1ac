package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// binaries are the cases, built by one toolchain.
type binaries struct {
	stock  string
	arenas string // with GOEXPERIMENT=arenas, for Go's own package only
}

func build(ctx context.Context, dir, toolchain string) (binaries, error) {
	b := binaries{filepath.Join(dir, toolchain), filepath.Join(dir, toolchain+"-arenas")}
	for out, experiment := range map[string]string{b.stock: "", b.arenas: "arenas"} {
		cmd := exec.CommandContext(ctx, "go", "build", "-o", out, "./arena/cases")
		cmd.Env = append(os.Environ(), "GOTOOLCHAIN="+toolchain, "GOEXPERIMENT="+experiment)
		if text, err := cmd.CombinedOutput(); err != nil {
			return b, fmt.Errorf("building with %s: %w\n%srun this command in the directory bench", toolchain, err, text)
		}
	}
	return b, nil
}

// A result is one case, measured.
type result struct {
	work, variant string
	binary        string
	gogc          string
	rounds        int
	cpu           []float64 // seconds per round, one for each run
}

// caseTime is how long a process should run: long against its start, 5 ms.
const caseTime = 300 * time.Millisecond

// measure runs the cases of each work in turns.
func (b binaries) measure(ctx context.Context, runs int, only string) ([]*result, error) {
	results, err := b.list(ctx, only)
	if err != nil {
		return nil, err
	}
	nothing := &result{work: "nothing", binary: b.stock, rounds: 1, gogc: "100"}
	for _, r := range results {
		if err := r.calibrate(ctx); err != nil {
			return nil, err
		}
	}
	var empty []float64
	for range runs {
		order := slices.Clone(results)
		rand.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		d, err := nothing.run(ctx)
		if err != nil {
			return nil, err
		}
		empty = append(empty, d.Seconds())
		for _, r := range order {
			d, err := r.run(ctx)
			if err != nil {
				return nil, err
			}
			r.cpu = append(r.cpu, d.Seconds())
		}
	}
	start := median(empty)
	for _, r := range results {
		for i := range r.cpu {
			r.cpu[i] = max(r.cpu[i]-start, 0) / float64(r.rounds)
		}
	}
	return results, nil
}

// list asks the binaries for their cases; the heap runs with GOGC=off as well.
func (b binaries) list(ctx context.Context, only string) ([]*result, error) {
	var all []*result
	for _, binary := range []string{b.stock, b.arenas} {
		out, err := exec.CommandContext(ctx, binary).Output()
		if err != nil {
			return nil, fmt.Errorf("listing the cases: %w", err)
		}
		for _, name := range strings.Split(strings.TrimSpace(string(out)), "\n") {
			work, variant, _ := strings.Cut(name, "/")
			goarena := variant == "Go's arena"
			if work == "nothing" || !strings.HasPrefix(work, only) || goarena != (binary == b.arenas) {
				continue
			}
			all = append(all, &result{work: work, variant: variant, binary: binary, gogc: "100"})
			if variant == "heap" {
				all = append(all, &result{work: work, variant: variant, binary: binary, gogc: "off"})
			}
		}
	}
	return all, nil
}

// maxOff bounds the rounds of a process that never collects, to fit in memory:
// the largest round allocates 8 MiB.
const maxOff = 20

// calibrate finds the rounds that take about caseTime.
func (r *result) calibrate(ctx context.Context) error {
	for r.rounds = 1; ; {
		d, err := r.run(ctx)
		if err != nil {
			return err
		}
		if d >= caseTime/2 || r.rounds > 1<<30 {
			r.rounds = max(1, int(float64(r.rounds)*caseTime.Seconds()/d.Seconds()))
			break
		}
		r.rounds *= 4
		if r.gogc == "off" && r.work == "tree" && r.rounds > maxOff {
			r.rounds = maxOff
			break
		}
	}
	return nil
}

// run returns the CPU time of one process.
func (r *result) run(ctx context.Context) (time.Duration, error) {
	cmd := exec.CommandContext(ctx, r.binary, r.work+"/"+r.variant, strconv.Itoa(r.rounds))
	cmd.Env = append(os.Environ(), "GOGC="+r.gogc)
	if out, err := cmd.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("case %s/%s: %w\n%s", r.work, r.variant, err, out)
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}

func median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	if n := len(x); n%2 == 0 {
		return (x[n/2-1] + x[n/2]) / 2
	}
	return x[len(x)/2]
}
