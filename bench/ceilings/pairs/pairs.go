// Package pairs lists small programs in two variants that differ only in a fault
// and its cure. So the ceiling predicted for the faulty variant can be compared
// with the measured saving of the cured one. Each program is a package below this
// one with one benchmark. A build with the tag cured runs the cure, any other
// build the fault.
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

	// Lives says that the cure shrinks the live heap and not the allocations. A
	// ceiling predicts nothing for such a pair.
	Lives bool
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
