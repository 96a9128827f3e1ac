package cli

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/heapwright/heapwright/gctune"
	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/fix/guard"
	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/target"
	"github.com/heapwright/heapwright/internal/termtext"
)

// Flags that several commands have, so that they read the same in all of them.

func outFlag(fs *flagSet, dir *string) {
	fs.output.common.StringVar(dir, "o", "heapwright-out", "write results and reports to `DIR`")
}

func blocksFlag(fs *flagSet, n *int) {
	fs.experiment.rare.IntVar(n, "blocks", 0, "run at most `N` blocks (default 40)")
}

func runTimeFlag(fs *flagSet, d *time.Duration, usual time.Duration) {
	fs.experiment.rare.DurationVar(d, "run-time", usual, "aim at `TIME` for each timed run of a benchmark")
}

func budgetFlag(fs *flagSet, d *time.Duration) {
	fs.experiment.common.DurationVar(d, "budget", experiment.DefaultBudget, "start no block that would end after `TIME`, not counting builds")
}

// testFlags bound the tests that prove a change.
func testFlags(fs *flagSet, most *time.Duration, usual time.Duration, race *bool) {
	fs.experiment.rare.DurationVar(most, "test-time", usual, "stop a run of the tests after `TIME`")
	fs.experiment.rare.BoolVar(race, "race", true, "run the tests with the race detector, too")
}

// allowFlag switches rules for proposed changes off.
func allowFlag(fs *flagSet, allowed *[]string) {
	fs.proposals.rare.Func("propose-allow", "switch off the `RULES` of the guard, separated by commas: "+
		strings.Join(guard.Allowable(), ", "), func(s string) (err error) {
		*allowed, err = guard.Allow(s)
		return err
	})
}

func seedFlag(fs *flagSet, seed *uint64) {
	fs.experiment.rare.Uint64Var(seed, "seed", 0, "choose the random order of the runs with seed `N` (default: a random seed, recorded in the report)")
}

// roomFor finds out whether a single file can be written; see result.MakeRoom.
func roomFor(file, flag string) error {
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return usagef("%s %s is a folder; name a file", flag, file)
	}
	return result.MakeRoom(filepath.Dir(file), flag)
}

// claim makes the output folder and keeps other runs out of it until release.
func (a arguments) claim(env Env, dir string) (release func(), err error) {
	c, err := result.Claim(dir, "-o", a.typed)
	if err != nil {
		return nil, err
	}
	if c.Note != "" {
		fmt.Fprintf(env.Stderr, "heapwright %s: note: %s\n", a.typed[0], c.Note)
	}
	return c.Release, nil
}

// resumes refuses arguments that -resume would ignore: it takes target and flags
// from the interrupted command, whose output folder this is. It claims the folder.
func (a arguments) resumes(env Env, dir string) (release func(), err error) {
	if len(a.names)+len(a.after) > 0 {
		return nil, usagef("-resume takes the target from %s; give only -o and -budget with it", dir)
	}
	for _, name := range a.flags {
		if !slices.Contains([]string{"resume", "o", "budget", "json"}, name) {
			return nil, usagef("-resume takes -%s from %s; give only -o and -budget with it", name, dir)
		}
	}
	if _, err := os.Stat(dir); err != nil {
		return nil, fmt.Errorf("nothing to resume: %w; run without -resume", err)
	}
	return a.claim(env, dir)
}

// nameForeign says on stderr which programs a plan in a file has -resume start that are not
// built from the target's module. The file may have come with somebody else's repository.
func nameForeign(env Env, command, file string, t target.Target, modes []mode.Mode) {
	for _, what := range foreignPrograms(target.Program(t), mode.ForeignSettings(modes)) {
		fmt.Fprintf(env.Stderr, "heapwright %s: note: %s\n", command, termtext.Harmless(fmt.Sprintf("%s starts %s; run without -resume if you do not mean it", file, what)))
	}
}

// document begins the document of an experiment that this command line asked for.
func (a arguments) document(seed uint64) *result.Document {
	doc := experiment.NewDocument()
	doc.Tool, doc.Command, doc.Dir, doc.Seed = version(), a.typed, a.dir, seed
	return doc
}

// drawn is the seed that was given, or one by chance.
func drawn(seed uint64) uint64 {
	if seed == 0 {
		return rand.Uint64()
	}
	return seed
}

func traceFlag(fs *flagSet, trace *bool) {
	fs.experiment.rare.BoolVar(trace, "trace", false, "run every mode once more with the execution tracer, to show timelines of the collector")
}

func benchFlag(fs *flagSet, pattern *string) {
	fs.target.common.StringVar(pattern, "bench", "", "measure only benchmarks that match `REGEXP`, as for go test")
}

// modulesFlag makes dependencies the program's own.
func modulesFlag(fs *flagSet, patterns *string) {
	fs.target.rare.StringVar(patterns, "modules", "", "treat dependencies whose paths begin with one of `PATTERNS` as the program's own code: example.com/lib,*.example.org")
}

// productionFlag takes profiles of a target's production.
func productionFlag(fs *flagSet, files *[]string) {
	fs.target.common.Func("profile", "compare what the target spends with the profiles of its production in `FILES`, "+
		"separated by commas, or of serve+URL?service=SERVICE", func(s string) error {
		*files = strings.Split(s, ",")
		return nil
	})
}

// maxBytesFlag bounds the decompressed size of one input.
func maxBytesFlag(fs *flagSet, n *int64, usage string) {
	*n = profile.DefaultMaxBytes
	fs.input.rare.Func("max-bytes", usage+" larger than `SIZE` after decompression (default 1GiB)", func(s string) (err error) {
		*n, err = gctune.ParseSize(s)
		return err
	})
}

// keepBelow lets the collector work harder before this process takes a size, of
// which the decoder of profiles holds less than half: at GOGC=100 garbage alone
// could take as much again. Whoever has set GOMEMLIMIT knows better.
func keepBelow(size int64) {
	if debug.SetMemoryLimit(-1) == math.MaxInt64 {
		debug.SetMemoryLimit(max(size, profile.DefaultMaxBytes) / 8 * 5)
	}
}

// leastFlag is a time that is at least so long: a shorter or negative one is a typo that would
// ask services all the time, or remove profiles.
func leastFlag(section *flag.FlagSet, to *time.Duration, name string, usual, least time.Duration, usage string) {
	*to = usual
	section.Var(longTime{to, least}, name, usage)
}

// longTime is the value of a flag with a lower bound.
type longTime struct {
	to    *time.Duration
	least time.Duration
}

// String implements flag.Value, also for the zero value.
func (l longTime) String() string {
	if l.to == nil {
		return ""
	}
	return l.to.String()
}

// Set implements flag.Value.
func (l longTime) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil {
		return errors.New("write a time such as 15s or 5m")
	}
	if d < l.least {
		return fmt.Errorf("write a time of at least %v", l.least)
	}
	*l.to = d
	return nil
}
