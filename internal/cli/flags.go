package cli

import (
	"flag"
	"math/rand/v2"
	"time"

	"github.com/heapwright/heapwright/gctune"
	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/profile"
)

// Flags that several commands have, so that they read the same in all of them.

func outFlag(fs *flag.FlagSet, dir *string) {
	fs.StringVar(dir, "o", "heapwright-out", "write results and reports to `DIR`")
}

func blocksFlag(fs *flag.FlagSet, n *int) {
	fs.IntVar(n, "blocks", 0, "run at most `N` blocks (default: the last look, 40)")
}

func runTimeFlag(fs *flag.FlagSet, d *time.Duration, usual time.Duration) {
	fs.DurationVar(d, "run-time", usual, "aim at this long a timed run of a benchmark")
}

func budgetFlag(fs *flag.FlagSet, d *time.Duration) {
	fs.DurationVar(d, "budget", experiment.DefaultBudget, "begin no block that would end later; building comes on top")
}

func seedFlag(fs *flag.FlagSet, seed *uint64) {
	fs.Uint64Var(seed, "seed", 0, "order the runs by this seed (default: drawn, and recorded)")
}

// drawn is the seed that was given, or one by chance.
func drawn(seed uint64) uint64 {
	if seed == 0 {
		return rand.Uint64()
	}
	return seed
}

func benchFlag(fs *flag.FlagSet, pattern *string) {
	fs.StringVar(pattern, "bench", "", "measure only benchmarks that match `REGEXP`, as for go test")
}

// maxBytesFlag bounds what is read of one thing, inflated.
func maxBytesFlag(fs *flag.FlagSet, n *int64, usage string) {
	*n = profile.DefaultMaxBytes
	fs.Func("max-bytes", usage+" that is larger than `SIZE` inflated (default 1GiB)", func(s string) (err error) {
		*n, err = gctune.ParseSize(s)
		return err
	})
}
