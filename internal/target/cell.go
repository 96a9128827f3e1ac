package target

import (
	"time"

	"github.com/heapwright/heapwright/internal/inject"
	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/overlay"
)

// Cell is a target in one mode.
type Cell struct {
	Mode       mode.Mode
	Config     mode.Config
	Dir        string              // the folder of the target's packages: the work tree, or a worktree of a revision
	CacheDir   string              // the folder that keeps the cell's binaries between experiments
	Profiles   map[string]string   // package → CPU profile of the baseline, for a PGO build
	Injections []inject.Source     // added to the target beside the probe
	Sources    overlay.Files       // files that the mode's patches and dependencies change; see Lay
	Moved      []string            // messages of go get about other modules that Config.Dependencies move along
	Absent     []string            // patterns of the target: other cells have such packages, this one's sources do not
	Dirs       map[string]string   // package → the folder of its sources
	Binaries   map[string][]string // package → one file, or several with random layouts
	Program    string              // the path of the main package that was built; "" of other targets
	Unprobed   map[string]bool     // packages whose binary lacks the probe, because the go command refused it
	Commands   []string            // the exact build commands, as for a shell
	Hashes     []string            // the hashes of all binaries, in the order of packages
	Identity   mode.Identity
	Compiling  time.Duration // the time that building took so far
	Err        error         // why the cell cannot be measured
}

// Has reports whether the package is there in this mode: another revision or
// build tag may lack it.
func (c *Cell) Has(pkg string) bool { return len(c.Binaries[pkg]) > 0 }

// Probed reports whether the package was built here and has the probe in it.
func (c *Cell) Probed(pkg string) bool { return len(c.Commands) > 0 && !c.Unprobed[pkg] }

// Binary returns the file that block b runs: with random layouts every block
// takes the next.
func (c *Cell) Binary(pkg string, b int) string {
	files := c.Binaries[pkg]
	return files[b%len(files)]
}

// Fail keeps the first reason why the cell cannot be measured.
func (c *Cell) Fail(err error) {
	if c.Err == nil {
		c.Err = err
	}
}
