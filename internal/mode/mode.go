// Package mode knows what can be varied about a target's memory and how each
// variation is applied: by environment, build flags, toolchain, overlay or
// revision.
//
// A mode is written as settings joined by "+", as in "arenas+GOGC=400". Each
// kind of setting is one file of this package that adds itself to the list of
// kinds; nothing else has to know of it.
package mode

// Mode is one memory configuration of a target. The zero value is the default:
// the module's toolchain, nothing set.
type Mode struct {
	Name     string    // as written by the user; unique in an experiment
	Settings []Setting // in the order written
}

// Setting is one part of a mode.
type Setting interface {
	// String returns the setting as a user writes it.
	String() string
	// Apply adds the setting to what a cell is built and run with.
	Apply(*Config) error
	// Verify holds what the binary and its run reported against what was
	// asked. An error means that the cell is not what it says.
	Verify(Identity) error
}

// Config is what a cell is built and run with: the sum of a mode's settings.
type Config struct {
	Toolchain   string            // "go1.27.4", for the child's GOTOOLCHAIN; "" for the one in use
	Experiments []string          // for GOEXPERIMENT: "arenas", "nogreenteagc"
	Tags        []string          // build tags
	BuildFlags  []string          // further flags of go build and go test
	RunEnv      map[string]string // environment of the timed process: GOGC, GOMEMLIMIT, GODEBUG …
	Revision    string            // git revision to build in a worktree; "" for the work tree as it is
	PGO         bool              // build with a CPU profile of the baseline, which the experiment takes
	RandomLink  bool              // link anew with a random layout
}

// Identity is what a built cell and a run of it say about themselves.
type Identity struct {
	GoVersion    string            `json:"go_version,omitempty"`    // from the binary: "go1.27.4"
	Settings     map[string]string `json:"settings,omitempty"`      // the binary's build settings: -tags, GOEXPERIMENT, GOAMD64 …
	BinarySHA256 string            `json:"binary_sha256,omitempty"` // of the built file
	Reported     bool              `json:"reported"`                // the run itself reported what follows
	GOGC         int64             `json:"gogc,omitempty"`          // percent; -1 is off
	MemoryLimit  int64             `json:"memory_limit,omitempty"`  // bytes; math.MaxInt64 is none
	Env          map[string]string `json:"env,omitempty"`           // GO* and the mode's own variables as the run saw them
}
