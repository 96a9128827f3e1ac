package mode

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/suggest"
)

var godebugKind = Kind{
	Name: "GODEBUG", Keys: []string{"GODEBUG="}, Syntax: "GODEBUG=madvdontneed=1", Variables: []string{"GODEBUG"},
	Doc:   `switches of the runtime and the standard library; for more than one, GODEBUG=a=1+GODEBUG=b=2`,
	Parse: parseGODEBUG, ProveRun: proveGODEBUG,
}

type godebug string

func (g godebug) String() string { return "GODEBUG=" + quoteValue(string(g)) }
func (g godebug) Slot() string   { return g.String() } // several add up

func parseGODEBUG(t token) (Setting, error) {
	if t.name != "GODEBUG" || !t.valued {
		return nil, nil
	}
	for pair := range strings.SplitSeq(t.value, ",") {
		key, value, ok := strings.Cut(pair, "=")
		if key == "" || value == "" || !ok || strings.ContainsAny(pair, ` "'`) {
			return nil, fmt.Errorf(
				`GODEBUG=%s: the value is one or more of name=value with commas between, as in GODEBUG="a=1,b=2"`,
				t.value)
		}
	}
	return godebug(t.value), nil
}

// Apply refuses a probable slip: the runtime ignores names that it does
// not know, so the mode would silently be the default.
func (g godebug) Apply(_ context.Context, _ *Machine, c *Config) error {
	known := godebugNames(c.Go)
	for _, key := range slices.Sorted(maps.Keys(debugPairs(string(g)))) {
		if len(known) == 0 || slices.Contains(known, key) || strings.HasPrefix(key, "cpu.") {
			continue
		}
		if near := suggest.Nearest(key, known); near != "" {
			return fmt.Errorf("%s does not know the GODEBUG %q, did you mean %q? It would ignore it",
				c.Go.Version, key, near)
		}
		c.Notes = append(c.Notes, fmt.Sprintf("neither the runtime nor the standard library of %s knows the GODEBUG %q",
			c.Go.Version, key))
	}
	all := string(g)
	if others := c.RunEnv["GODEBUG"]; others != "" {
		all = others + "," + all
	}
	seen := map[string]bool{}
	for pair := range strings.SplitSeq(all, ",") {
		key, _, _ := strings.Cut(pair, "=")
		if seen[key] {
			return fmt.Errorf("the mode sets the GODEBUG %s twice: keep one", key)
		}
		seen[key] = true
	}
	c.RunEnv["GODEBUG"] = all
	return nil
}

// godebugNames reads the names from the toolchain's source: the names of
// the runtime, and from Go 1.21 on also of the standard library.
func godebugNames(t *Toolchain) []string {
	src := filepath.Join(t.GOROOT(), "src")
	library := tableNames(filepath.Join(src, "internal", "godebugs", "table.go"), "All")
	if library == nil {
		return nil // an older Go: the names of its library are spread over it
	}
	names := append(library, tableNames(filepath.Join(src, "runtime", "runtime1.go"), "dbgvars")...)
	return append(names, "memprofilerate") // not a dbgvar, see parsedebugvars in runtime1.go
}

func debugPairs(s string) map[string]string {
	pairs := map[string]string{}
	for pair := range strings.SplitSeq(s, ",") {
		if key, value, ok := strings.Cut(pair, "="); ok {
			pairs[key] = value
		}
	}
	return pairs
}

func proveGODEBUG(c Config, id Identity) (string, error) {
	want, got := debugPairs(c.RunEnv["GODEBUG"]), debugPairs(id.Env["GODEBUG"])
	if _, asked := want["gctrace"]; !asked {
		delete(got, "gctrace") // an untimed run of ours may trace
	}
	if !maps.Equal(want, got) {
		return "", fmt.Errorf("GODEBUG=%q was set, the run saw %q", c.RunEnv["GODEBUG"], id.Env["GODEBUG"])
	}
	return "", nil
}
