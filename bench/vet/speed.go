package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/bench/internal/fetch"
	"github.com/heapwright/heapwright/bench/internal/page"
	"github.com/heapwright/heapwright/bench/internal/program"
)

// usage is the cost of one command with all processes that it starts.
type usage struct {
	CPU  float64 // seconds, user and system
	Peak float64 // bytes, of its largest process; NaN where the system does not say
}

// round holds the costs of both commands, with no vet result in the cache and with
// all of them.
type round [2]struct{ Cold, Cached usage }

// sides are the commands that are compared, in the order of a round.
var sides = [2]string{"go vet ./...", "heapwright vet ./..."}

// compare measures on one module and writes the page.
func (s *settings) compare(ctx context.Context, w io.Writer) error {
	path := cmp.Or(s.only, "github.com/prometheus/prometheus")
	all := modules()
	i := slices.IndexFunc(all, func(m module) bool { return strings.HasPrefix(m.name, path+"@") })
	if i < 0 {
		return fmt.Errorf("%s is none of the modules that can be measured; modules.go lists them", path)
	}
	if s.rounds < 1 {
		return fmt.Errorf("-rounds %d: at least one is needed", s.rounds)
	}
	rounds, err := s.measure(ctx, all[i])
	if err != nil {
		return fmt.Errorf("%s: %w", all[i].name, err)
	}
	return speed(w, all[i], rounds)
}

// measure vets a module with both commands in turn, in an order drawn for each round.
//
// Each cold run gets a copy of a build cache with the compiled packages and tests,
// but no result of any vet of them. The run after it uses the same copy, and so finds
// every result.
func (s *settings) measure(ctx context.Context, m module) ([]round, error) {
	dir := filepath.Join(s.out, "speed")
	src := filepath.Join(dir, strings.NewReplacer("/", "_", "@", "_").Replace(m.name))
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	if err := fetch.Module(ctx, m.name, src); err != nil {
		return nil, err
	}
	warm := filepath.Join(dir, "cache")
	if err := s.warm(ctx, src, dir, warm); err != nil {
		return nil, fmt.Errorf("warming the build cache: %w", err)
	}
	random := rand.New(rand.NewPCG(s.seed, 0))
	var all []round
	for i := range s.rounds {
		var r round
		for _, side := range random.Perm(len(sides)) {
			fmt.Fprintf(os.Stderr, "%s: round %d of %d: %s\n", m.name, i+1, s.rounds, sides[side])
			cache := filepath.Join(dir, "run")
			if err := errors.Join(os.RemoveAll(cache), os.CopyFS(cache, os.DirFS(warm))); err != nil {
				return nil, err
			}
			for _, to := range []*usage{&r[side].Cold, &r[side].Cached} {
				var err error
				if *to, err = s.command(ctx, src, cache, side); err != nil {
					return nil, err
				}
			}
		}
		all = append(all, r)
	}
	return all, os.RemoveAll(filepath.Join(dir, "run"))
}

// warm fills a build cache. Both commands run on a package without imports, so that
// the go command knows the tools; list compiles the rest and vets nothing.
func (s *settings) warm(ctx context.Context, src, dir, cache string) error {
	if err := os.RemoveAll(cache); err != nil {
		return err
	}
	empty := filepath.Join(dir, "empty")
	if err := os.MkdirAll(empty, 0o777); err != nil {
		return err
	}
	for name, text := range map[string]string{"go.mod": "module example.org/empty\n", "empty.go": "package empty\n"} {
		if err := os.WriteFile(filepath.Join(empty, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	for side := range sides {
		if _, err := s.command(ctx, empty, cache, side); err != nil {
			return err
		}
	}
	return program.Outside(src).With("GOCACHE="+cache).Run(ctx, "go", "list", "-e", "-export", "-deps", "-test", "-f", "", "./...")
}

// command runs one of the commands. Reports are no failure. Packages that cannot be
// checked are: the commands would do different work.
func (s *settings) command(ctx context.Context, dir, cache string, side int) (usage, error) {
	args := []string{"go", "vet", "./..."}
	if side == 1 {
		args = []string{s.tool, "vet", "-config", "none", "./..."}
	}
	cmd := program.Outside(dir).With("GOCACHE="+cache).Command(ctx, args...)
	cmd.Stderr = nil
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	reports := errors.As(err, &exit) && (side == 0 && exit.ExitCode() == 1 || side == 1 && exit.ExitCode() == 3)
	if err != nil && !reports {
		return usage{}, fmt.Errorf("%s: %w\n%s", sides[side], err, out)
	}
	return usage{program.CPU(cmd.ProcessState), program.PeakRSS(cmd.ProcessState)}, nil
}

// ratio returns the median, the smallest and the largest of heapwright's cost by the
// go command's in the same round.
func ratio(all []round, of func(side int, r round) float64) (middle, least, most float64) {
	var ratios []float64
	for _, r := range all {
		ratios = append(ratios, of(1, r)/of(0, r))
	}
	return program.Median(ratios), slices.Min(ratios), slices.Max(ratios)
}

// bars are the comparisons, and the largest ratio that is allowed of each.
var bars = []struct {
	name  string
	unit  string
	scale float64
	bar   float64 // 0: none
	of    func(side int, r round) float64
}{
	{"CPU, no vet result cached", "s", 1, 2, func(side int, r round) float64 { return r[side].Cold.CPU }},
	{"memory, no vet result cached", "MiB", 1 << 20, 1.5, func(side int, r round) float64 { return r[side].Cold.Peak }},
	{"CPU, all vet results cached", "s", 1, 1.3, func(side int, r round) float64 { return r[side].Cached.CPU }},
	{"memory, all vet results cached", "MiB", 1 << 20, 0, func(side int, r round) float64 { return r[side].Cached.Peak }},
}

// speed writes the page of a measurement.
func speed(w io.Writer, m module, all []round) error {
	var b strings.Builder
	b.WriteString(page.Head("vet", "vet-speed.md", "The cost of vet", fmt.Sprintf(`%s, %d CPUs: %d rounds on %s.

In each round both commands vet the module twice, with a copy of a build cache that holds its compiled packages and
those of its tests, and no result of any vet. The second run finds all results of the first. The order of the commands is
drawn for each round. CPU is the user and system time of the command and all processes that it starts. Memory is the
peak RSS of the largest single process among them, not their sum.

`, page.Platform(), runtime.NumCPU(), len(all), m.name)))
	b.WriteString(page.Columns("cost", "`go vet`, median:", "`heapwright vet`, median:", "ratio:", "smallest – largest:", "bar:", "holds"))
	for _, bar := range bars {
		middle, least, most := ratio(all, bar.of)
		limit, holds := "–", "–"
		if bar.bar > 0 {
			limit, holds = fmt.Sprintf("≤ %.1f ×", bar.bar), "yes"
			if !(middle <= bar.bar) {
				holds = "no"
			}
		}
		b.WriteString(page.Row(bar.name, middling(all, 0, bar.of, bar.scale, bar.unit), middling(all, 1, bar.of, bar.scale, bar.unit),
			fmt.Sprintf("%.2f ×", middle), fmt.Sprintf("%.2f – %.2f", least, most), limit, holds))
	}
	b.WriteString("\nThe rounds, `go vet` before `heapwright vet`:\n\n" + page.Columns("round:", "CPU, none cached, s:", "memory, MiB:", "CPU, all cached, s:", "memory, MiB:"))
	for i, r := range all {
		fmt.Fprintf(&b, "| %d |", i+1)
		for _, bar := range bars {
			fmt.Fprintf(&b, " %.1f, %.1f |", bar.of(0, r)/bar.scale, bar.of(1, r)/bar.scale)
		}
		b.WriteString("\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// middling returns the median cost of one side as text.
func middling(all []round, side int, of func(int, round) float64, scale float64, unit string) string {
	var values []float64
	for _, r := range all {
		values = append(values, of(side, r)/scale)
	}
	return fmt.Sprintf("%.1f %s", program.Median(values), unit)
}
