package heapwright

import (
	"regexp"
	"strings"
	"testing"
)

// inits are the only init functions. A registry is a list that can be read in
// one place; these have to run before a main that is not ours to change.
var inits = map[string]string{
	"arena/memory.go":                                "gives nested modules the memory of an arena, without an exported method",
	"gctune/auto/auto.go":                            "a blank import starts gctune",
	"internal/inject/injected/probe.go":              "starts the probe in a target",
	"internal/inject/profiled/atexit.go":             "has the profile of a target written when it ends",
	"internal/inject/profiled/cpuprofile.go":         "starts the CPU profile of a target",
	"internal/inject/profiled/exectrace.go":          "starts the execution trace of a target",
	"internal/serve/querier/querierpb/querier.pb.go": "generated",
	"internal/process/spawn/spawn_linux.go":          "makes any program that links it a starter",
}

func TestInitFunctions(t *testing.T) {
	initializes := regexp.MustCompile(`(?m)^func init\(\)|^var _ = register`)
	for _, s := range sources(t, goFile) {
		if strings.HasPrefix(s.path, "bench/") { // peers are set up as their own programs do it
			continue
		}
		if has := initializes.MatchString(s.text); has && inits[s.path] == "" {
			t.Errorf("%s: registers something or sets it up: make it a list, or add it to inits with the reason", s.path)
		}
	}
}
