package mode

import "strings"

// Identity is the report of a built cell and of a run of it on themselves.
type Identity struct {
	Path         string            `json:"path,omitempty"`          // the path of the main package; ends in ".test" for a test binary
	GoVersion    string            `json:"go_version,omitempty"`    // the binary's: "go1.27.4"; empty if it is not a Go binary
	Experiments  []string          `json:"experiments,omitempty"`   // experiments in the binary's version: they differ from the toolchain's defaults
	Functions    []string          `json:"functions,omitempty"`     // EffectFunctions that the binary has
	Settings     map[string]string `json:"settings,omitempty"`      // the binary's build settings: -tags, GOEXPERIMENT, GOAMD64 …
	Modules      map[string]string `json:"-"`                       // versions of the dependencies in the binary; nil if it records none
	BinarySHA256 string            `json:"binary_sha256,omitempty"` // the hash of the built file
	Reported     bool              `json:"reported"`                // the run itself reported the fields below
	GOGC         int64             `json:"gogc,omitempty"`          // percent; -1 is off
	MemoryLimit  int64             `json:"memory_limit,omitempty"`  // bytes; math.MaxInt64 is none; 0 if the runtime could not report its limit and GOGC (before Go 1.21)
	Env          map[string]string `json:"env,omitempty"`           // GO* and the mode's own variables as the run saw them
	Tuner        string            `json:"tuner,omitempty"`         // state of the gctune that was added: "calm", "yielded" …
	HeapFloor    int64             `json:"heap_floor,omitempty"`    // bytes, that this gctune keeps
	HeapCeiling  int64             `json:"heap_ceiling,omitempty"`  // bytes, highest heap goal that its limit allows; 0 without a limit
	TunedLimit   int64             `json:"tuned_limit,omitempty"`   // bytes, limit on the process that it keeps; 0 if none is known
	Ballast      int64             `json:"ballast,omitempty"`       // bytes, of the ballast that was added
}

// Merge returns the identity with the fields that another one has in addition: a
// run's report added to the binary's.
func (id Identity) Merge(other Identity) Identity {
	if other.Path != "" {
		id.Path = other.Path
	}
	if other.GoVersion != "" {
		id.GoVersion, id.Experiments, id.Functions = other.GoVersion, other.Experiments, other.Functions
	}
	if other.Settings != nil {
		id.Settings = other.Settings
	}
	if other.Modules != nil {
		id.Modules = other.Modules
	}
	if other.BinarySHA256 != "" {
		id.BinarySHA256 = other.BinarySHA256
	}
	if other.Reported {
		id.Reported, id.GOGC, id.MemoryLimit, id.Env = true, other.GOGC, other.MemoryLimit, other.Env
		id.Tuner, id.HeapFloor, id.HeapCeiling, id.TunedLimit, id.Ballast = other.Tuner, other.HeapFloor,
			other.HeapCeiling, other.TunedLimit, other.Ballast
	}
	return id
}

// SplitVersion takes a binary's version string apart: "go1.26.8-X:arenas" is
// the version go1.26.8 with the experiment arenas. Up to Go 1.25 the separator
// is a space.
func SplitVersion(s string) (version string, experiments []string) {
	s = strings.TrimSpace(s)
	version, list, found := strings.Cut(s, "X:")
	if found {
		for name := range strings.SplitSeq(list, ",") {
			if name = strings.TrimSpace(name); name != "" {
				experiments = append(experiments, name)
			}
		}
		version = strings.TrimRight(version, " -")
	}
	return version, experiments
}
