package truth

import "strings"

// Release is a public release that cut the allocations of a path: the module at
// the version before it, a benchmark of our own of that path, and the lines that
// the release changed.
type Release struct {
	Name, Path    string
	Before, After string
	Package       string // the folder in the module
	Benchmark     string // a test file outside its package, with one BenchmarkRelease
	Mended        []Place
}

// Clause is the package clause that the benchmark tests.
func (r *Release) Clause() string {
	clause, _, _ := strings.Cut(r.Benchmark, "\n")
	return strings.TrimSuffix(clause, "_test") + "\n"
}
