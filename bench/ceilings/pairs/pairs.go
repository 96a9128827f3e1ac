// Package pairs lists small programs that have a fault and its cure, and nothing
// else that differs: what a ceiling predicts of the faulty one can be held
// against what the cured one saves. Each is a package below this one with one
// benchmark, whose build decides what it runs: the fault, or with the tag cured
// the cure.
//
//	heapwright compare -C bench ./ceilings/pairs/slab -modes default,tags=cured
//
// The line that a finding should name ends in a comment, "want: " and the rule.
package pairs

// Pair is one of them.
type Pair struct {
	Name      string // of the folder and package
	Benchmark string
	Removes   string // pattern of the functions whose allocations the cure removes
	Lives     bool   // the cure is of what lives: it allocates as much, and a ceiling says nothing of it
}

// All are the pairs.
var All = []Pair{
	{"boundedcache", "BenchmarkPage", `\.(newSession|before\.add)$`, true},
	{"boxing", "BenchmarkRun", `\.before$`, false},
	{"conversion", "BenchmarkCount", `\.before(-range\d+)?$`, false},
	{"encoder", "BenchmarkCompress", `\.before$`, false},
	{"formatting", "BenchmarkCount", `\.before$`, false},
	{"index", "BenchmarkQuote", `\.\(\*before\)\.set$`, true},
	{"mapsize", "BenchmarkCompare", `\.before$`, false},
	{"pool", "BenchmarkServe", `\.before$`, false},
	{"preallocate", "BenchmarkGather", `\.before$`, false},
	{"slab", "BenchmarkEval", `\.before\.func1$`, false},
}

// Built returns the variant that this build runs.
func Built[T any](before, after T) T {
	if cured {
		return after
	}
	return before
}
