package evidence

import (
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/owner"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/source"
)

// owners answers whose code the functions of a dictionary are, each once.
type owners struct {
	dict   *profile.Dict
	source *source.Index
	known  []owner.Owner // indexed by FunctionID; owner.Owners where it is not known yet
}

func newOwners(dict *profile.Dict, x *source.Index) owners {
	return owners{dict: dict, source: x, known: slices.Repeat([]owner.Owner{owner.Owners}, dict.NumFunctions())}
}

func (o *owners) of(id profile.FunctionID) owner.Owner {
	if o.known[id] == owner.Owners {
		f := o.dict.Function(id)
		o.known[id] = ownerOf(o.source, f.Name, f.File)
	}
	return o.known[id]
}

// ownerOf prefers the source at hand to names.
func ownerOf(x *source.Index, name, file string) owner.Owner {
	switch {
	case owner.OfRuntime(name):
		return owner.Runtime
	case injected(file):
		return owner.Standard
	case x.Owns(name, file):
		return owner.Program
	}
	return owner.Of(name, file)
}

// ofProfiler reports whether a function serves or writes profiles: its own
// allocations are not the program's.
func ofProfiler(function string) bool {
	return strings.HasPrefix(function, "runtime/pprof.") || strings.HasPrefix(function, "net/http/pprof.")
}

// injected reports whether a file is one that a build adds and nobody can change:
// those for measuring (package inject), and the main function of a test binary.
func injected(file string) bool {
	base := file[strings.LastIndexAny(file, `/\`)+1:]
	return base == "_testmain.go" || strings.HasPrefix(base, "heapwright_probe") ||
		strings.HasPrefix(base, "heapwright_profile")
}

// writesProfiles reports whether a function belongs to runtime/pprof's writing of
// profiles, whose cost is there because somebody measures. pprof.Do, which labels
// a program's own work, does not.
func writesProfiles(function string) bool {
	name, ok := strings.CutPrefix(function, "runtime/pprof.")
	return ok && (strings.HasPrefix(name, "(*profileBuilder)") || strings.HasPrefix(name, "(*Profile)") ||
		strings.HasPrefix(name, "profileWriter") ||
		strings.HasPrefix(name, "writeHeap") || strings.HasPrefix(name, "WriteHeapProfile") ||
		strings.HasPrefix(name, "StartCPUProfile") ||
		strings.HasPrefix(name, "StopCPUProfile"))
}
