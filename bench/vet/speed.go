package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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
func (s *settings) compare(ctx context.Context, only *regexp.Regexp) error {
	if only.String() == "" {
		only = regexp.MustCompile(`^github\.com/prometheus/prometheus@`)
	}
	all := modules()
	i := slices.IndexFunc(all, func(m module) bool { return only.MatchString(m.name) })
	if i < 0 {
		return fmt.Errorf("%v matches none of the modules that can be measured; modules.go lists them", only)
	}
	if s.rounds < 1 {
		return fmt.Errorf("-rounds %d: at least one is needed", s.rounds)
	}
	rounds, err := s.measure(ctx, all[i])
	if err != nil {
		return fmt.Errorf("%s: %w", all[i].name, err)
	}
	fmt.Print(speed(all[i], rounds))
	return nil
}

// measure vets a module with both commands in turn, in an order drawn for each round.
//
// Each cold run gets a copy of a build cache with the compiled packages and tests,
// but no result of any vet of them. The run after it uses the same copy, and so finds
// every result.
func (s *settings) measure(ctx context.Context, m module) ([]round, error) {
	dir := filepath.Join(s.Out, "speed")
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
		args = []string{s.Tool, "vet", "-config", "none", "./..."}
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

//go:embed speed.tmpl
var speedText string

// speed returns the page of a measurement.
func speed(m module, all []round) string {
	var comparisons, rounds []string
	for _, bar := range bars {
		middle, least, most := ratio(all, bar.of)
		limit, holds := "–", "–"
		if bar.bar > 0 {
			limit, holds = fmt.Sprintf("≤ %.1f ×", bar.bar), page.YesNo(middle <= bar.bar)
		}
		median := func(side int) string {
			var values []float64
			for _, r := range all {
				values = append(values, bar.of(side, r)/bar.scale)
			}
			return fmt.Sprintf("%.1f %s", program.Median(values), bar.unit)
		}
		comparisons = append(comparisons, page.Row(bar.name, median(0), median(1),
			fmt.Sprintf("%.2f ×", middle), fmt.Sprintf("%.2f – %.2f", least, most), limit, holds))
	}
	for i, r := range all {
		cells := []any{i + 1}
		for _, bar := range bars {
			cells = append(cells, fmt.Sprintf("%.1f, %.1f", bar.of(0, r)/bar.scale, bar.of(1, r)/bar.scale))
		}
		rounds = append(rounds, page.Row(cells...))
	}
	return page.Head("vet", "vet-speed.md", "The cost of vet", page.Fill(speedText, map[string]any{
		"CPUs": runtime.NumCPU(), "Module": m.name, "Bars": comparisons, "Rounds": rounds,
	}))
}
