// Package mode knows the ways to vary a target's use of memory and how each is
// applied: by environment, build flags, toolchain, overlay or revision.
//
// A mode is written as settings joined by "+", as in "arenas+GOGC=400". Each
// kind of setting is one file of this package and one line in the list of kinds;
// no other code knows it.
//
// A mode passes through three steps. Parse knows only the syntax. Resolve checks the mode
// against the toolchain that it chooses, which determines the available experiments, and
// against the machine. Verify compares the mode with the reports of the built binary and
// of its run: a cell that cannot be shown to be in its mode is an error, never silently
// the default.
//
// Every mode starts from Go's own defaults: GOGC, GOMEMLIMIT, GODEBUG, GOEXPERIMENT and
// the variables of gctune in the user's environment are set aside, and
// Machine.SetAside returns them. The rest of the environment, GOFLAGS included, is the
// same in every mode.
package mode

import "context"

// Default is the name of the mode that sets nothing.
const Default = "default"

// Mode is one memory configuration of a target. The zero value is the default:
// the module's toolchain, nothing set.
type Mode struct {
	Name     string    // the user's text; unique in an experiment
	Settings []Setting // the settings in the order of the text
}

// Setting is one part of a mode. Its syntax is known to be right; whether this
// machine can do it is not.
type Setting interface {
	// String returns the setting as a user writes it on the command line.
	String() string
	// Slot names the subject of the setting, "GOGC" or "the Go version". Two
	// settings of one mode must not share a slot.
	Slot() string
	// Apply adds the setting to the configuration of a cell. Config.Go is known by
	// then.
	Apply(context.Context, *Machine, *Config) error
}

// Config is the configuration of a cell's build and runs: the sum of a mode's settings.
// Resolve makes it; BuildEnv, BuildFlags and RunEnv apply it.
type Config struct {
	Go           *Toolchain        // the toolchain that builds the cell; never nil after Resolve
	Experiments  []string          // asked for, beyond the toolchain's own: "arenas", "nogreenteagc"
	Tags         []string          // build tags
	BuildFlags   []string          // further flags of go build and go test
	BuildEnv     map[string]string // variables that the go command reads: GOAMD64, CGO_CFLAGS …
	RunEnv       map[string]string // environment of the timed process: GOGC, GOMEMLIMIT, GODEBUG …
	Revision     string            // full hash of the commit to build in a worktree; "" for the work tree as it is
	Patches      []Patch           // patches that change the source, in order
	Dependencies []Dependency      // versions that replace the ones in go.mod
	PGO          bool              // build with a CPU profile of the baseline, which the experiment takes
	RandomLink   bool              // link again with a random layout
	Inject       []string          // source that the build adds to the target, by the names in inject.go
	Notes        []string          // remarks for the user: a setting that changes nothing here
	Prebuilt     bool              // set by who knows: the target is a program that was there already, nothing of its build is ours to prove

	environ []string // the user's environment
	builds  []string // the settings that change the build
}
