package target

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/process"
	"github.com/heapwright/heapwright/internal/sample"
)

// leastListing returns the shortest time in which benchmarks are listed: the share
// of one package, at most a second, and enough for a process to start.
func leastListing(total time.Duration, packages int) time.Duration {
	return min(max(total/time.Duration(packages), 250*time.Millisecond), time.Second)
}

// list lists the benchmarks of a package. One that hangs or fails ends the process:
// those after it are listed by a further one. All of them, of all packages, may take
// the time that is left; each process gets half of it, and at least the time least.
func (t *Packages) list(ctx context.Context, c *Cell, pkg string, least time.Duration, left *time.Duration) ([]Found, error) {
	var all []Found
	for pattern := t.pattern(); pattern != ""; {
		if len(all) > 0 && *left < 2*least {
			rest := fmt.Sprintf("(%d more)", strings.Count(pattern, "|")+1)
			all = append(all, Found{Key: sample.Key{Package: pkg, Benchmark: rest}, Err: errNotListed})
			break
		}
		cmd := t.command(c, pkg, c.Binaries[pkg][0], pattern, "1x")
		cmd.Args = append(cmd.Args, "-test.cpu=1")
		cmd.Timeout = max(least, *left/2)
		out, err := process.Run(ctx, cmd)
		if err != nil {
			return nil, err
		}
		found, err := benchmarksIn(out.Stdout)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", pkg, err)
		}
		var names []string
		// Packages start once, and most benchmarks prepare their data.
		start := out.Wall
		for _, f := range found {
			start -= f.took
		}
		for _, f := range found {
			f.Package, f.Start = pkg, max(0, start)/time.Duration(len(found))
			names = append(names, f.Benchmark)
			all = append(all, f)
		}
		if out.Failure == "" {
			break
		}
		*left -= out.Wall
		name := failedBenchmark(out.Stdout, out.LastOutput, names)
		all = append(all, Found{Key: sample.Key{Package: pkg, Benchmark: name}, Err: runError(out.Failure, out)})
		if pattern, err = t.after(ctx, c, pkg, all); err != nil || ctx.Err() != nil {
			return all, ctx.Err() // the rest of the package stays unknown
		}
	}
	return all, nil
}

// errNotListed is the error of benchmarks that follow others which take too long.
var errNotListed = errors.New("not listed, because benchmarks before them take long: give a larger -budget, or choose with -bench")

// after returns a pattern of the benchmarks that follow the last one found, in
// the package's order, or "".
func (t *Packages) after(ctx context.Context, c *Cell, pkg string, found []Found) (string, error) {
	if strings.Contains(t.pattern(), "/") {
		return "", nil // the pattern of a part would be lost
	}
	cmd := t.command(c, pkg, c.Binaries[pkg][0], t.pattern(), "1x")
	cmd.Args = append(cmd.Args, "-test.list="+t.pattern())
	cmd.Timeout = time.Minute
	out, err := process.Run(ctx, cmd)
	if err != nil || out.Failure != "" {
		return "", err
	}
	var names []string
	for line := range strings.Lines(string(out.Stdout)) {
		if name, is := strings.CutPrefix(strings.TrimSpace(line), "Benchmark"); is {
			names = append(names, name)
		}
	}
	next := 0
	for _, f := range found {
		top, _, _ := strings.Cut(f.Benchmark, "/")
		if i := slices.Index(names, top); i >= next {
			next = i + 1
		}
	}
	if last := found[len(found)-1].Benchmark; strings.HasPrefix(last, "(") && !strings.Contains(last, "/") {
		next++ // it failed before its name was printed
	}
	if next >= len(names) {
		return "", nil
	}
	return "^Benchmark(" + strings.Join(names[next:], "|") + ")$", nil
}
