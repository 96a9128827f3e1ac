package main

import (
	"context"
	"slices"

	"github.com/heapwright/heapwright/bench/internal/vetting"
)

// test runs the tests of packages and returns, by package and name, which passed.
func (c checkout) test(ctx context.Context, packages []string) map[string]bool {
	if len(packages) == 0 {
		return nil
	}
	return vetting.Test(ctx, c.In, packages...)
}

// stable runs tests twice and returns those that pass both times, and the others.
func stable(ctx context.Context, c checkout, packages []string) (passed map[string]bool, unstable []string) {
	first, second := c.test(ctx, packages), c.test(ctx, packages)
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
