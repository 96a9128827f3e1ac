package main

import (
	"context"
	"slices"

	"github.com/heapwright/heapwright/bench/vet/command"
)

// run runs the tests of packages and returns, by package and name, which passed.
func run(ctx context.Context, dir string, packages []string) map[string]bool {
	if len(packages) == 0 {
		return nil
	}
	return command.Test(ctx, dir, packages...)
}

// stable runs tests twice and returns those that pass both times, and the others.
func stable(ctx context.Context, dir string, packages []string) (passed map[string]bool, unstable []string) {
	first, second := run(ctx, dir, packages), run(ctx, dir, packages)
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
