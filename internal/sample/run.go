// Package sample holds the raw data of an experiment: the figures of one run of one
// benchmark in one mode.
//
// It is the lowest layer: it knows neither how a run was made nor the conclusions from it.
// On disk the data are in the Go benchmark format
// (golang.org/design/14313-benchmark-format), so that benchstat reads them too.
package sample

// Key names a benchmark within an experiment. A command that ends is a
// benchmark with an empty Package.
type Key struct {
	Package   string `json:"package,omitempty"` // import path
	Benchmark string `json:"benchmark"`         // "Tree/heap-2", without the leading "Benchmark"
}

// String returns the package's name and the benchmark's, which people recognise; it is
// for display, not for identity.
func (k Key) String() string {
	if k.Package == "" {
		return k.Benchmark
	}
	return PackageName(k.Package) + "." + k.Benchmark
}

// Run holds the measurements of one process: the figures of one benchmark in one mode
// in one block. Each entry of Values is one sample.
type Run struct {
	Key
	Mode       string             `json:"mode"`
	Block      int                `json:"block"`      // 1 is the first; runs of one block are paired
	Iterations int                `json:"iterations"` // operations that the figures per op are divided by
	Values     map[string]float64 `json:"values"`     // the value of each metric, in its unit
}

// ControlSuffix marks the second copy of the baseline that runs in every block
// as the A/A control: mode "default" has the control "default#control".
const ControlSuffix = "#control"
