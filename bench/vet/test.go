package main

import (
	"context"
	"encoding/json"
	"os/exec"
	"regexp"
	"slices"
	"strings"
)

var spaces = regexp.MustCompile(`_+`)

// run runs the tests of packages and returns, by package and name, which passed.
func run(ctx context.Context, c checkout, packages []string) map[string]bool {
	passed := map[string]bool{}
	if len(packages) == 0 {
		return passed
	}
	cmd := exec.CommandContext(ctx, "go", append([]string{"test", "-short", "-count=1", "-timeout=10m", "-json"}, packages...)...)
	cmd.Dir, cmd.Env = c.dir, c.env
	out, _ := cmd.Output() // failures are in it
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var event struct{ Action, Package, Test string }
		if dec.Decode(&event) != nil {
			return passed
		}
		if event.Action == "pass" || event.Action == "fail" || event.Action == "skip" {
			// Some names hold the text of a message, whose spaces change with the binary.
			passed[event.Package+" "+spaces.ReplaceAllString(event.Test, "_")] = event.Action != "fail"
		}
	}
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
