package main

import (
	"context"
	"slices"

	"github.com/heapwright/heapwright/bench/vet/command"
)

// run runs the tests of packages and returns, by package and name, which passed.
func run(ctx context.Context, c checkout, packages []string) map[string]bool {
	if len(packages) == 0 {
		return nil
	}
	return command.TestIn(ctx, c.env, c.dir, packages...)
}

// stable runs tests twice and returns those that pass both times, and the others.
func stable(ctx context.Context, c checkout, packages []string) (passed map[string]bool, unstable []string) {
	first, second := run(ctx, c, packages), run(ctx, c, packages)
	passed = map[string]bool{}
	for name, ok := range first {
		if ok && second[name] {
			passed[name] = true
		} else {
			unstable = append(unstable, name)
		}
	}
	slices.Sort(unstable)
	return passed, unstable
}
