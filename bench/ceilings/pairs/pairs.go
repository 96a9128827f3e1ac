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
}

// All are the pairs.
var All = []Pair{
	{"boxing", "BenchmarkRun", `\.before$`},
	{"conversion", "BenchmarkCount", `\.before(-range\d+)?$`},
	{"encoder", "BenchmarkCompress", `\.before$`},
	{"formatting", "BenchmarkCount", `\.before$`},
	{"mapsize", "BenchmarkCompare", `\.before$`},
	{"pool", "BenchmarkServe", `\.before$`},
	{"preallocate", "BenchmarkGather", `\.before$`},
	{"slab", "BenchmarkEval", `\.before\.func1$`},
}

// Built returns the variant that this build runs.
func Built[T any](before, after T) T {
	if cured {
		return after
	}
	return before
}
